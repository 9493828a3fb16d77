// What scrolls sideways can be reached and scrolled by keyboard, in browsers too that do not see to
// it themselves; what fits is no stop on the way.
const scrollable = new ResizeObserver((boxes) => {
  for (const { target } of boxes) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const box of document.querySelectorAll("article :is(pre, .math, .table-wrapper)")) scrollable.observe(box);
