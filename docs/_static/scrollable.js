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
  if (matchMedia("(max-width: 46em)").matches) document.querySelectorAll("article .highlight pre").forEach(divide);
}

// Put each line of code into an element, so that the rest of a wrapped line is indented.
function divide(pre) {
  const lines = [[]];
  for (const node of pre.childNodes) {
    const parts = node.data ? node.data.split(/(?<=\n)/).map((text) => new Text(text)) : [node];
    for (const part of parts) {
      lines.at(-1).push(part);
      if (part.textContent.endsWith("\n")) lines.push([]);
    }
  }
  pre.replaceChildren(...lines.map((parts) => {
    const line = Object.assign(document.createElement("span"), { className: "line" });
    line.append(...parts);
    line.style.setProperty("--indent", line.textContent.search(/\S|$/));
    return line;
  }));
}
