// What a reader may have meant. Words come from the index's words.json; none are here.

const HANGUL = "[가-힣]";
const KATAKANA = "[ァ-ヺー]";
const NAME = /[A-Za-z]\w*(?:[._]\w+)+/g; // tree_map, jax.vmap
const FILLERS = /^(?:an?|the|of|to|in|on|is|are|do|does|how|what|why|i|my|use|using|jax)$/i;
const RAISED = /[\w.]*(?:Error|Exception|Warning|EXHAUSTED):(?:\s|$)/;

// The line of a pasted text that tells what went wrong, and what follows it.
export function message(text) {
  const lines = text.normalize("NFKC").split("\n").filter((line) => line.trim());
  const raised = lines.findLastIndex((line) => RAISED.test(line) && !/^\s*File /.test(line));
  if (raised < 0) return null;
  const told = lines.slice(raised).join(" ");
  return told.trim().split(/\s+/).length < 4 ? null : told.slice(told.search(RAISED));
}

// The words of a message that other readers' messages have too: no shapes, addresses, modules.
export function tellingWords(told) {
  const words = told
    .replace(/https?:\S+|\[[^\]]*\]|\([^)]*\)|<[^>]*>|(?<=\b)(?:[a-z]\w*\.)+(?=[A-Z])/g, " ")
    .split(/[^\p{L}\p{N}_.]+/u)
    .map((word) => word.replace(/^\.+|\.+$/g, ""))
    .filter((word) => word.length > 1 && !/^\d/.test(word));
  return [...new Set(words)].slice(0, 24);
}

// What was typed, and what it stands for: texts to search for, and how much each counts.
export function readings(text, words) {
  const typed = text.normalize("NFKC").trim().replace(/\s+/g, " ");
  const proper = replaced(typed, words.instead);
  const related = replaced(proper, words.also);
  const weights = new Map([[related, 0.8], [typed, 0.3], [proper, 1]]);
  return [...weights].reverse().map(([reading, weight]) => ({ reading, weight }));
}

// The words of a reading, as the index of its language holds them: without those that tell nothing.
export function split(reading, words, language) {
  const apart = words.split_names ? reading.replace(NAME, (name) => name.replace(/[._]/g, " ")) : reading;
  if (language !== "ja") {
    const typed = apart.replace(/(?<=\p{L})-(?=\p{L})/gu, " ").split(" ").filter(Boolean);
    const about = typed.filter((word) => !FILLERS.test(word));
    return about.length ? about : typed;
  }
  const segments = [...new Intl.Segmenter("ja", { granularity: "word" }).segment(apart)];
  const all = segments.filter((each) => each.isWordLike).map((each) => each.segment);
  const telling = all.filter((word) => !/^[ぁ-ん]{1,3}$/.test(word));
  return telling.length ? telling : all;
}

// Names of which the index holds the parts: together they are found as a phrase.
export function phrases(reading, words) {
  const names = words.split_names ? (reading.match(NAME) ?? []) : [];
  return names.filter((name) => name.includes("_")).map((name) => `"${name.replace(/_/g, " _ ").replace(/\./g, " ")}"`);
}

// Put in place of each known spelling what it stands for: the longest first, never within a word.
function replaced(text, spellings) {
  const known = Object.keys(spellings).sort((a, b) => b.length - a.length);
  const spelling = known.find((form) => within(form).test(text));
  if (!spelling) return text;
  const [before, ...after] = text.split(within(spelling));
  return [replaced(before, spellings), spellings[spelling], ...after.map((rest) => replaced(rest, spellings))].join("");
}

function within(form) {
  const escaped = form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const kind = [HANGUL, KATAKANA, "\\w"].find((letters) => new RegExp(`^${letters}`).test(form));
  const end = kind === HANGUL ? "" : kind; // Korean endings follow
  return new RegExp(`${kind ? `(?<!${kind})` : ""}${escaped}${end ? `(?!${end})` : ""}`, "i");
}

// The word without what Korean adds to it, if it has that.
export function stem(word, endings) {
  const ending = endings.find((each) => word.endsWith(each) && word.length > each.length + 1);
  return ending ? word.slice(0, -ending.length) : word;
}

// Pages that explain a term of a reading, and how much of the reading the term is.
export function taught(reading, words) {
  const typed = reading.toLowerCase();
  if (/^(torch|numpy|np)\.\w/.test(typed)) return [["reference/phrasebook", 1]];
  const latin = /^[\x20-\x7e]+$/; // a word of its own: no jit in jitter
  return Object.entries(words.taught)
    .filter(([form]) => (latin.test(form) ? ` ${typed} `.includes(` ${form} `) : typed.includes(form)))
    .map(([form, page]) => [page, form.length / typed.length]);
}
