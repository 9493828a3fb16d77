// Links to this page in other languages and versions lead to the reader's section.
function linkSection() {
  for (const link of document.querySelectorAll(":is(nav.languages, nav.versions, .older-version) a[href]")) {
    link.setAttribute("href", link.getAttribute("href").split("#")[0] + location.hash);
  }
}
addEventListener("hashchange", linkSection);
linkSection();
