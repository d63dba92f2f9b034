// Draw the board as a picture of a size for chats. Its content comes from the server: see exports/share.py.

import { letters } from "../shared/naming.js";

const WIDE = 1080;
const EDGE = 64;
const MOST = 560; // the widest that points and money may be in a row
const PAPER = "#f5f2ea";
const INK = "#1d2125";
const MUTED = "#5a6068";
const LINE = "#d8d2c4";
const FELT = "#0a6350";
const SIDES = { won: FELT, lost: "#b01e23", even: MUTED };
const MEDALS = ["#ecc14f", "#c9d0d6", "#d9a273"];
const SPADE = ["M38 24c4 5 8 8 8 12 0 3-2 5-4 5-2 0-3-1-4-3-1 2-2 3-4 3-2 0-4-2-4-5 0-4 4-7 8-12z", "M36 44h4l1-7h-6z"];

// The outline of a box; without rounded corners on phones that lack `roundRect`.
/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} x @param {number} y @param {number} width @param {number} height @param {number} round
 */
function outline(pen, x, y, width, height, round) {
  if (pen.roundRect) pen.roundRect(x, y, width, height, round);
  else pen.rect(x, y, width, height);
}

class Sheet {
  /** @param {number} high */
  constructor(high) {
    this.canvas = Object.assign(document.createElement("canvas"), { width: WIDE, height: high });
    const pen = this.canvas.getContext("2d");
    if (!pen) throw new Error("no canvas");
    this.pen = pen;
    this.family = getComputedStyle(document.body).fontFamily;
    this.box(0, 0, WIDE, high, 0, PAPER);
  }

  /**
   * @param {number} x @param {number} y @param {number} width @param {number} height @param {number} round
   * @param {string} colour
   */
  box(x, y, width, height, round, colour) {
    this.pen.fillStyle = colour;
    this.pen.beginPath();
    outline(this.pen, x, y, width, height, round);
    this.pen.fill();
  }

  /** @param {number} size @param {number} weight */
  font(size, weight) {
    this.pen.font = `${weight} ${size}px ${this.family}`;
  }

  /** @param {string} text @param {number} size */
  width(text, size, weight = 400) {
    this.font(size, weight);
    return this.pen.measureText(text).width;
  }

  /**
   * A line of text at `y`; smaller if it is wider than `room`.
   * @param {string} text @param {number} x @param {number} y @param {number} size
   * @param {{ weight?: number, colour?: string, align?: CanvasTextAlign, room?: number }} look
   */
  write(text, x, y, size, { weight = 400, colour = INK, align = "left", room = Infinity } = {}) {
    const smaller = Math.min(1, room / this.width(text, size, weight));
    this.font(size * smaller, weight);
    this.pen.fillStyle = colour;
    this.pen.textAlign = align;
    this.pen.fillText(text, x, y);
  }

  // The font size for a text so `wide`: reduced to fit, to 75 % at the least.
  /** @param {number} size @param {number} wide @param {number} room */
  fit(size, wide, room) {
    return size * Math.min(1, Math.max(0.75, room / wide));
  }

  // The end of a name, as far as there is room: Vietnamese given names come last.
  /** @param {string} name @param {number} size @param {number} weight @param {number} room */
  cut(name, size, weight, room) {
    if (this.width(name, size, weight) <= room) return name;
    const kept = letters(name);
    while (kept.length > 1 && this.width(`…${kept.join("").trimStart()}`, size, weight) > room) kept.shift();
    return `…${kept.join("").trimStart()}`;
  }

  /** Two cards, as in the program's icon. @param {number} x @param {number} y */
  sign(x, y) {
    const { pen } = this;
    pen.save();
    pen.translate(x, y);
    pen.scale(2.4, 2.4);
    for (const [turn, left, top] of [[-8, 14, 9], [6, 22, 13]]) {
      pen.save();
      pen.translate(left + 15, top + 21);
      pen.rotate((turn * Math.PI) / 180);
      pen.lineWidth = 2;
      pen.strokeStyle = FELT;
      pen.fillStyle = "#fffefb";
      pen.beginPath();
      outline(pen, -15, -21, 30, 42, 5);
      pen.fill();
      pen.stroke();
      pen.restore();
    }
    pen.translate(38, 34);
    pen.rotate((6 * Math.PI) / 180);
    pen.translate(-38, -34);
    pen.fillStyle = INK;
    for (const path of SPADE) pen.fill(new Path2D(path));
    pen.restore();
  }

  /** @param {string[]} lines */
  head([first, second]) {
    this.box(0, 0, WIDE, 208, 0, FELT);
    this.sign(WIDE - EDGE - 128, 30);
    const room = WIDE - 3 * EDGE - 128;
    this.write(first, EDGE, second ? 104 : 124, 60, { weight: 700, colour: "#ffffff", room });
    if (second) this.write(second, EDGE, 164, 40, { colour: "#dcebe3", room });
  }

  /** @param {PictureRow} row @param {number} y @param {number} high */
  row({ place, name, points, worth, side }, y, high) {
    const [big, small, middle] = [high * 0.46, Math.max(high * 0.25, 28), y + high / 2];
    this.pen.fillStyle = MEDALS[place - 1] ?? "#e6e1d5";
    this.pen.beginPath();
    this.pen.arc(EDGE + 36, middle, 34, 0, 2 * Math.PI);
    this.pen.fill();
    this.write(String(place), EDGE + 36, middle + 14, 38, { weight: 700, align: "center" });
    const right = { align: /** @type {const} */ ("right"), colour: SIDES[side], room: MOST };
    this.write(points, WIDE - EDGE, worth ? middle + big * 0.14 : middle + big * 0.36, big, { ...right, weight: 750 });
    if (worth) this.write(worth, WIDE - EDGE, middle + big * 0.14 + small * 1.2, small, { ...right, colour: MUTED });
    const taken = Math.min(MOST, Math.max(this.width(points, big, 750), this.width(worth, small)));
    const room = WIDE - 2 * EDGE - 100 - taken - 32;
    const wanted = Math.max(high * 0.36, 42);
    const size = this.fit(wanted, this.width(name, wanted, 600), room);
    this.write(this.cut(name, size, 600, room), EDGE + 100, middle + size * 0.36, size, { weight: 600 });
  }

  // A transfer: payer, payee and amount. A short name leaves its room to a long one.
  /** @param {PictureTransfer} transfer @param {number} y @param {boolean} done */
  transfer({ payer, payee, worth }, y, done) {
    const [mark, arrow, colour] = [done ? "✓ " : "", " → ", done ? MUTED : INK];
    this.write(worth, WIDE - EDGE, y, 42, { weight: 650, align: "right", colour });
    const all = WIDE - 2 * EDGE - this.width(worth, 42, 650) - 32;
    const size = this.fit(42, this.width(mark + payer + arrow + payee, 42, 600), all);
    const room = all - this.width(mark + arrow, size, 600);
    const [mine, theirs] = [payer, payee].map((name) => this.width(name, size, 600));
    const first = this.cut(payer, size, 600, Math.max(room / 2, room - theirs));
    const second = this.cut(payee, size, 600, Math.max(room / 2, room - mine));
    this.write(mark + first + arrow + second, EDGE, y, size, { weight: 600, colour });
  }
}

/** @param {Picture} picture @param {Record<string, string>} words */
export function draw({ head, rows, brought, left, handed, due, code }, words) {
  const high = rows.length > 8 ? 96 : rows.length > 5 ? 116 : 144;
  const lists = [
    { title: words.brought, some: brought, done: false },
    { title: words.left, some: left, done: true },
    { title: words.handed, some: handed, done: true },
    { title: words.due, some: due, done: false },
  ].filter(({ some }) => some.length);
  const below = lists.reduce((sum, { some }) => sum + 108 + 68 * some.length, 0);
  const sheet = new Sheet(208 + 16 + high * rows.length + below + 140);
  sheet.head(head);
  let y = 208 + 16;
  rows.forEach((row, at) => {
    if (at) sheet.box(EDGE, y + high * at, WIDE - 2 * EDGE, 2, 0, LINE);
    sheet.row(row, y + high * at, high);
  });
  y += high * rows.length;
  for (const { title, some, done } of lists) {
    sheet.box(EDGE, y, WIDE - 2 * EDGE, 4, 2, FELT);
    sheet.write(title, EDGE, y + 64, 36, { weight: 600, colour: MUTED });
    some.forEach((one, place) => sheet.transfer(one, y + 130 + 68 * place, done));
    y += 108 + 68 * some.length;
  }
  sheet.box(EDGE, y + 28, WIDE - 2 * EDGE, 2, 0, LINE);
  sheet.write(code, WIDE / 2, y + 96, 38, { weight: 650, align: "center", colour: MUTED, room: WIDE - 2 * EDGE });
  return sheet.canvas;
}
