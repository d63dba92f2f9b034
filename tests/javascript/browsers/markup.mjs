// What templates use that a promised browser lacks: elements, attributes and their values. What Jinja writes in between
// is not seen.

import { at, lacking } from "./data.mjs";

const JINJA = /\{%.*?%\}|\{#.*?#\}|\{\{.*?\}\}/gs;
const TAG = /<([a-z][\w-]*)((?:\s+[\w:-]+(?:=(?:"[^"]*"|[^\s">]+))?)*)\s*\/?>/gi;
const ATTRIBUTE = /([\w:-]+)(?:="?([\w-]+)"?(?=\s|$))?/g;

/** The parts of the data for an attribute of an element, and for its value. */
function parts(element, name, value) {
  const attribute = ["elements", element, name];
  return [
    [name, at("html", ...attribute) ?? at("html", "global_attributes", name) ?? at("svg", ...attribute)],
    [`${name}=${value}`, at("html", ...attribute, value) ?? at("html", "elements", element, `${name}_${value}`)
      ?? at("html", "global_attributes", name, value)],
  ];
}

/**
 * @param {string} text
 * @returns {import("./styles.mjs").Finding[]}
 */
export function inMarkup(text) {
  const plain = text.replace(JINJA, (code) => code.replace(/[^\n]/g, " "));
  return [...plain.matchAll(TAG)].flatMap(({ index, 1: element, 2: attributes }) => {
    const used = [[`<${element}>`, at("html", "elements", element) ?? at("svg", "elements", element)]];
    for (const [, name, value] of attributes.matchAll(ATTRIBUTE)) used.push(...parts(element, name, value ?? ""));
    const line = plain.slice(0, index).split("\n").length;
    return used.flatMap(([what, part]) => (part && lacking(part).length ? { line, what, lack: lacking(part) } : []));
  });
}
