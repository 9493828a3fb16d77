// Show what a term means, or the card of a name of JAX, on hover, on focus, and on the first touch;
// the second follows the link.
{
  const line = (name, textContent, more) => Object.assign(document.createElement(name), { textContent, ...more });
  const preview = line("div", "", { className: "preview", id: "term-preview", role: "tooltip", hidden: true });
  document.body.append(preview);
  let shown = null; // the link
  let timer = 0;

  function show(link) {
    clearTimeout(timer);
    if (shown === link) return;
    hide();
    const { names = "", meaning, signature, page, address } = link.dataset;
    const heads = signature ? [line("code", signature)] : [line("strong", link.textContent), " ", line("span", names)];
    preview.replaceChildren(...heads, line("p", meaning, signature && { lang: "en" }));
    if (page) preview.append(line("a", page, { href: address }));
    preview.hidden = false;
    const word = link.getClientRects()[0];
    const space = document.documentElement.clientWidth - preview.offsetWidth - 16;
    preview.style.left = `${scrollX + Math.max(16, Math.min(word.left, space))}px`;
    const below = word.bottom + preview.offsetHeight + 8 < innerHeight;
    preview.style.top = `${scrollY + (below ? word.bottom + 4 : word.top - preview.offsetHeight - 4)}px`;
    link.setAttribute("aria-describedby", preview.id);
    shown = link;
  }

  function hide() {
    clearTimeout(timer);
    shown?.removeAttribute("aria-describedby");
    shown = null;
    preview.hidden = true;
  }

  const later = (action, milliseconds) => (clearTimeout(timer), (timer = setTimeout(action, milliseconds)));
  for (const link of document.querySelectorAll("[data-meaning]")) {
    link.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && later(() => show(link), 150));
    link.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && later(hide, 300));
    link.addEventListener("focus", () => link.matches(":focus-visible") && show(link));
    link.addEventListener("blur", hide);
    link.addEventListener("click", (event) => {
      if (event.pointerType !== "touch" || shown === link) return;
      event.preventDefault();
      show(link);
    });
  }
  preview.addEventListener("pointerenter", () => clearTimeout(timer));
  preview.addEventListener("pointerleave", () => later(hide, 300));
  addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  addEventListener("pointerdown", ({ target }) => target !== shown && !preview.contains(target) && hide());
}
