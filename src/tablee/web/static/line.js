/**
 * The line to the table: a socket that comes back by itself, and messages that must arrive, one at a time.
 * A message is kept in this tab until it is answered, and those after it until it is their turn; after a cut it is sent
 * again under the same number, and the house answers the same number the same way, so that nothing is played twice.
 */
import { root } from "./root.js";

const FIRST_WAIT = [100, 300];
const WAITS = [500, 1000, 2000, 4000, 8000];
const PING_EVERY = 20000;
const PONG_WITHIN = 4000;
/** So many messages wait for their answer. */
const MOST_KEPT = 8;
/** There is no such table, or it is not shown here: no use to come back. */
const GONE = [4404, 4403];

/** @typedef {{t: string, move_id?: string | null, [field: string]: unknown}} Message */
/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").Change} Change */
/** @typedef {{view: (view: View) => void, change: (change: Change) => void, ok: (message: Message) => void, no: (message: Message) => void, state: (open: boolean) => void}} Ears */

export class Line {
  /**
   * @param {string} table
   * @param {Ears} ears
   * @param {() => number} seen the last event that the page shows
   */
  constructor(table, ears, seen) {
    this.table = table;
    this.ears = ears;
    this.seen = seen;
    this.key = `tablee ${table} pending`;
    /** @type {WebSocket | null} */ this.socket = null;
    this.open = false;
    this.tries = 0;
    this.timer = 0;
    this.pinging = 0;
    this.ponging = 0;
    this.gone = false;
    window.addEventListener("online", () => this.hurry());
    window.addEventListener("offline", () => this.drop());
    window.addEventListener("pageshow", () => this.hurry());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.hurry();
    });
    this.connect();
  }

  /** @returns {Message[]} what was sent and not answered yet, and what is to be sent after it */
  get kept() {
    try {
      return [JSON.parse(sessionStorage.getItem(this.key) ?? "[]")].flat();
    } catch {
      return [];
    }
  }

  /** @param {Message[]} messages */
  set kept(messages) {
    if (messages.length) sessionStorage.setItem(this.key, JSON.stringify(messages));
    else sessionStorage.removeItem(this.key);
  }

  /** @param {string} tag @returns {boolean} whether such a message has still to be answered */
  keeps(tag) {
    return this.kept.some((message) => message.t === tag);
  }

  /**
   * Send a message that must be answered, once those before it have been.
   * @param {Message} message
   */
  send(message) {
    const kept = this.kept;
    if (kept.length >= MOST_KEPT) return;
    const whole = { ...message, move_id: newId() };
    this.kept = [...kept, whole];
    if (!kept.length) this.put(whole);
  }

  /** Take the first message as answered, and send the next one. */
  next() {
    this.kept = this.kept.slice(1);
    const [following] = this.kept;
    if (following) this.put(following);
  }

  /**
   * Send something that need not arrive.
   * @param {Message} message
   */
  mention(message) {
    this.put({ ...message, move_id: newId() });
  }

  /** Ask for a whole view: what is known here may not be how the table stands. */
  lookAgain() {
    this.put({ t: "hello", seq: -1, language: document.documentElement.lang });
  }

  /** @param {Message} message @returns {boolean} */
  put(message) {
    if (!this.open || this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  connect() {
    window.clearTimeout(this.timer);
    this.timer = 0;
    const address = new URL(`${root}/ws/${this.table}`, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.addEventListener("open", () => {
      if (socket === this.socket) socket.send(JSON.stringify({ t: "hello", seq: this.seen(), language: document.documentElement.lang }));
    });
    socket.addEventListener("message", (event) => {
      if (socket === this.socket) this.heard(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.socket) this.lost(event.code);
    });
  }

  /** @param {Message} message */
  heard(message) {
    window.clearTimeout(this.ponging);
    this.ponging = 0;
    if (message.t === "view") {
      this.ears.view(/** @type {View} */ (message.view));
      if (!this.open) this.opened();
    } else if (message.t === "change") {
      this.ears.change(/** @type {import("./view.js").Change} */ (/** @type {unknown} */ (message)));
    } else if (message.t === "ok" || message.t === "no") {
      const unreadable = message.t === "no" && message.code === "unreadable" && !message.move_id; // kept from an older page: it would never be answered
      if (unreadable || (message.move_id && this.kept[0]?.move_id === message.move_id)) this.next();
      this.ears[message.t](message);
    }
  }

  opened() {
    this.open = true;
    this.tries = 0;
    window.clearInterval(this.pinging);
    this.pinging = window.setInterval(() => this.ping(), PING_EVERY);
    this.ears.state(true);
    const [pending] = this.kept;
    if (pending) this.put(pending);
  }

  ping() {
    if (this.socket?.readyState !== WebSocket.OPEN || this.ponging) return;
    this.socket.send('{"t":"ping"}');
    this.ponging = window.setTimeout(() => this.drop(), PONG_WITHIN);
  }

  /** @param {number} code */
  lost(code) {
    window.clearInterval(this.pinging);
    window.clearTimeout(this.ponging);
    this.ponging = 0;
    this.socket = null;
    this.open = false;
    this.gone = GONE.includes(code);
    this.ears.state(false);
    if (this.gone || this.timer) return;
    const wait = this.tries ? WAITS[Math.min(this.tries, WAITS.length) - 1] * (0.75 + Math.random() / 2) : between(FIRST_WAIT[0], FIRST_WAIT[1]);
    this.tries += 1;
    this.timer = window.setTimeout(() => this.connect(), wait);
  }

  /** Let the line go: it is dead, or will be. */
  drop() {
    const socket = this.socket;
    if (!socket) return;
    this.lost(0);
    socket.close();
  }

  /** Come back at once: the network is there again, or somebody looks. */
  hurry() {
    if (this.gone) return;
    if (this.open) {
      this.ping();
    } else if (this.socket === null) {
      this.tries = 0;
      this.connect();
    }
  }
}

/** @returns {string} the number of a message: 128 random bits */
export function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {number} least @param {number} most @returns {number} */
function between(least, most) {
  return least + Math.random() * (most - least);
}
