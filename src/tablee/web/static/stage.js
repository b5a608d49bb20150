/**
 * What is shown, one thing after the other: every throw is seen, then its effect, then the next thing.
 * Frames from the house wait here while an earlier one is still being shown.
 */

/** @typedef {import("./view.js").SceneView} Scene */
/** @typedef {{scene: Scene, throw: boolean, seat: number | null, last: boolean}} Shown a board, whether it shows a new throw, and whose */

const MOST_WAITING = 6;
const THROW_PAUSE = 750;
const LIT_PAUSE = 1500;
const MOVE_PAUSE = 330;
const PAID_PAUSE = 1100;
/** How long a row of dead throws takes together, at least and at most for each. */
const ROW = 4500;
const LEAST_THROW = 130;
/** Of a longer row, a hand throws the first alone. */
const BY_HAND = 4;

/** @param {number} milliseconds @returns {Promise<void>} */
function pause(milliseconds) {
  return new Promise((done) => window.setTimeout(done, milliseconds));
}

/** @param {Shown} shown @param {Shown | undefined} before @param {boolean} lively @param {number} throws how many throws follow one another @returns {number} how long a board stands before the next one */
function length(shown, before, lively, throws) {
  if (shown.throw) return shown.scene.marks.length && !shown.last ? LIT_PAUSE : Math.max(LEAST_THROW, Math.min(THROW_PAUSE, ROW / throws));
  if (!lively || throws > ROW / THROW_PAUSE) return 0;
  return before?.throw && before.scene.marks.length ? PAID_PAUSE : MOVE_PAUSE;
}

export class Stage {
  /**
   * @param {(shown: Shown, before: Shown | undefined) => void} draw
   * @param {(shown: Shown) => Promise<void>} ready what to wait for before a throw is shown
   * @param {() => boolean} lively whether things move
   */
  constructor(draw, ready, lively) {
    this.draw = draw;
    this.ready = ready;
    this.lively = lively;
    /** @type {{boards: Shown[], settle: () => void}[]} */ this.waiting = [];
    this.busy = false;
  }

  /** @param {Shown[]} boards @param {() => void} settle what to do once they have been shown */
  show(boards, settle) {
    this.waiting.push({ boards, settle });
    if (!this.busy) void this.run();
  }

  async run() {
    this.busy = true;
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      const hurried = document.hidden || this.waiting.length > MOST_WAITING;
      const boards = hurried ? next.boards.slice(-1) : next.boards;
      const throws = boards.filter((board) => board.throw).length;
      let asked = true;
      for (const [at, board] of boards.entries()) {
        if (board.throw && !hurried && asked) await this.ready(board);
        if (board.throw && throws > BY_HAND) asked = false;
        this.draw(board, boards[at - 1]);
        const wait = board.last ? 0 : length(board, boards[at - 1], this.lively(), throws);
        if (wait) await pause(wait);
      }
      this.busy = this.waiting.length > 0;
      next.settle();
    }
    this.busy = false;
  }
}
