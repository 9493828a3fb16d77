// Mark the pages whose end a reader has seen. The list is stored in this browser only.
{
  const words = document.currentScript.dataset; // in the page's language, and the page's name
  const root = new URL(words.root, location.href);
  const read = stored("pages-read"); // switcher.js

  function mark() {
    for (const link of document.querySelectorAll(".routes a, .sidebar-tree a")) {
      const page = link.href.startsWith(root.href) && link.pathname.slice(root.pathname.length);
      const done = page && read.has(page.replace(/\.html$/, ""));
      link.classList.toggle("read", done);
      if (done) link.setAttribute("aria-description", words.read);
      else link.removeAttribute("aria-description");
    }
    if (button) button.hidden = !read.size;
  }

  let button;
  const last = [...document.querySelectorAll(".routes")].at(-1);
  if (last) {
    button = Object.assign(document.createElement("button"), { type: "button", className: "clear-progress" });
    button.textContent = words.clear;
    button.addEventListener("click", () => {
      read.clear();
      store("pages-read", read);
      document.querySelector(".routes a").focus(); // the button is hidden next
      mark();
    });
    last.after(button);
  }

  new IntersectionObserver(([end], observer) => {
    if (!end.isIntersecting || read.has(words.page)) return;
    read.add(words.page);
    store("pages-read", read);
    observer.disconnect();
    mark();
  }).observe(document.querySelector(".related-pages"));
  mark();

  // The list of all pages is longer than most windows: scroll it to this page, on a phone as soon
  // as the list is opened.
  const list = document.querySelector(".sidebar-scroll");
  const current = document.querySelector(".sidebar-tree .current-page > a");
  function showCurrent() {
    const top = current.getBoundingClientRect().top - list.getBoundingClientRect().top;
    list.scrollBy({ top: top - list.clientHeight / 2, behavior: "instant" });
  }
  if (current && matchMedia("(min-width: 63.01em)").matches) showCurrent();
  else if (current) document.querySelector("#__navigation").addEventListener("toggle", showCurrent, { once: true });
}
