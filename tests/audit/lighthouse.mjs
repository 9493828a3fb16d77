// Lighthouse on several pages with one browser: `node lighthouse.mjs FOLDER < pages.json`, where
// pages are [{name, url, categories}]. Lighthouse's own command starts a browser for each page.
import { writeFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const folder = process.argv[2];
const chrome = await launch({
  chromePath: process.env.CHROME_PATH,
  chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
try {
  for (const { name, url, categories } of JSON.parse(await text(process.stdin))) {
    const flags = { port: chrome.port, output: ["json", "html"], onlyCategories: categories };
    const result = await lighthouse(url, { ...flags, disableFullPageScreenshot: true });
    const [json, html] = result.report;
    mkdirSync(dirname(`${folder}/${name}`), { recursive: true });
    writeFileSync(`${folder}/${name}.json`, json);
    writeFileSync(`${folder}/${name}.html`, html);
    console.log(name);
  }
} finally {
  chrome.kill();
}
