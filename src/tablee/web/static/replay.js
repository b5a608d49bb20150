/** Looking through a finished or running game step by step, without leaving the page. */
import { Board } from "./board.js";
import { root } from "./root.js";

const frame = /** @type {HTMLElement} */ (document.getElementById("board"));
const table = document.body.dataset.table;
const last = Number(frame.dataset.last);
let at = Number(frame.dataset.at);
/** @type {Board | null} */
let board = null;
let asked = at;

/** @param {number} step */
async function go(step) {
  const wanted = Math.max(0, Math.min(last, step));
  asked = wanted;
  const answer = await fetch(`${root}/t/${table}/view?at=${wanted}`);
  if (!answer.ok) return location.assign(`?at=${wanted}`);
  const view = await answer.json();
  if (asked !== wanted) return;
  if (board) board.show(view.scene, Boolean(view.throw && view.throw.seq === view.at));
  else board = new Board(frame, view.scene, document.body.dataset.game ?? "", { touch: () => {}, undo: () => {}, selects: () => false, name: nameOf });
  board.trace(view.trails);
  if (at === wanted) return;
  at = wanted;
  history.replaceState(null, "", `?at=${at}`);
  settle(view.over);
  const told = view.told.map((/** @type {string} */ text) => {
    const line = document.createElement("li");
    line.textContent = text;
    return line;
  });
  document.getElementById("told")?.replaceChildren(...told);
}

/** @param {string} cell @param {import("./view.js").PieceView[]} pieces @returns {string} */
function nameOf(cell, pieces) {
  return [cell, ...new Set(pieces.map((piece) => piece.label))].join(", ");
}

/** @param {boolean} over bring the links, the record and the form to the step that is shown; from the end nothing can be played on */
function settle(over) {
  const where = document.querySelector(".steps .where");
  if (where) where.textContent = (where.textContent ?? "").replace(/\d+/, String(at));
  const steps = { first: 0, prev: Math.max(0, at - 1), next: Math.min(last, at + 1), last };
  for (const [rel, step] of Object.entries(steps)) {
    const link = document.querySelector(`.steps [rel=${rel}]`);
    link?.setAttribute("href", `?at=${step}`);
    if (step === at) link?.setAttribute("aria-disabled", "true");
    else link?.removeAttribute("aria-disabled");
  }
  for (const line of document.querySelectorAll("#record li")) {
    if (line.getAttribute("data-at") === String(at)) {
      line.setAttribute("aria-current", "step");
      line.scrollIntoView({ block: "nearest" });
    } else line.removeAttribute("aria-current");
  }
  for (const link of document.querySelectorAll("a[href*='board.svg']")) link.setAttribute("href", `${root}/t/${table}/board.svg?at=${at}`);
  const field = /** @type {HTMLInputElement | null} */ (document.querySelector("form input[name=at]"));
  if (field) field.value = String(at);
  const on = /** @type {HTMLButtonElement | null} */ (document.querySelector("form[action$='/from'] button"));
  if (on) on.disabled = over;
  const share = /** @type {HTMLInputElement | null} */ (document.getElementById("share-link"));
  if (share) share.value = share.value.replace(/at=\d+/, `at=${at}`);
}

document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest(".steps a, #record a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  void go(Number(new URL(link.getAttribute("href") ?? "", location.href).searchParams.get("at")));
});

// Played by itself, until the end or until it is stopped.

const EACH = 900;
const player = /** @type {HTMLElement} */ (document.getElementById("autoplay"));
let playing = 0;

/** @param {boolean} on */
function autoplay(on) {
  window.clearInterval(playing);
  playing = on ? window.setInterval(() => (at < last ? void go(at + 1) : autoplay(false)), EACH) : 0;
  player.setAttribute("aria-pressed", String(on));
}

player.hidden = last === 0;
player.addEventListener("click", () => {
  if (!playing && at === last) void go(0);
  autoplay(!playing);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "")) return;
  const steps = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
  if (event.key in steps) {
    event.preventDefault();
    void go(steps[/** @type {keyof typeof steps} */ (event.key)]);
  }
});

// The board of this step as data, so that the next one can be compared with it.
void go(at);
