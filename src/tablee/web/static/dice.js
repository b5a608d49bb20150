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

/** @param {string} table @param {Uint8Array} secret @param {number} version @returns {Promise<string>} the seal that stands in event 0 */
export async function commitment(table, secret, version) {
  return hex(await sha256(packed(utf8.encode(`tablee dice v${version}`), utf8.encode(table), secret)));
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
   * @param {string} label "start" or "throw"
   * @param {number} number which throw it is
   * @param {Uint8Array} mixed
   */
  constructor(key, table, label, number, mixed) {
    this.key = key;
    this.table = table;
    this.label = label;
    this.number = number;
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
      const message = packed(utf8.encode(this.label), utf8.encode(this.table), bigEndian(this.number, 8), this.mixed, bigEndian(this.block, 4));
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
 * Check that a game began with what its table had chosen of the set-up before anybody contributed; what is by seat went with its player.
 * @param {LogEvent[]} events
 */
export function checkChosen(events) {
  const { setup = {}, setup_by_seat: bySeat = [] } = events[0].payload;
  const started = events.find((event) => event.kind === "started");
  if (!started) return;
  /** @type {number[]} */
  const order = started.payload.order;
  for (const [name, letters] of Object.entries(setup)) {
    const expected = bySeat.includes(name) ? order.map((_, seat) => letters[order.indexOf(seat)]).join("") : letters;
    const found = started.payload.setup?.[name];
    if (found !== expected) throw new Wrong(started.seq, `the game began with ${name}=${found}, and the table had chosen ${expected}`);
  }
}

/**
 * Collect what was contributed before the start; a program may only contribute the hash of what people did.
 * @param {LogEvent[]} events
 * @returns {Promise<Uint8Array>} the mixture
 */
async function contributions(events) {
  /** @type {{seat: number, bytes: Uint8Array}[]} */
  let people = [];
  /** @type {{seat: number, bytes: Uint8Array}[]} */
  let programs = [];
  /** @type {Map<number | null, string>} */
  const players = new Map();
  let started = false;
  for (const event of events) {
    if (event.kind === "seated") players.set(event.seat, event.payload.player);
    else if (event.kind === "started" || event.kind === "threw") started = true;
    else if (event.kind === "resealed" && !started) people = programs = [];
    else if (event.kind === "contributed") {
      if (started) throw new Wrong(event.seq, "something was contributed after the start");
      const given = { seat: event.seat ?? 0, bytes: unhex(event.payload.bytes, event.seq) };
      if (players.get(event.seat) !== "program") people.push(given);
      else if (hex(given.bytes) === hex(await mixture(people))) programs.push(given);
      else throw new Wrong(event.seq, "a program contributed something else than the hash of what people contributed");
    }
  }
  return mixture([...people, ...programs]);
}

/**
 * Check that the secrets are those that were sealed.
 * @param {LogEvent[]} events
 * @param {LogEvent} revealed
 * @param {number} version
 * @returns {Promise<{since: number, key: CryptoKey}[]>} each secret with the event from which on it holds
 */
async function openSeals(events, revealed, version) {
  const seals = [events[0], ...events.filter((event) => event.kind === "resealed")];
  const secrets = [revealed.payload.secret, ...(revealed.payload.resealed ?? [])].map((text) => unhex(text, revealed.seq));
  if (secrets.length !== seals.length) throw new Wrong(revealed.seq, "a secret is missing");
  const opened = [];
  for (const [at, seal] of seals.entries()) {
    if ((await commitment(seal.table, secrets[at], version)) !== seal.payload.commitment) throw new Wrong(seal.seq, "the secret is not the one that was sealed before play");
    opened.push({ since: seal.seq, key: await Dice.key(secrets[at]) });
  }
  return opened;
}

/** @param {LogEvent[]} events @returns {number} the version of a table's dice */
export function diceVersion(events) {
  const version = events[0].payload.dice ?? 1;
  if (version !== 1 && version !== 2) throw new Wrong(0, `dice of version ${version} are not known here`);
  return version;
}

/**
 * Recompute every throw of a finished game. Version 1 bound a throw to the number of its event, version 2 to its ordinal among the throws.
 * @param {LogEvent[]} events
 * @returns {Promise<{finished: boolean, draws: number}>}
 */
export async function checkDice(events) {
  const version = diceVersion(events);
  const mixed = await contributions(events);
  const revealed = events.find((event) => event.kind === "revealed");
  if (!revealed) return { finished: false, draws: 0 };
  const seals = await openSeals(events, revealed, version);
  let draws = 0;
  let throws = 0;
  for (const event of events.filter((one) => one.kind === "started" || one.kind === "threw")) {
    if (!Array.isArray(event.payload.draws)) throw new Wrong(event.seq, "the draws are missing");
    const started = event.kind === "started";
    const label = version > 1 && started ? "start" : "throw";
    const number = version === 1 ? event.seq : started ? 0 : throws++;
    const { key } = /** @type {{key: CryptoKey}} */ (seals.findLast((seal) => seal.since < event.seq));
    const dice = new Dice(key, event.table, label, number, mixed);
    for (const [n, value] of event.payload.draws) {
      const found = await dice.draw(n);
      if (found !== value) throw new Wrong(event.seq, `${value} was drawn of ${n}, and the sealed dice give ${found}`);
      draws += 1;
    }
  }
  return { finished: true, draws };
}
