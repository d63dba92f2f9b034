// Reads cases {table, moves} as JSON from standard input, and writes the turn that `turns.js` computes for each.

import { readFileSync } from "node:fs";

import { counted } from "./turns.js";

/** @type {{ table: any, moves: any[] }[]} */
const cases = JSON.parse(readFileSync(0, "utf-8"));
console.log(JSON.stringify(cases.map(({ table, moves }) => counted(table, moves).turn)));
