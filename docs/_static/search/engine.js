// Finds sections with Pagefind, for a query as it was typed and as it may have been meant.
import { message, phrases, readings, split, stem, taught, tellingWords } from "./query.js";

const SHOWN = 8;
const SETTINGS = { excerptLength: 24, ranking: { metaWeights: { title: 10, image: 0, image_alt: 0 } } };
let engine;

// Loaded when search is first used, and once.
export function load(folder) {
  engine ??= Promise.all([
    import(`${folder}pagefind.js`),
    fetch(`${folder}words.json`).then((answer) => answer.json()),
  ]).then(async ([pagefind, words]) => {
    await pagefind.options(SETTINGS);
    await pagefind.init(); // its worker and WebAssembly too, while the reader types
    return { pagefind, words };
  });
  return engine;
}

// The best pages: address, title, section and excerpt of each.
export async function find(text, folder, language = document.documentElement.lang) {
  const search = new Search(await load(folder), language);
  const told = message(text);
  search.typed = plain(text);
  await (told ? search.forMessage(told) : search.forReadings(text));
  return search.shown(text);
}

// One query: pages collect what each way to read it is worth.
class Search {
  constructor(engine, language) {
    Object.assign(this, engine, { language, found: new Map(), wordsOf: new Map(), sought: new Set(), taughtThere: new Map() });
  }

  async results(query) {
    return (await this.pagefind.search(query)).results;
  }

  // Tables name everything once: they come after a page that teaches it.
  isTable({ id }) {
    return this.words.pages[id].about === "tables";
  }

  ranked() {
    const worth = ({ score, result }) => score + this.inSubject(this.words.pages[result.id]);
    return [...this.found.values()].sort((a, b) => worth(b) - worth(a)).map(({ result }) => result);
  }

  add(results, weight, worth = (result) => result.score) {
    const most = Math.max(...results.filter((result) => !this.isTable(result)).map(worth), 0);
    for (const result of results) {
      const share = most ? worth(result) / most : 1;
      const score = weight * (this.isTable(result) ? 0.3 * Math.min(share, 1) : share);
      const known = this.found.get(result.id);
      if (known) known.score += score;
      else this.found.set(result.id, { score, result });
    }
  }

  async forReadings(text) {
    for (const { reading, weight } of readings(text, this.words)) {
      for (const [page, share] of taught(reading, this.words)) {
        this.taughtThere.set(page, Math.max(share, this.taughtThere.get(page) ?? 0));
      }
      const words = [];
      for (const word of split(reading, this.words, this.language)) words.push(...(await this.pieces(word)));
      words.forEach((word) => this.sought.add(word.toLowerCase()));
      const whole = phrases(reading, this.words);
      this.add(await this.results(words.join(" ")), whole.length ? weight / 4 : weight);
      for (const phrase of whole) this.add(await this.results(phrase), weight, (result) => result.words.length);
      if (words.length > 1) await this.addMost(words, weight / 2);
    }
  }

  // Pages on errors count four times: what others show in passing, they explain.
  async forMessage(told) {
    const words = tellingWords(told).flatMap((word) => split(word, this.words, this.language));
    const factor = ({ id }) => (this.words.pages[id].about === "errors" ? 4 : 1);
    this.add(await this.results(words.join(" ")), 0.5, (result) => result.score * factor(result));
    await this.addMost(words, 1, 2, factor);
    const [best] = this.ranked();
    if (!best) return;
    // Once more with what the best page has, so that its excerpt shows all of it.
    const there = await this.results([...this.wordsOf.get(best.id)].join(" "));
    const whole = there.find(({ id }) => id === best.id);
    if (whole) this.found.get(best.id).result = whole;
  }

  // Pages by how many of the words they have, and by what each counts there.
  async addMost(words, weight, power = 1, factor = () => 1) {
    const pages = new Map();
    for (const word of new Set(words)) {
      for (const result of await this.results(word)) {
        const page = pages.get(result.id) ?? { result, score: 0, words: 0 };
        pages.set(result.id, { ...page, score: page.score + result.score, words: page.words + 1 });
        this.wordsOf.set(result.id, (this.wordsOf.get(result.id) ?? new Set()).add(word));
      }
    }
    const worth = ({ id }) => pages.get(id).score * (pages.get(id).words / words.length) ** power * factor({ id });
    this.add([...pages.values()].map(({ result }) => result), weight, worth);
  }

  // A word as the pages have it: without its ending, in two, or its beginning.
  async pieces(word) {
    const bare = stem(word, this.words.endings);
    if (bare !== word || (await this.taught(`"${word}"`))) return [bare];
    if (!/^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}ー]{3,}$/u.test(word)) return [word];
    for (let at = word.length - 1; at > 0; at--) {
      const halves = [word.slice(0, at), word.slice(at)];
      if (await this.taught(`"${halves.join(" ")}"`)) return halves;
    }
    const shortest = Math.ceil(word.length * 0.6);
    for (let end = word.length; end >= shortest; end--) {
      if (await this.taught(word.slice(0, end))) return [word.slice(0, end)];
    }
    return [word];
  }

  async taught(query) {
    return (await this.results(query)).some((result) => !this.isTable(result));
  }

  // What a reader sees of the best pages. Only their texts are loaded.
  async shown(text) {
    const best = this.ranked().slice(0, SHOWN);
    const pages = await Promise.all(best.map((result) => result.data()));
    return pages.map((page) => section(composed(page), text));
  }

  // How much of a page's title was searched for, more if it begins so; whether a heading begins so;
  // how soon its sentence for search engines says it, for what it says first is what it is about;
  // what it teaches, which counts most where nothing else was asked for.
  inSubject({ name, title, headings, summary, about }) {
    const words = [...this.sought].map(plain).filter((word) => !/^[a-z]?$/.test(word));
    const [head, said] = [plain(title), plain(summary)];
    const inTitle = words.filter((word) => head.includes(word));
    const share = inTitle.reduce((sum, word) => sum + word.length, 0) / head.length;
    const early = words.map((word) => (said.includes(word) ? word.length * (1 - said.indexOf(word) / said.length) : 0));
    const all = words.reduce((sum, word) => sum + word.length, 0) || 1;
    const subject = about ? 0 : early.reduce((sum, each) => sum + each, 0) / all;
    const taught = this.taughtThere.get(name) ?? 0;
    const begins = inTitle.some((word) => head.startsWith(word)) ? 0.5 : 0;
    const heading = this.typed.length > 3 && headings.some((each) => plain(each).startsWith(this.typed)) ? 2 : 0;
    return 1.5 * share + begins + heading + 0.4 * subject + (taught === 1 ? 3 : 1.6 * taught);
  }
}

// Korean is indexed with its letters apart (docs/_guide/site/search.py), and shown together.
function composed(page) {
  return JSON.parse(JSON.stringify(page).normalize("NFC"));
}

// The section that has most of what was searched for; the page itself, if its title says it.
function section({ url, meta, excerpt, sub_results: sections }, text) {
  const weight = (each) => each.weighted_locations.reduce((sum, { balanced_score }) => sum + balanced_score, 0);
  const [best] = [...sections].sort((a, b) => weight(b) - weight(a));
  if (!best || plain(meta.title).includes(plain(text))) return { url, title: meta.title, excerpt };
  return { url: best.url, title: meta.title, section: best.anchor && best.title, excerpt: best.excerpt };
}

function plain(text) {
  return text.normalize("NFKC").toLowerCase().replace(/\s/g, "");
}
