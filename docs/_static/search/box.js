// A box for searching: results while typing, arrow keys from one to the next, Enter to go there.
import { find, load, SHOWN } from "./engine.js";

const PAUSE = 120; // milliseconds without a key, before what was typed is searched for

export async function fill(box) {
  const input = box.querySelector("input");
  if (!box.listening) listen(box, input);
  box.listening = true;
  if (input.value) return search(box, input.value);
  // Who opened the dialog types next, and loading begins. A page may be only passed by.
  if (box.closest("dialog")) load(folderOf(box)).catch((error) => fail(box, error));
}

function folderOf(box) {
  return new URL(box.dataset.folder, location).href;
}

function listen(box, input) {
  let waiting;
  const soon = () => {
    clearTimeout(waiting);
    box.querySelector(".search-results").ariaBusy = "true";
    waiting = setTimeout(() => search(box, input.value), PAUSE);
  };
  input.addEventListener("input", soon);
  // A pasted message has several lines, of which an input would keep one.
  input.addEventListener("paste", (event) => {
    const pasted = event.clipboardData.getData("text");
    if (!pasted.includes("\n")) return;
    event.preventDefault();
    input.value = pasted.replace(/\s*\n\s*/g, " ⏎ ");
    soon();
  });
  box.addEventListener("keydown", (event) => move(event, box, input));
  // A link may lead to a place on this page.
  box.addEventListener("click", (event) => event.target.closest("a") && box.closest("dialog")?.close());
}

function move(event, box, input) {
  if (event.isComposing) return; // Enter and arrows choose kanji
  if (event.key === "Escape") {
    event.preventDefault(); // or the first one would only empty the field
    return box.closest("dialog")?.close();
  }
  const links = [...box.querySelectorAll("li a:not([hidden] *)")];
  const at = links.indexOf(document.activeElement);
  const to = { ArrowDown: links[at + 1], ArrowUp: at > 0 ? links[at - 1] : input }[event.key];
  if (to && (at >= 0 || event.key === "ArrowDown")) {
    event.preventDefault();
    to.focus();
  } else if (event.key === "Enter" && event.target === input) {
    event.preventDefault();
    search(box, input.value).then(() => box.querySelector(".search-results a")?.click());
  }
}

let latest;
async function search(box, text) {
  if (latest?.box === box && latest.text === text) return latest.done;
  latest = { box, text, done: answer(box, text) };
  return latest.done;
}

async function answer(box, text) {
  try {
    const results = text.trim() ? await find(text.replaceAll(" ⏎ ", "\n"), folderOf(box)) : [];
    if (latest.text === text) show(box, text, results); // else something else was typed meanwhile
  } catch (error) {
    fail(box, error);
  }
}

function fail(box, error) {
  console.error(error);
  const status = box.querySelector(".search-status");
  status.textContent = status.dataset.failed;
}

function show(box, text, results) {
  const status = box.querySelector(".search-status");
  const { none, all, best } = status.dataset;
  const count = (results.length < SHOWN ? all : best).replace("%s", results.length);
  status.textContent = text.trim() && (results.length ? count : none);
  box.querySelector(".search-start").hidden = results.length > 0;
  const list = box.querySelector(".search-results");
  list.replaceChildren(...results.map(item));
  list.ariaBusy = String(box.querySelector("input").value !== text); // or more was typed since
}

function item({ url, title, section, excerpt }) {
  const link = document.createElement("a");
  link.href = url;
  link.append(part("search-title", title));
  if (section) link.append(part("search-section", section));
  const shown = part("search-excerpt", "");
  // Pagefind escapes the text of pages, so it has no element but <mark>.
  shown.append(...new DOMParser().parseFromString(excerpt, "text/html").body.childNodes);
  link.append(shown);
  const row = document.createElement("li");
  row.append(link);
  return row;
}

function part(name, text) {
  return Object.assign(document.createElement("span"), { className: name, textContent: text });
}
