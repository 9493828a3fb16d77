// Links to this page in other languages and versions lead to the section that the reader is in.
const links = document.querySelectorAll("nav.languages a, a.same-page");
const addresses = new Map([...links].map((link) => [link, link.getAttribute("href").split("#")[0]]));
const follow = () => addresses.forEach((address, link) => link.setAttribute("href", address + location.hash));
addEventListener("hashchange", follow);
follow();

// The list of versions closes as menus do: by Escape, or when something else is pressed.
const versions = document.querySelector("nav.versions details");
addEventListener("click", ({ target }) => versions?.contains(target) || versions?.removeAttribute("open"));
versions?.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  versions.open = false;
  versions.firstElementChild.focus();
});
