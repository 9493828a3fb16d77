// `/`, Ctrl+K, a button and the field in the sidebar open the search. All else of it is loaded then.
const searchDialog = document.querySelector(".search-dialog");
const searchPage = document.querySelector(".search-page");
const searchField = document.querySelector(".sidebar-search");
const searchParts = new URL("search/box.js", document.currentScript.src);

function fillBox(box, text) {
  const input = box.querySelector("input");
  const status = box.querySelector(".search-status");
  const style = { rel: "stylesheet", href: box.dataset.style };
  input.focus(); // now, for the reader types while the rest is being loaded
  if (text) input.value = text;
  else input.select();
  if (!document.querySelector(`link[href="${style.href}"]`)) {
    document.head.append(Object.assign(document.createElement("link"), style));
  }
  import(searchParts).then(({ fill }) => fill(box), () => {
    // A page that was opened from a disk may load no module.
    status.textContent = location.protocol === "file:" ? status.dataset.file : status.dataset.failed;
  });
}

function openSearch() {
  if (!searchPage) searchDialog.showModal(); // on close, it gives the focus back by itself
  fillBox((searchPage ?? searchDialog).querySelector(".search-box"), searchField.value);
  searchField.value = "";
}

function isTyping(element) {
  return element.matches("input:not([type=checkbox]), textarea, select, [contenteditable]");
}

addEventListener("keydown", (event) => {
  const slash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
  const k = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
  if (!slash && !k) return;
  event.preventDefault();
  openSearch();
});

document.querySelector(".search-open").addEventListener("click", openSearch);
for (const cause of ["click", "input", "submit"]) {
  searchField.form.addEventListener(cause, (event) => {
    event.preventDefault();
    if (!event.isComposing) openSearch(); // or the keys that make a kanji would be divided
  });
}
searchDialog.addEventListener("click", (event) => event.target === searchDialog && searchDialog.close());

if (searchPage) {
  fillBox(searchPage.querySelector(".search-box"), new URLSearchParams(location.search).get("q") ?? "");
}
