// A button shows, under each translated paragraph, its English source text.
const sourceTextToggle = document.querySelector(".source-text-toggle");
let sourceTextRequested = false;

// Called by the page's file of source texts, once it has been loaded.
function addSourceText(texts) {
  for (const [name, html] of Object.entries(texts)) {
    const sourceText = document.createElement("span");
    sourceText.className = "source-text";
    sourceText.lang = "en";
    sourceText.innerHTML = html;
    document.querySelector(`.${name}`)?.append(sourceText);
  }
}

function requestSourceText() {
  if (sourceTextRequested) return;
  sourceTextRequested = true;
  const script = document.createElement("script");
  script.src = sourceTextToggle.dataset.sourceText;
  script.onerror = () => (sourceTextToggle.hidden = true);
  document.head.append(script);
}

function showSourceText(shown) {
  if (shown) requestSourceText();
  sourceTextToggle.setAttribute("aria-pressed", shown);
  document.body.classList.toggle("with-source-text", shown);
  store("source-text", new Set(shown ? ["shown"] : []), "sessionStorage"); // switcher.js
}

if (sourceTextToggle) {
  sourceTextToggle.addEventListener("click", () =>
    showSourceText(sourceTextToggle.getAttribute("aria-pressed") === "false"),
  );
  if (stored("source-text", "sessionStorage").has("shown")) showSourceText(true);
}
