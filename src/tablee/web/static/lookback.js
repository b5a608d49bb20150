/** Looking back at the table: step by step through the game, or the last turn once more. */
import { root } from "./root.js";

/** @typedef {import("./view.js").View} View */

const STEP_PAUSE = 520;

/** @param {View} view @returns {number} how many steps the game has so far */
export function stepsOf(view) {
  return view.record.reduce((sum, turn) => sum + turn.tokens.length, 0);
}

/** @param {View} view @returns {number} the step before the last turn in which somebody acted */
export function beforeLastTurn(view) {
  let step = stepsOf(view);
  for (const turn of [...view.record].reverse()) {
    step -= turn.tokens.length;
    if (turn.tokens.some((_, at) => !turn.throws?.[at])) break;
  }
  return step;
}

export class LookBack {
  /**
   * @param {string} table
   * @param {() => View} now the view as it stands
   * @param {(earlier: View, step: number) => void} show
   * @param {() => void} present come back to the game as it stands
   */
  constructor(table, now, show, present) {
    this.table = table;
    this.now = now;
    this.show = show;
    this.present = present;
    /** @type {number | null} the step that is shown, while one looks back */ this.at = null;
    this.asked = 0;
  }

  /** @param {number} step @returns {Promise<boolean>} whether it is shown; not if something else was asked for meanwhile */
  async go(step) {
    const asked = ++this.asked;
    if (step >= stepsOf(this.now())) {
      this.leave();
      return true;
    }
    const answer = await fetch(`${root}/t/${this.table}/view?at=${Math.max(0, step)}`);
    if (!answer.ok || asked !== this.asked) return false;
    this.at = Math.max(0, step);
    this.show(await answer.json(), this.at);
    return true;
  }

  /** @param {number} way one step back or on */
  move(way) {
    const from = this.at ?? stepsOf(this.now());
    if (way < 0 || this.at !== null) void this.go(from + way);
  }

  /** Play the last turn once more. */
  async again() {
    const last = stepsOf(this.now());
    for (let step = beforeLastTurn(this.now()); step <= last; step++) {
      if (!(await this.go(step))) return;
      const asked = this.asked;
      if (step < last) await new Promise((done) => window.setTimeout(done, STEP_PAUSE));
      if (asked !== this.asked) return;
    }
  }

  leave() {
    this.asked += 1;
    this.at = null;
    this.present();
  }
}
