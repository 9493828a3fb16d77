// A button shows, under each translated paragraph, its English original.
const originalsToggle = document.querySelector(".originals-toggle");
let originalsAsked = false;

// Called by the page's file of originals, once it has been loaded.
function addOriginals(originals) {
  for (const [name, html] of Object.entries(originals)) {
    const original = document.createElement("span");
    original.className = "original";
    original.lang = "en";
    original.innerHTML = html;
    document.querySelector(`.${name}`)?.append(original);
  }
}

function askForOriginals() {
  if (originalsAsked) return;
  originalsAsked = true;
  const script = document.createElement("script");
  script.src = originalsToggle.dataset.originals;
  script.onerror = () => (originalsToggle.hidden = true);
  document.head.append(script);
}

function showOriginals(shown) {
  if (shown) askForOriginals();
  originalsToggle.setAttribute("aria-pressed", shown);
  document.body.classList.toggle("with-originals", shown);
  sessionStorage.setItem("originals", shown ? "shown" : "hidden");
}

if (originalsToggle) {
  originalsToggle.addEventListener("click", () =>
    showOriginals(originalsToggle.getAttribute("aria-pressed") === "false"),
  );
  if (sessionStorage.getItem("originals") === "shown") showOriginals(true);
}
