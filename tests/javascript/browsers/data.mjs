// What the promised browsers lack, by the data of MDN: package.json lists them, and a browser on a phone is promised
// with the one of its name.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const read = (path) => JSON.parse(readFileSync(path, "utf8"));

export const data = read(createRequire(import.meta.url).resolve("@mdn/browser-compat-data"));
const SUFFIXES = { safari: ["", "_ios"], chrome: ["", "_android"], firefox: ["", "_android"] };
const PROMISED = read(new URL("../package.json", import.meta.url)).browserslist.flatMap((browser) => {
  const [name, version] = browser.toLowerCase().split(" ");
  return SUFFIXES[name].map((suffix) => [name + suffix, version]);
});

/**
 * Whether a version is at least as new as another.
 * @param {string} one
 * @param {string} other
 */
function reaches(one, other) {
  const [left, right] = [one, other].map((version) => version.split(".").map(Number));
  const place = right.findIndex((part, at) => part !== (left[at] ?? 0));
  return place < 0 || (left[place] ?? 0) > right[place];
}

/**
 * The part of the data at a path, if it says which browsers have it.
 * @param {...string} path
 */
export function at(...path) {
  const found = path.reduce((part, name) => (part && Object.hasOwn(part, name) ? part[name] : null), data);
  return found?.__compat ? found : null;
}

/**
 * The promised browsers that lack what this part of the data describes, with the versions that brought it.
 * @param {{ __compat: { support: Record<string, any> } }} part
 * @param {string} [prefix] of a vendor, if it is written with one
 * @returns {string[]}
 */
export function lacking({ __compat: { support } }, prefix) {
  return PROMISED.flatMap(([browser, version]) => {
    const kinds = [support[browser] ?? []].flat();
    const usual = kinds.filter((one) => !one.flags && !one.alternative_name && one.prefix === prefix);
    const since = usual.map((one) => one.version_added);
    if (since.some((one) => one && one !== "preview" && reaches(version, one.replace("≤", "")))) return [];
    return `${browser} ${since.find((one) => one) ?? "never"}`;
  });
}
