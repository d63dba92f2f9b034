// The hash chain in a browser: hashes, codes of heads, and the check that entries follow a head. Imported by pages, and
// inlined in the offline verifier. SHA-256 is implemented here because plain HTTP has no crypto.subtle.

const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const text = new TextEncoder();

// SHA-256's constants: the first 32 bits of the fractions of the cube (K) and square roots (H) of the first primes.
/** @type {number[]} */
const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
/** @param {number} prime @param {number} power */
function fraction(prime, power) {
  const wanted = BigInt(prime) << BigInt(32 * power);
  let [low, high] = [0n, 1n << 40n];
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(power) <= wanted) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn) | 0;
}
const K = primes.map((prime) => fraction(prime, 3));
const H = primes.slice(0, 8).map((prime) => fraction(prime, 2));

/** SHA-256 (FIPS 180-4). @param {Uint8Array} bytes */
export function sha256(bytes) {
  const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  /** @param {number} word @param {number} by */
  const turn = (word, by) => (word >>> by) | (word << (32 - by));
  const hash = Int32Array.from(H);
  const words = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) words[i] = view.getInt32(block + 4 * i);
      else {
        const [a, b] = [words[i - 15], words[i - 2]];
        const [small, large] = [turn(a, 7) ^ turn(a, 18) ^ (a >>> 3), turn(b, 17) ^ turn(b, 19) ^ (b >>> 10)];
        words[i] = words[i - 16] + words[i - 7] + small + large;
      }
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + words[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (hash[i] += word));
  }
  const sum = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => sum.setInt32(4 * i, word));
  return new Uint8Array(sum.buffer);
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
async function digest(bytes) {
  return globalThis.crypto?.subtle ? new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)) : sha256(bytes);
}

/** @param {Uint8Array} bytes */
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} digits */
export function unhex(digits) {
  if (!/^([0-9a-f]{2})*$/i.test(digits)) throw new TypeError("not hexadecimal");
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** A text as UTF-8. Throws TypeError for a lone surrogate, which no hashed text has. @param {string} string */
function bytes(string) {
  if (/\p{Surrogate}/u.test(string)) throw new TypeError("not text");
  return text.encode(string);
}

/** @param {string} purpose @param {Uint8Array[]} parts */
async function hashOf(purpose, ...parts) {
  const all = [text.encode(`tienlen/${purpose}/v1\0`), ...parts];
  const joined = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of all) {
    joined.set(part, at);
    at += part.length;
  }
  return hex(await digest(joined));
}

/** All hashes are passed as lower-case hexadecimal. @param {string} body */
export const nightHash = async (body) => hashOf("night", bytes(body));
/** @param {string} prev @param {string} body */
export const eventHash = async (prev, body) => hashOf("event", unhex(prev), bytes(body));
/** @param {string} salt @param {string} name */
export const commitment = async (salt, name) => hashOf("name", unhex(salt), bytes(name));

/** @param {string} hash */
function characters(hash) {
  const bits = BigInt(`0x${hash.slice(0, 20)}`);
  return Array.from({ length: 16 }, (_, place) => LETTERS[Number((bits >> BigInt(75 - 5 * place)) & 31n)]).join("");
}

/** The code of a head, for people to compare: `#412 · 7K3Q-9FZD-MW2H-XA4T`. @param {Head} head */
export const codeOf = ({ seq, hash }) => `#${seq} · ${characters(hash).replace(/.{4}(?=.)/g, "$&-")}`;

// Read a typed code: {seq or null, characters}; null if it is invalid.
/** @param {string} typed @returns {Code | null} */
export function readCode(typed) {
  const written = /^#?\s*(?:([0-9]{1,15})\s*[·.:,\s-]\s*)?((?:[0-9A-Za-z][\s-]*){16})$/.exec(typed.trim());
  if (!written || /U/i.test(written[2])) return null;
  const code = written[2].replace(/[\s-]/g, "").toUpperCase().replace(/O/g, "0").replace(/[IL]/g, "1");
  return { seq: written[1] === undefined ? null : Number(written[1]), characters: code };
}

/** @param {Code} code @param {string} hash */
export const isOf = (code, hash) => code.characters === characters(hash);

// Follow entries from a head: the last {head} that is valid, and `broken` {seq, what} if an entry does not follow.
/**
 * @param {string} night
 * @param {Head} head
 * @param {{ body: string, hash: string, seq?: number }[]} entries
 * @returns {Promise<{ head: Head, broken?: Flaw }>}
 */
export async function follow(night, head, entries) {
  for (const entry of entries) {
    const seq = head.seq + 1;
    /** @param {string} what */
    const broken = (what) => ({ head, broken: { seq, what } });
    let body;
    let hash;
    try {
      body = JSON.parse(entry.body);
      hash = await eventHash(head.hash, entry.body);
    } catch {
      return broken("text");
    }
    if (body?.seq !== seq || (entry.seq ?? seq) !== seq) return broken("seq");
    if (body.night !== night) return broken("night");
    if (hash !== entry.hash) return broken("hash");
    head = { seq, hash };
  }
  return { head };
}
