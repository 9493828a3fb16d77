// What scrolls sideways can be reached and scrolled by keyboard, in browsers too that do not see to
// it themselves; what fits is no stop on the way.
const scrollable = new ResizeObserver((boxes) => {
  for (const { target } of boxes) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const box of document.querySelectorAll("article :is(pre, .math, .table-wrapper)")) scrollable.observe(box);

// On a phone long lines are wrapped instead (look.css), unless the reader has chosen otherwise.
const wrap = document.querySelector(".wrap-lines input");
if (wrap) {
  wrap.checked = !stored("wrap-lines").has("off"); // switcher.js
  wrap.addEventListener("change", () => store("wrap-lines", new Set(wrap.checked ? [] : ["off"])));
}
