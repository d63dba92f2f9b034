// Record a night through openapi-fetch and the types that openapi-typescript has made:
// `node record_night.js SERVER NIGHT.json`. NIGHT.json and what is printed are as for record_night.py.
import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";

/** @typedef {import("./schema").paths} paths */
/** @typedef {paths["/api/v1/nights/{night}/events"]["post"]["requestBody"]["content"]["application/json"]} Event */

const [server, file] = process.argv.slice(2);
const told = JSON.parse(readFileSync(file, "utf8"));
/** @type {import("openapi-fetch").Client<paths>} */
const api = createClient({ baseUrl: server });

/** @template T @param {{data?: T, error?: unknown}} answer @returns {T} */
function done({ data, error }) {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const night = randomUUID();
const { ruleset, players } = told;
const terms = { id: night, secret: randomBytes(16).toString("hex"), ruleset, players };
const { tokens } = done(await api.POST("/api/v1/nights", { body: terms }));
const headers = { Authorization: `Bearer ${tokens.keeper}` };
const params = { path: { night } };
/** @type {string} */
let after = night;
for (const content of told.events) {
  /** @type {Event} */
  const body = { ...content, id: randomUUID(), ...("after" in content ? { after } : {}) };
  const recorded = done(await api.POST("/api/v1/nights/{night}/events", { params, headers, body }));
  if ("board" in recorded) after = recorded.board.after;
}
const ledger = done(await api.GET("/api/v1/nights/{night}/ledger", { params, headers }));
console.log(JSON.stringify({ night, token: tokens.keeper, balances: ledger.balances }));
