/**
 * The dice of a table, recomputed: a second implementation, written from docs/protocol.md, that shares nothing with the
 * server's. It uses the SHA-256 and HMAC of the browser (WebCrypto).
 */

/** @typedef {{table: string, seq: number, kind: string, payload: any, seat: number | null, move_id: string | null, at: number, previous: string, hash: string, aside?: Record<string, string>}} LogEvent */

const utf8 = new TextEncoder();

/** What does not fit; `seq` is the event where it shows. */
export class Wrong extends Error {
  /** @param {number} seq @param {string} text */
  constructor(seq, text) {
    super(`event ${seq}: ${text}`);
    this.seq = seq;
  }
}

/** @param {...Uint8Array} parts @returns {Uint8Array} the parts one after the other, each after its length in four bytes */
export function packed(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  const lengths = new DataView(whole.buffer);
  let at = 0;
  for (const part of parts) {
    lengths.setUint32(at, part.length);
    whole.set(part, at + 4);
    at += 4 + part.length;
  }
  return whole;
}

/** @param {number} value @param {number} width @returns {Uint8Array} a whole number, most significant byte first */
export function bigEndian(value, width) {
  const bytes = new Uint8Array(width);
  for (let at = width - 1; at >= 0; at--) {
    bytes[at] = value % 256;
    value = Math.floor(value / 256);
  }
  return bytes;
}

/** @param {unknown} text @param {number} seq @returns {Uint8Array} */
export function unhex(text, seq) {
  if (typeof text !== "string" || text.length % 2 || !/^[0-9a-f]*$/i.test(text)) throw new Wrong(seq, `${String(text).slice(0, 40)} is no hex`);
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => parseInt(text.slice(2 * at, 2 * at + 2), 16));
}

/** @param {Uint8Array} bytes @returns {string} */
export function hex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {Uint8Array} bytes @returns {Promise<Uint8Array>} */
export async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** @param {string} table @param {Uint8Array} secret @returns {Promise<string>} the seal that stands in event 0 */
export async function commitment(table, secret) {
  return hex(await sha256(packed(utf8.encode("tablee dice v1"), utf8.encode(table), secret)));
}

/** @param {{seat: number, bytes: Uint8Array}[]} contributions @returns {Promise<Uint8Array>} */
export function mixture(contributions) {
  return sha256(packed(utf8.encode("tablee contributions v1"), ...contributions.flatMap(({ seat, bytes }) => [bigEndian(seat, 4), bytes])));
}

/** The numbers of one event, in the order they were drawn. */
export class Dice {
  /**
   * @param {CryptoKey} key
   * @param {string} table
   * @param {number} seq
   * @param {Uint8Array} mixed
   */
  constructor(key, table, seq, mixed) {
    this.key = key;
    this.table = table;
    this.seq = seq;
    this.mixed = mixed;
    this.block = 0;
    this.bytes = [];
  }

  /** @param {Uint8Array} secret @returns {Promise<CryptoKey>} */
  static key(secret) {
    return crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  }

  /** @returns {Promise<number>} the next byte of the stream */
  async next() {
    if (!this.bytes.length) {
      const message = packed(utf8.encode("throw"), utf8.encode(this.table), bigEndian(this.seq, 8), this.mixed, bigEndian(this.block, 4));
      this.bytes = [...new Uint8Array(await crypto.subtle.sign("HMAC", this.key, message))];
      this.block += 1;
    }
    return /** @type {number} */ (this.bytes.shift());
  }

  /** @param {number} n @returns {Promise<number>} a fair number below n: whole bytes, those past the last full multiple thrown away */
  async draw(n) {
    let width = 1;
    while (256 ** width < n) width += 1;
    const fair = 256 ** width - (256 ** width % n);
    for (;;) {
      let word = 0;
      for (let at = 0; at < width; at++) word = word * 256 + (await this.next());
      if (word < fair) return word % n;
    }
  }
}

/** @param {unknown} value @returns {string} the one way to write a value: names sorted, no spaces */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value && typeof value === "object") {
    const named = /** @type {Record<string, unknown>} */ (value);
    return `{${Object.keys(named).sort().map((name) => `${JSON.stringify(name)}:${canonical(named[name])}`).join(",")}}`;
  }
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new Error(`${value} is no whole number`);
  return JSON.stringify(value ?? null);
}

/** @param {LogEvent[]} events check that each hangs on the one before */
export async function checkChain(events) {
  let previous = "";
  for (const [seq, event] of events.entries()) {
    const { hash, aside, ...fields } = event;
    if (event.seq !== seq) throw new Wrong(seq, `expected number ${seq}, found ${event.seq}`);
    if (event.table !== events[0].table) throw new Wrong(seq, "belongs to another table");
    if (event.previous !== previous) throw new Wrong(seq, "does not follow the event before it");
    if (hex(await sha256(utf8.encode(canonical(fields)))) !== hash) throw new Wrong(seq, "was changed: its hash does not fit");
    if (aside && Object.keys(aside).length) {
      const seal = hex(await sha256(packed(utf8.encode("tablee seal v1"), utf8.encode(aside.salt ?? ""), utf8.encode(aside.text ?? ""))));
      if (event.payload.seal !== seal) throw new Wrong(seq, "the words beside it are not those that were sealed");
    }
    previous = hash;
  }
  if (!events.length) throw new Wrong(0, "the log is empty");
}

/**
 * Recompute every throw of a finished game.
 * @param {LogEvent[]} events
 * @returns {Promise<{finished: boolean, draws: number}>}
 */
export async function checkDice(events) {
  const revealed = events.find((event) => event.kind === "revealed");
  if (!revealed) return { finished: false, draws: 0 };
  const secret = unhex(revealed.payload.secret, revealed.seq);
  const { table } = events[0];
  if ((await commitment(table, secret)) !== events[0].payload.commitment) throw new Wrong(0, "the secret is not the one that was sealed before play");
  const start = events.find((event) => event.kind === "started" || event.kind === "threw")?.seq ?? events.length;
  const given = events.filter((event) => event.kind === "contributed");
  const late = given.find((event) => event.seq > start);
  if (late) throw new Wrong(late.seq, "something was contributed after the start");
  const mixed = await mixture(given.map((event) => ({ seat: event.seat ?? 0, bytes: unhex(event.payload.bytes, event.seq) })));
  const key = await Dice.key(secret);
  let draws = 0;
  for (const event of events.filter((one) => one.kind === "started" || one.kind === "threw")) {
    if (!Array.isArray(event.payload.draws)) throw new Wrong(event.seq, "the draws are missing");
    const dice = new Dice(key, table, event.seq, mixed);
    for (const [n, value] of event.payload.draws) {
      const found = await dice.draw(n);
      if (found !== value) throw new Wrong(event.seq, `${value} was drawn of ${n}, and the sealed dice give ${found}`);
      draws += 1;
    }
  }
  return { finished: true, draws };
}
