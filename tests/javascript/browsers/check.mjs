// Print what the program's styles, scripts and templates use that a promised browser lacks, and fail if there is any.
// What is spared must be in use.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { inMarkup } from "./markup.mjs";
import { inScripts } from "./scripts.mjs";
import { SPARED } from "./spared.mjs";
import { inStyles } from "./styles.mjs";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const ofFiles = (folder, end, find) => readdirSync(ROOT + folder, { encoding: "utf8", recursive: true })
  .filter((name) => name.endsWith(end))
  .map((name) => [`${ROOT}${folder}/${name}`, find(readFileSync(`${ROOT}${folder}/${name}`, "utf8"))]);
const isOfPages = (path) => path.includes("/ledger/web/static/");
const ofProject = (name) => inScripts(`${ROOT}tests/javascript/${name}`, isOfPages);

const found = [
  ...ofFiles("ledger/web/static", ".css", inStyles),
  ...ofFiles("templates", ".html", inMarkup),
  ...ofProject("tsconfig.json"),
  ...ofProject("worker.tsconfig.json"),
];
const unused = new Set(Object.keys(SPARED));
let faults = 0;
const say = (words) => {
  faults += 1;
  console.log(words);
};
for (const [path, all] of found)
  for (const { line, what, lack } of all) {
    const spared = [what, what.split(": ")[0]].find((name) => Object.hasOwn(SPARED, name));
    if (spared) unused.delete(spared);
    else say(`${path.replace(ROOT, "")}:${line}: ${what}: ${lack.join(", ")}`);
  }
for (const name of unused) say(`spared.mjs: ${name}: not in use`);
process.exitCode = faults ? 1 : 0;
