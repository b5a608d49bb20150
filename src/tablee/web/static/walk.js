/**
 * The walk of touches: which legal actions are still meant by what has been touched. It knows no rules, only the list
 * that the server gave: each action with the cells that one touches for it.
 */

/** @typedef {import("./view.js").LegalView} Act */
/** @typedef {{kind: "play", act: Act} | {kind: "step"} | {kind: "undone"} | {kind: "choose", acts: Act[]} | {kind: "refused", token: string}} Touched */

const COUNT = /^(\d+):/;

export class Walk {
  constructor() {
    /** @type {Act[]} */ this.all = [];
    /** @type {string[]} */ this.chosen = [];
    /** @type {number | null} how many of a stack */ this.count = null;
    /** @type {number | null} */ this.seat = null;
  }

  /**
   * Take the legal actions of a new view; a tool that was chosen (`keep`: nothing stands on it) stays in the hand.
   * @param {Act[]} legal
   * @param {string | null} keep
   */
  renew(legal, keep) {
    this.all = legal;
    const seats = this.seats();
    if (this.seat === null || !seats.includes(this.seat)) this.seat = seats.length ? seats[0] : null;
    this.clear();
    if (keep !== null && this.next().has(keep)) this.chosen = [keep];
  }

  /** @returns {number[]} the seats that this screen may act for */
  seats() {
    return [...new Set(this.all.map((act) => act.seat))];
  }

  /** @returns {Act[]} what the acting seat may play */
  acts() {
    return this.all.filter((act) => act.seat === this.seat);
  }

  /** @param {string[]} touched @returns {Act[]} what begins with these touches */
  meant(touched = this.chosen) {
    return this.acts().filter((act) => touched.every((cell, at) => act.touches[at] === cell));
  }

  /** @returns {Set<string>} what may be touched next */
  next() {
    return new Set(this.meant().filter((act) => act.touches.length > this.chosen.length).map((act) => act.touches[this.chosen.length]));
  }

  /** @returns {Set<string>} what a walk may begin with */
  first() {
    return new Set(this.acts().filter((act) => act.touches.length).map((act) => act.touches[0]));
  }

  /** @returns {number[]} how many of the chosen stack may be meant, if that is a question */
  counts() {
    const found = this.chosen.length ? this.meant().map(countOf).filter((count) => count !== null) : [];
    return [...new Set(found)].sort((one, other) => one - other);
  }

  /** @param {number} count @returns {string} the token that takes so many of the chosen stack, made after a legal one: the server then says why not */
  counted(count) {
    const like = this.meant().find((act) => countOf(act) !== null);
    return like ? like.token.replace(COUNT, `${count}:`) : "";
  }

  clear() {
    this.chosen = [];
    this.count = null;
  }

  /**
   * Touch a cell; `count` is how many pieces stand there from the touched one up.
   * @param {string} cell
   * @param {number | null} count
   * @returns {Touched}
   */
  touch(cell, count = null) {
    if (this.next().has(cell)) {
      if (!this.chosen.length) this.count = count;
      this.chosen = [...this.chosen, cell];
      return this.settled();
    }
    if (this.chosen.includes(cell)) {
      this.clear();
      return { kind: "undone" };
    }
    if (this.first().has(cell)) {
      this.chosen = [cell];
      this.count = count;
      return this.settled();
    }
    return { kind: "refused", token: this.likely(cell) };
  }

  /** @returns {Touched} what the touches so far come to */
  settled() {
    const meant = this.meant();
    const whole = meant.filter((act) => act.touches.length === this.chosen.length);
    const counts = this.counts();
    if (this.chosen.length === 1 && counts.length === 1) this.count = counts[0];
    if (!whole.length || whole.length < meant.length) return { kind: "step" };
    if (whole.length === 1) return { kind: "play", act: whole[0] };
    const counted = whole.find((act) => countOf(act) === this.count && this.count !== null) ?? (this.count === null ? undefined : lone(whole));
    return counted ? { kind: "play", act: counted } : { kind: "choose", acts: whole };
  }

  /**
   * The token that would be meant by a touch that leads nowhere, made after a legal one: the server then says why not.
   * @param {string} cell
   * @returns {string} "" where there is nothing to go by
   */
  likely(cell) {
    const touched = [...this.chosen, cell];
    const wanted = this.count === null ? undefined : this.meant().find((act) => countOf(act) === this.count);
    const like = wanted ?? this.meant()[0];
    if (!like || like.touches.length !== touched.length) return "";
    const token = rewritten(like, touched);
    return this.acts().some((act) => act.token === token) ? "" : token;
  }
}

/**
 * Write an action anew with other cells.
 * @param {Act} act
 * @param {string[]} cells
 * @returns {string}
 */
export function rewritten(act, cells) {
  let token = act.token;
  let done = "";
  const inOrder = act.touches.every((cell, at) => at === 0 || token.lastIndexOf(cell) > token.indexOf(act.touches[at - 1]));
  const steps = act.touches.map((cell, at) => ({ from: cell, to: cells[at] }));
  if (!inOrder) steps.reverse();
  const prefix = token.match(COUNT)?.[0] ?? "";
  token = token.slice(prefix.length);
  done += prefix;
  for (const { from, to } of steps) {
    const at = token.indexOf(from);
    if (at < 0) return "";
    done += token.slice(0, at) + to;
    token = token.slice(at + from.length);
  }
  return done + token;
}

/** @param {Act} act @returns {number | null} the count that a token begins with: `5:1>6` */
export function countOf(act) {
  const found = act.token.match(COUNT);
  return found ? Number(found[1]) : null;
}

/** @param {Act[]} acts @returns {Act | undefined} the only action that names no count */
function lone(acts) {
  const plain = acts.filter((act) => countOf(act) === null);
  return plain.length === 1 ? plain[0] : undefined;
}
