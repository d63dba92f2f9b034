// How the scripts of the pages are written, and those of their tests: eslint's own recommendations, and lines that can
// be read.

import js from "@eslint/js";
import globals from "globals";

const STATIC = "ledger/web/static";

export default [
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "max-len": ["error", { code: 120 }],
      "no-var": "error",
      "prefer-const": "error",
      eqeqeq: "error",
      "no-unused-vars": ["error", { varsIgnorePattern: "^_", argsIgnorePattern: "^_" }],
    },
  },
  // The newest syntax of which every promised browser reads all but what browsers/scripts.mjs looks for.
  { files: [`${STATIC}/*/*.js`], languageOptions: { ecmaVersion: 2022, globals: globals.browser } },
  { files: [`${STATIC}/phone/sw.js`], languageOptions: { globals: globals.serviceworker } },
  { files: ["tests/javascript/*/*.mjs"], languageOptions: { globals: globals.node } },
  // Functions that tests run in a page.
  { files: ["tests/javascript/pages/*"], languageOptions: { globals: { ...globals.browser, axe: "readonly" } } },
];
