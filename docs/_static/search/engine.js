// Finds sections with Pagefind, whose index has what readers may type (docs/_guide/site/search.py).
import { ERROR, NAME, message, split, stem, tellingWords } from "./query.js";

export const SHOWN = 8;
const DIVIDED = /^".+ /; // a name in Japanese, as asIndexed writes it
const ENOUGH = 0.6; // of a word, that it be the same word with another ending
// What a page is about. It is counted here: Pagefind would count it by the cube of its words that
// begin as what was typed.
const FIELDS = { title: 2, teaches: 3, synonyms: 1 };
const RANKING = { metaWeights: { title: 0, teaches: 0, synonyms: 0, image: 0, image_alt: 0 } };
let engine;

// Loaded when search is first used, and once.
export function load(folder) {
  engine ??= import(`${folder}pagefind.js`).then(async (pagefind) => {
    await pagefind.options({ excerptLength: 24, ranking: RANKING });
    await pagefind.init(); // its worker and WebAssembly too, while the reader types
    return pagefind;
  });
  return engine;
}

// The best pages: address, title, section and excerpt of each.
export async function find(text, folder, language = document.documentElement.lang) {
  const pagefind = await load(folder);
  const searches = new Map(); // each is sent to a worker, and used again below
  const pages = async (query, filters) => {
    const key = JSON.stringify([query, filters]);
    if (!searches.has(key)) searches.set(key, pagefind.search(query, { filters }));
    return (await searches.get(key)).results;
  };
  const raised = message(text);
  const { kind } = await pagefind.filters(); // every page is of one
  const rarity = rarityAmong(Object.values(kind).reduce((sum, count) => sum + count, 0));
  const [words, errors] = [[], new Set()];
  for (const word of raised ? tellingWords(raised) : split(text, language)) {
    const query = await asIndexed(word, pages, language, raised);
    if (query && words.some((each) => each.query === query)) continue;
    let results = query ? await pages(query) : [];
    if (DIVIDED.test(query)) { // what the name's last part counts, where the whole is
      const ids = new Set(results.map(({ id }) => id));
      results = (await pages(query.slice(1, -1).split(" . ").at(-1))).filter(({ id }) => ids.has(id));
    }
    words.push({ query, results, rarity });
    if (query && (raised || ERROR.test(word))) for (const { id } of await pages(query, { kind: "errors" })) errors.add(id);
  }
  const best = ranked(words, errors).slice(0, SHOWN);
  return Promise.all(best.map((page) => shown(page, pages)));
}

function rarityAmong(all) {
  return (results) => Math.log((all + 1) / (results.length + 0.5));
}

// A word as the index has it; null if it has no such word. Pagefind itself falls back to the longest
// beginning that it happens to have loaded: "in" for "inqwertyuiop", once "in" was typed.
async function asIndexed(word, pages, language, isWhole) {
  const isIndexed = async (query) => (await pages(`"${query}"`)).length > 0;
  if (language === "ja" && NAME.test(word)) {
    const parts = `"${word.replace(/[._]/g, " $& ")}"`; // one behind the other, as Pagefind divides it
    return (await pages(parts)).length ? parts : null;
  }
  const bare = language === "ko" && !(await isTaught(word, pages)) ? stem(word) : word;
  if (await isIndexed(bare)) return bare;
  if (isWhole) return null;
  const [first] = await pages(bare); // what is being typed may be the beginning of a word
  if (first && hasBeginning(await first.data(), bare)) return bare;
  for (let end = bare.length - 1; end >= bare.length * ENOUGH; end--) {
    if (await isIndexed(bare.slice(0, end))) return bare.slice(0, end);
  }
  return null;
}

async function isTaught(word, pages) {
  const exact = await pages(`"${word}"`);
  return exact.length > 0 && (await pages(word)).some((result) => result.matchedMetaFields);
}

function hasBeginning({ excerpt, meta }, word) {
  const marks = [...excerpt.matchAll(/<mark>(.*?)<\/mark>/gs)].map((mark) => mark[1]);
  return [...marks, ...Object.values(meta)].some((text) => plain(text).includes(plain(word)));
}

// Pages by what each word counts there, and by how much they have of what is rare. What other pages
// show in passing, the pages on errors explain, if they have the rare words of a message too.
function ranked(words, errors) {
  const byId = new Map();
  for (const { query, results, rarity } of words) {
    const about = (field) => results.filter(({ matchedMetaFields }) => matchedMetaFields?.includes(field));
    const bonus = Object.entries(FIELDS).flatMap(([field, weight]) =>
      about(field).map(({ id }) => ({ id, score: weight * rarity(about(field)) })),
    );
    for (const { id, score } of [...results, ...bonus]) {
      const page = byId.get(id) ?? { id, score: 0, queries: new Map() };
      page.score += score;
      page.queries.set(query, rarity(results));
      byId.set(id, page);
    }
  }
  const rareIn = ({ queries }) => [...queries.values()].reduce((sum, each) => sum + each, 0);
  const pages = [...byId.values()];
  const most = Math.max(...pages.map(rareIn));
  const all = words.reduce((sum, { results, rarity }) => sum + rarity(results), 0);
  const explains = (page) => errors.has(page.id) && rareIn(page) >= 0.9 * most && rareIn(page) >= all / 3;
  const worth = (page) => page.score * Math.sqrt(rareIn(page)) * (explains(page) ? 4 : 1);
  return pages.sort((a, b) => worth(b) - worth(a));
}

// What a reader sees of a page: the section that has most of what is rare; of several, the one whose
// heading has it. A title counts more than a heading, and a heading more than a summary.
async function shown({ id, queries }, pages) {
  const onPage = async (query) => (await pages(query)).find((result) => result.id === id);
  const name = [...queries.keys()].find((query) => DIVIDED.test(query)); // not each "jax" of it
  const all = await onPage(name ?? [...queries.keys()].join(" "));
  const { url, meta, excerpt, sub_results: sections } = composed(await all.data());
  const words = [];
  for (const [query, rarity] of queries) words.push({ places: (await onPage(query)).words, rarity });
  for (const each of sections) {
    const present = words.filter(({ places }) => places.some((place) => each.locations.includes(place)));
    each.rare = present.reduce((sum, { rarity }) => sum + rarity, 0);
    each.weight = Math.max(...each.weighted_locations.map(({ balanced_score: score }) => score));
  }
  const [best] = sections.sort((a, b) => b.rare - a.rare || b.weight - a.weight);
  const isTop = !best?.anchor || best.anchor.element === "h1";
  const [title, text] = [meta.title, best?.excerpt ?? excerpt];
  if (isTop) return { url, title, excerpt: withoutHeading(text, title) };
  return { url: best.url, title, section: best.title, excerpt: withoutHeading(text, best.title) };
}

// An excerpt without the end of the heading with which Pagefind begins it: "heading. Text".
function withoutHeading(excerpt, heading) {
  const end = excerpt.indexOf(". ") + 1;
  const begins = end && plain(heading).endsWith(plain(excerpt.slice(0, end - 1).replace(/<[^>]*>/g, "")));
  return begins ? excerpt.slice(end) : excerpt;
}

// Korean is indexed with its letters apart (docs/_guide/site/search.py), and shown together.
function composed(page) {
  return JSON.parse(JSON.stringify(page).normalize("NFC"));
}

function plain(text) {
  return text.normalize("NFKC").toLowerCase().replace(/\s/g, "");
}
