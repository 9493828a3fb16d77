// `/`, Ctrl+K and a button open the search. All else of it is loaded then, and not before.
const searchDialog = document.querySelector(".search-dialog");
const searchPage = document.querySelector(".search-page");
const searchParts = new URL("search/box.js", document.currentScript.src);

function fillBox(box, text) {
  const input = box.querySelector("input");
  if (text) input.value = text;
  input.focus();
  input.select(); // now, for the reader types while the rest is being loaded
  addStyle(box.dataset.style);
  import(searchParts).then(
    ({ fill }) => fill(box),
    () => sayWhyNot(box.querySelector(".search-status")),
  );
}

function addStyle(href) {
  if (document.querySelector(`link[href="${href}"]`)) return;
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
}

// A page that was opened from a disk may load no module.
function sayWhyNot(status) {
  status.textContent = location.protocol === "file:" ? status.dataset.file : status.dataset.failed;
}

function openSearch() {
  if (searchPage) return searchPage.querySelector("input").select();
  if (searchDialog.open) return;
  searchDialog.showModal(); // on close, it gives the focus back by itself
  fillBox(searchDialog.querySelector(".search-box"), "");
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

for (const button of document.querySelectorAll(".search-open")) {
  button.addEventListener("click", openSearch);
}
searchDialog.addEventListener("click", (event) => event.target === searchDialog && searchDialog.close());

if (searchPage) {
  fillBox(searchPage.querySelector(".search-box"), new URLSearchParams(location.search).get("q") ?? "");
}
