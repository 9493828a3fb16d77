// Links to this page in the guides for other versions of JAX, from a list that is kept by hand:
// [{"jax": "0.12", "url": "/guide/"}, {"jax": "0.10", "url": "/guide-0.10/"}], the newest first.
// A version may lack the page; then the host's 404 page leads to the start of that version.
const versionLinks = document.querySelector("nav.versions");
const olderVersion = document.querySelector(".older-version");

function addressIn(version) {
  return new URL(versionLinks.dataset.page, new URL(version.url, location.href));
}

function showVersions(versions) {
  const isCurrent = ({ jax }) => `${versionLinks.dataset.jax}.`.startsWith(`${jax}.`);
  for (const version of versions) {
    const link = document.createElement(isCurrent(version) ? "span" : "a");
    link.textContent = version.jax;
    if (isCurrent(version)) link.setAttribute("aria-current", "true");
    else link.href = addressIn(version);
    versionLinks.append(link);
  }
  versionLinks.hidden = versions.length < 2;
  const newest = versions[0];
  olderVersion.hidden = isCurrent(newest) || !versions.some(isCurrent);
  const link = olderVersion.querySelector("a");
  link.href = addressIn(newest);
  link.textContent = link.textContent.replace("%s", newest.jax);
}

fetch(versionLinks.dataset.list)
  .then((response) => response.json())
  .then(showVersions)
  .catch(() => {}); // a page without the list, such as one from a disk, is complete too
