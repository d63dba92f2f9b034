// What scripts use that a promised browser lacks and that they do not ask for first: by `?.`, `in`, `typeof` or as a
// condition, anywhere above in the file. The compiler says whose a member is; a member of what it does not know is
// lacked if it is lacked wherever the data has that name. Not seen: options, arguments, and what is destructured.

import { SyntaxKind as Kind } from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";
import { at, data, lacking } from "./data.mjs";

/** Syntax that spoils a whole script. What came after ES2022 spoils it for eslint, too. */
const SYNTAX = [
  [Kind.RegularExpressionLiteral, /\(\?<[=!]/, "(?<=", at("javascript", "regular_expressions", "lookbehind_assertion")],
  [Kind.ClassStaticBlockDeclaration, /^/, "static {", at("javascript", "classes", "static", "initialization_blocks")],
];
const CONDITIONAL = new Set([Kind.AmpersandAmpersandToken, Kind.BarBarToken, Kind.QuestionQuestionToken]);
const EVENT = "addEventListener";
const GLOBAL = new Set(["globalThis", "window", "self"]);
const LIBRARY = /\/lib\.[a-z0-9.]+\.d\.ts$/;

/** By a name: the parts of the data for all members of that name. */
const MEMBERS = new Map();
for (const owner of Object.values({ ...data.api, ...data.javascript.builtins }))
  for (const [name, part] of Object.entries(owner))
    if (part.__compat) MEMBERS.set(name, [...(MEMBERS.get(name) ?? []), part]);

/**
 * The parts of the data for a name in a script: one, or all that it may be.
 * @param {string} name
 * @param {string} owner an interface, or empty
 * @param {string} before the text before the dot
 */
function parts(name, owner, before) {
  const builtin = owner.replace(/Constructor$/, "");
  const exact = owner
    ? at("api", owner, name) ?? at("javascript", "builtins", builtin, name)
    : at("api", before, `${name}_static`) ?? at("javascript", "builtins", before, name)
      ?? at("javascript", "builtins", name) ?? at("api", "Window", name) ?? at("api", name);
  return exact ? [exact] : before && MEMBERS.get(name) || [];
}

/** The whole `a.b` of which a node is the name, else the node. */
const access = (node) => node.parent.kind === Kind.PropertyAccessExpression && node.parent.name === node
  ? node.parent : node;

/** Whether a script asks here whether there is a name. */
function asks(node) {
  const whole = access(node), { parent } = whole;
  switch (parent.kind) {
    case Kind.PropertyAccessExpression:
    case Kind.CallExpression:
      return parent.expression === whole && Boolean(parent.questionDotToken);
    case Kind.IfStatement:
      return parent.expression === whole;
    case Kind.ConditionalExpression:
      return parent.condition === whole;
    case Kind.BinaryExpression:
      return parent.left === whole && CONDITIONAL.has(parent.operatorToken.kind);
    case Kind.PrefixUnaryExpression:
      return parent.operator === Kind.ExclamationToken;
  }
  return parent.kind === Kind.TypeOfExpression;
}

/** @returns {import("./styles.mjs").Finding[]} */
function inScript(file, checker) {
  const names = [], found = [], asked = new Set();
  const add = (node, what, all) => {
    const lacks = all.map((part) => lacking(part));
    if (asked.has(what) || !lacks.length || lacks.some((lack) => !lack.length)) return;
    const line = file.text.slice(0, node.getStart(file)).split("\n").length;
    found.push({ line, what, lack: lacks[0] });
  };
  const look = (node) => {
    if (node.kind === Kind.TypeReference) return; // of a comment
    if (node.kind === Kind.Identifier || node.kind === Kind.StringLiteral) names.push(node);
    for (const [kind, sign, what, part] of SYNTAX)
      if (node.kind === kind && sign.test(node.text ?? "")) add(node, what, [part]);
    node.forEachChild(look);
  };
  look(file);
  const symbols = checker.getSymbolAtLocation(names);
  names.forEach((node, place) => {
    const { text, parent } = node;
    if (node.kind === Kind.StringLiteral) {
      const called = parent.expression?.name ?? parent.expression;
      if (parent.operatorToken?.kind === Kind.InKeyword) asked.add(text);
      if (called?.text === EVENT && !parent.questionDotToken) add(node, text, MEMBERS.get(`${text}_event`) ?? []);
      return;
    }
    if (asks(node)) asked.add(text);
    const whole = access(node);
    if (whole.questionDotToken) return;
    const before = whole === node ? "" : whole.expression.getText(file);
    add(node, text, meant(text, symbols[place], GLOBAL.has(before) ? "" : before));
  });
  return found;
}

/** The parts of the data that a name may mean: none if the program itself declares it. */
function meant(name, symbol, before) {
  const paths = symbol?.declarations.map(({ path }) => path) ?? [];
  if (paths.some((path) => LIBRARY.test(path)))
    return parts(name, symbol.getParent()?.name.replace(/^__.*/, "") ?? "", before);
  return before && paths.every((path) => path.endsWith("/page.d.ts")) ? parts(name, "", before) : [];
}

/**
 * @param {string} project the path of a `tsconfig.json`
 * @param {(path: string) => boolean} wanted
 * @returns {[string, import("./styles.mjs").Finding[]][]} by the paths of scripts
 */
export function inScripts(project, wanted) {
  const api = new API();
  const { program, checker } = api.updateSnapshot({ openProjects: [project] }).getProjects()[0];
  const paths = program.getSourceFileNames().filter(wanted);
  const found = paths.map((path) => /** @type {any} */ ([path, inScript(program.getSourceFile(path), checker)]));
  api.close();
  return found;
}
