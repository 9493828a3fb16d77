// Links to the other languages lead to the section that the reader is in.
const links = document.querySelectorAll("nav.languages a");
const addresses = new Map([...links].map((link) => [link, link.getAttribute("href").split("#")[0]]));
const follow = () => addresses.forEach((address, link) => link.setAttribute("href", address + location.hash));
addEventListener("hashchange", follow);
follow();
