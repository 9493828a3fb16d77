// A figure opens large, in a dialog that scrolls: by click, touch, and a button for the keyboard.
{
  const words = document.currentScript.dataset; // in the page's language
  const dialog = Object.assign(document.createElement("dialog"), { className: "enlarged", ariaLabel: words.enlarge });
  const button = (className, title, textContent) => Object.assign(document.createElement("button"), { type: "button", className, title, ariaLabel: title, textContent });
  document.body.append(dialog);
  dialog.addEventListener("click", () => dialog.close());
  for (const figure of document.querySelectorAll("article svg.drawing")) {
    const opener = button("enlarge", words.enlarge, "+");
    opener.addEventListener("click", () => (dialog.replaceChildren(button("close", words.close, "×"), figure.cloneNode(true)), dialog.showModal()));
    figure.addEventListener("click", () => opener.click());
    figure.after(opener);
  }
}
