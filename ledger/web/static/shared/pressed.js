// What is queued of a form: its fields, from which the server makes the event, as it does without scripts (forms.py);
// and what the page counts and shows of it until the server answers.

const NOT_CONTENT = ["id", "ids", "after"];
const OF_CARDS = ["play", "claim", "show", "declare"];

/** Buttons whose event is of another kind. @type {Record<string, string>} */
const KINDS = { forward: "play", none: "declare", "pass-all": "pass" };

// How many times the payments of a round count: the greatest factor that was chosen.
/** @param {FormData} data */
export function timesOf(data) {
  const times = Math.max(...data.getAll("times").map(Number));
  return times > 1 ? { times } : {};
}

/** @param {Pick<Part, "name" | "value">} button @param {FormData} data @returns {Pressed} */
export function pressed({ name, value }, data) {
  const isDue = name === "due";
  /** @type {Record<string, string[]>} */
  const form = {};
  for (const field of data.keys()) if (!NOT_CONTENT.includes(field)) form[field] = data.getAll(field);
  Object.assign(form, isDue ? { kind: ["note"], due: [value] } : { kind: [value] });
  const [word, contract] = isDue ? ["note"] : value.split(" ");
  const kind = KINDS[word] ?? word;
  const cards = OF_CARDS.includes(kind) ? { cards: word === "none" ? [] : data.getAll("cards") } : {};
  const seats = data.getAll("seats").filter(Boolean);
  const header = { leader: data.get("leader") ?? "", seats: seats.length ? seats : data.getAll("leader") };
  return {
    content: { kind: "form", form },
    told: {
      kind,
      ...cards,
      ...(data.has("seat") ? { seat: data.get("seat") ?? "" } : {}),
      ...(data.has("round") ? { round: Number(data.get("round")) } : {}),
      ...(contract ? { contract } : {}),
      ...(kind === "round" ? { ...header, ...timesOf(data) } : {}),
      ...(isDue ? { note: value } : {}),
    },
  };
}
