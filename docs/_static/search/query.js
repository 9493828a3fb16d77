// The words of what was typed or pasted.

export const NAME = /[A-Za-z]\w*(?:[._]\w+)+/; // tree_map, jax.vmap
const FILLERS = /^(?:an?|the|of|to|in|on|is|are|do|does|how|what|why|i|my|use|using|jax)$/i;
const RAISED = /[\w.]*(?:Error|Exception|Warning|EXHAUSTED):(?:\s|$)/;
export const ERROR = /(?:Error|Exception|Warning)$/; // the name of one, without its message
// What Korean adds to a noun. The longest first, for one ends in another.
const ENDINGS = /(?<=..)(?:에서는|으로는|이라는|으로|에서|에게|까지|부터|처럼|보다|마다|이란|이나|하는|하기|하면|되는|하다|로는|에는|라는|[은는이가을를과와의에로도만란기])$/;

// The line of a pasted text that tells what went wrong, and what follows it.
export function message(text) {
  const lines = text.normalize("NFKC").split("\n").filter((line) => line.trim());
  const raised = lines.findLastIndex((line) => RAISED.test(line) && !/^\s*File /.test(line));
  if (raised < 0) return null;
  const whole = lines.slice(raised).join(" ");
  return whole.trim().split(/\s+/).length < 4 ? null : whole.slice(whole.search(RAISED));
}

// The words of a message that other readers' messages have too: no shapes, addresses, modules.
export function tellingWords(whole) {
  const words = whole
    .replace(/https?:\S+|\[[^\]]*\]|\([^)]*\)|<[^>]*>|(?<=\b)(?:[a-z]\w*\.)+(?=[A-Z])/g, " ")
    .split(/[^\p{L}\p{N}_.]+/u)
    .map((word) => word.replace(/^\.+|\.+$/g, ""))
    .filter((word) => word.length > 1 && !/^\d/.test(word) && !FILLERS.test(word));
  return [...new Set(words)].slice(0, 24);
}

// The words of what was typed, without those that tell nothing. A dotted name is one word; its last
// part is another, for pages say "scan" of jax.lax.scan.
export function split(text, language) {
  const typed = text.normalize("NFKC").trim();
  const all = language === "ja" ? segments(typed) : typed.replace(/(?<=\p{L})-(?=\p{L})/gu, " ").split(/\s+/);
  const telling = all.filter((word) => !FILLERS.test(word) && !/^[ぁ-ん]{1,3}$/.test(word));
  const words = telling.length ? telling : all;
  return [...new Set(words.flatMap((word) => (/^[a-z]\w*(\.\w+)+$/i.test(word) ? [word, word.split(".").at(-1)] : [word])))];
}

function segments(text) {
  const names = new RegExp(NAME, "g");
  const words = [...new Intl.Segmenter("ja", { granularity: "word" }).segment(text.replace(names, " "))];
  return [...(text.match(names) ?? []), ...words.filter((each) => each.isWordLike).map((each) => each.segment)];
}

// The word without what Korean adds to it.
export function stem(word) {
  return word.replace(ENDINGS, "");
}
