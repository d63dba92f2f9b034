// The offline verifier: checks an export that was chosen, dropped or pasted, and a code.

import { codeOf, readCode } from "./chain.js";
import { verifyExport } from "./export.js";

/** @param {string} id */
function at(id) {
  const found = document.querySelector(`#${id}`);
  if (!found) throw new Error(`no #${id}`);
  return found;
}
/** @type {Record<string, Record<string, string>>} */
const tongues = JSON.parse(at("words").textContent);
const spoken = (navigator.languages ?? [navigator.language]).map((each) => each.slice(0, 2));
let language = spoken.find((each) => each in tongues) ?? "vi";
/** @type {Verdict | null} */
let shown = null;

/** @param {string} key @param {Record<string, string | number>} facts */
function say(key, facts = {}) {
  return (tongues[language][key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => String(facts[name] ?? whole));
}
/** @param {number} points */
const signed = (points) => (points > 0 ? `+${points}` : String(points).replace("-", "−"));

/** @param {string} tag @param {Record<string, string>} attributes @param {(string | Node)[]} inside */
function element(tag, attributes = {}, ...inside) {
  const made = Object.assign(document.createElement(tag), attributes);
  made.append(...inside);
  return made;
}

function speak() {
  document.documentElement.lang = language;
  document.title = say("title");
  for (const place of document.querySelectorAll("[data-words]")) place.textContent = say(place.dataset.words);
  const other = language === "vi" ? "en" : "vi";
  Object.assign(at("language"), { textContent: other.toUpperCase(), lang: other, ariaLabel: tongues[other].name });
  if (shown) show(shown);
}

/** @param {Verdict} result */
function show(result) {
  shown = result;
  const good = result.heads && !result.broken ? result : null;
  const sentences = [say(good ? "verified" : "not")];
  if (result.code) sentences.push(say("code"));
  else if (result.unreadable) sentences.push(say("unreadable", { line: result.unreadable }));
  else if (result.broken) {
    const { seq, what } = result.broken;
    sentences.push(say("entry", { seq, what: say(`broken ${what}`) }));
  }
  if (good) sentences.push(say("head", { code: codeOf(good.heads[good.heads.length - 1]) }));
  if (good?.continues) sentences.push(say("continues", { code: codeOf(good.continues) }));
  if (good?.erased.length) sentences.push(say("erased", { players: good.erased.join(", ") }));
  const notice = element("div", { className: good ? "notice calm" : "notice", id: "verdict" });
  sentences.forEach((words, place) => notice.append(element("p", {}, place ? words : element("b", {}, words))));
  at("result").replaceChildren(notice, ...(good ? accounts(good) : []));
}

/** @param {Checked} result */
function accounts({ names, net, payments }) {
  const totals = element("ul", { className: "totals", id: "balances" });
  for (const [player, points] of Object.entries(net)) {
    totals.append(element("li", {}, element("span", {}, names[player]), element("b", {}, signed(points))));
  }
  const lines = element("ul", { className: "lines", id: "payments" });
  for (const paid of payments) {
    const from = [`#${paid.seq}`, say(`reason ${paid.reason}`).replace(/^reason /, "")];
    if (paid.reverses) from.push(say("reverses", { payment: paid.reverses }));
    const who = element("span", {}, `${names[paid.payer]} → ${names[paid.payee]}`);
    const points = element("span", { className: "points" }, String(paid.points));
    lines.append(element("li", {}, who, points, element("small", {}, from.join(" · "))));
  }
  if (!payments.length) lines.append(element("li", { className: "muted" }, say("nothing")));
  /** @param {string} key */
  const heading = (key) => element("h2", {}, say(key));
  const unjudged = element("p", { className: "small muted" }, say("unjudged"));
  return [unjudged, heading("balances"), totals, heading("payments"), lines];
}

async function verify() {
  const typed = at("code").value.trim();
  const code = typed ? readCode(typed) : null;
  if (typed && !code) show({ code: typed });
  else show(await verifyExport(at("pasted").value, code));
}

/** @param {File} [file] */
async function take(file) {
  if (!file) return;
  at("pasted").value = await file.text();
  await verify();
}

at("file").addEventListener("change", (event) => take(event.target.files[0]));
at("verify").addEventListener("click", verify);
at("language").addEventListener("click", () => {
  language = language === "vi" ? "en" : "vi";
  speak();
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  take(event.dataTransfer?.files[0]);
});
speak();
