// Sets of words in localStorage or sessionStorage, under names that begin with the site's path: all
// sites of a host share the storage. Where it is blocked or unreadable, nothing is remembered.
const sitePath = new URL("../..", document.currentScript.src).pathname;

function stored(name, storage = "localStorage") {
  try {
    return new Set(JSON.parse(window[storage].getItem(sitePath + name)));
  } catch {
    return new Set();
  }
}

function store(name, words, storage = "localStorage") {
  try {
    if (words.size) window[storage].setItem(sitePath + name, JSON.stringify([...words]));
    else window[storage].removeItem(sitePath + name);
  } catch {} // the choice holds for this page
}

// Links to this page in other languages and versions lead to the section that is being read, or to
// what was searched for.
addEventListener("click", ({ target }) => {
  const link = target.closest(":is(nav.languages, nav.versions, .older-version) a");
  if (!link) return;
  link.search = location.search;
  link.hash = document.querySelector(".scroll-current > a")?.hash ?? location.hash;
});
