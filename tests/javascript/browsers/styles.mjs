// What a style sheet uses that a promised browser lacks and that has no fallback. A fallback is an earlier declaration
// of the same property in the same block, or an `@supports` whose condition uses the same.

import { findAll, generate, parse, walk } from "css-tree";
import { at, data, lacking } from "./data.mjs";

/** @typedef {{ line: number, what: string, lack: string[] }} Finding */

/** The part of the data for each unit: by its name, or by a description that lists it. */
const UNITS = new Map();
for (const type of ["length", "angle", "time", "resolution", "flex"])
  for (const [name, part] of Object.entries(data.css.types[type]).filter(([, one]) => one.__compat)) {
    UNITS.set(name, part);
    for (const [, unit] of part.__compat.description?.matchAll(/<code>(\w+)<\/code>/g) ?? []) UNITS.set(unit, part);
  }

/** The part of the data for each function, by its name. */
const FUNCTIONS = new Map();
for (const [name, type] of Object.entries(data.css.types)) {
  FUNCTIONS.set(name, type);
  for (const [inner, part] of Object.entries(type)) if (part.__compat) FUNCTIONS.set(inner, part);
}

/** @param {string} name of a property, a selector or a rule, perhaps with a vendor's prefix */
function named(kind, name) {
  const [, prefix, rest] = name.match(/^(-(?:webkit|moz)-)?(.*)$/);
  return at("css", kind, name) ? [at("css", kind, name)] : [at("css", kind, rest), prefix];
}

/**
 * What the promised browsers lack of one node of the tree.
 * @param {any} node
 * @param {any} declaration that it is in
 * @returns {Generator<any[]>}
 */
function* used(node, declaration) {
  const property = declaration?.property;
  switch (node.type) {
    case "Declaration":
      if (!property.startsWith("--")) yield [property, ...named("properties", property)];
      return;
    case "Identifier":
      if (property && at("css", "properties", property, node.name))
        yield [`${property}: ${node.name}`, at("css", "properties", property, node.name)];
      return;
    case "Function":
      if (FUNCTIONS.has(node.name)) yield [`${node.name}()`, FUNCTIONS.get(node.name)];
      return;
    case "Dimension":
      if (UNITS.has(node.unit)) yield [node.unit, UNITS.get(node.unit)];
      return;
    case "PseudoClassSelector":
    case "PseudoElementSelector":
      yield [`:${node.name}`, ...named("selectors", node.name)];
      return;
    case "NestingSelector":
      yield ["&", at("css", "selectors", "nesting")];
      return;
    case "Atrule":
      yield [`@${node.name}`, ...named("at-rules", node.name)];
      return;
    case "FeatureRange":
      yield ["range of a media query", at("css", "at-rules", "media", "range_syntax")];
      return;
    case "Feature":
      yield [`(${node.name})`, at("css", "at-rules", "media", node.name.replace(/^(min|max)-/, ""))];
  }
}

/**
 * What a part of the tree uses that a promised browser lacks.
 * @param {any} part
 * @param {any} [declaration] that it is in
 * @returns {Finding[]}
 */
function wants(part, declaration) {
  const found = [];
  const look = (node, inner) => {
    for (const [what, feature, prefix] of used(node, inner)) {
      const lack = feature ? lacking(feature, prefix) : ["never"];
      if (lack.length) found.push({ line: node.loc.start.line, what, lack });
    }
  };
  if (declaration) walk(part, (node) => look(node, declaration));
  else look(part);
  return found;
}

/** Whether a block has an earlier declaration of the property, of which no promised browser lacks anything. */
function fallsBack(block, declaration) {
  const before = block.children.toArray();
  const same = before.slice(0, before.indexOf(declaration)).filter((one) =>
    one.property?.replace(/^-(webkit|moz)-/, "") === declaration.property);
  return same.some((one) => !wants(one, one).length);
}

/**
 * @param {string} text
 * @returns {Finding[]}
 */
export function inStyles(text) {
  const found = [];
  /** What the conditions around a place ask for. */
  const asked = [];
  const onParseError = ({ line, message }) => found.push({ line, what: message, lack: ["the parser"] });
  walk(parse(text, { positions: true, onParseError }), {
    enter(node) {
      if (node.type === "Atrule" && node.name === "supports") asked.push(conditions(node));
      if (this.atrulePrelude && this.atrule.name === "supports") return this.skip;
      const wanted = node.type === "Declaration" ? wants(node, node) : wants(node);
      const fallback = node.type === "Declaration" && wanted.length && fallsBack(this.block, node);
      if (!fallback) found.push(...wanted.filter(({ what }) => !asked.flat().includes(what)));
      return node.type === "Declaration" ? this.skip : undefined;
    },
    leave(node) {
      if (node.type === "Atrule" && node.name === "supports") asked.pop();
    },
  });
  return found;
}

/** What the condition of an `@supports` asks for; nothing if it asks for its absence. */
function conditions({ prelude }) {
  if (generate(prelude).startsWith("not")) return [];
  const declarations = findAll(prelude, ({ type }) => type === "Declaration");
  return declarations.flatMap((one) => wants(one, one).map(({ what }) => what));
}
