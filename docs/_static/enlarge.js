// A figure opens as large as the window: by click, touch, and a button for the keyboard. On a phone
// it is larger than the window, and as large after a touch.
{
  const words = document.currentScript.dataset; // in the page's language
  const phone = matchMedia("(max-width: 46em)");
  const dialog = Object.assign(document.createElement("dialog"), { className: "enlarged", ariaLabel: words.enlarge });
  const button = (className, title, textContent) => Object.assign(document.createElement("button"), { type: "button", className, title, ariaLabel: title, textContent });
  document.body.append(dialog);
  dialog.addEventListener("click", ({ target }) => {
    const figure = target.closest("svg");
    if (figure && phone.matches) figure.classList.toggle("zoomed");
    else dialog.close();
  });
  for (const figure of document.querySelectorAll("article svg.drawing")) {
    const opener = button("enlarge", words.enlarge, "+");
    opener.addEventListener("click", () => {
      const large = figure.cloneNode(true);
      large.classList.toggle("zoomed", phone.matches);
      dialog.replaceChildren(button("close", words.close, "×"), large);
      dialog.showModal();
    });
    figure.addEventListener("click", () => opener.click());
    figure.after(opener);
  }
}
