/** The guided first game: the real board, one sentence a step. What is tried is judged by the house; this page knows no rules. */
import { Board } from "./board.js";
import { element, nameOf, part, say } from "./panels.js";
import { root } from "./root.js";
import { Walk, countOf } from "./walk.js";

/** @typedef {import("./walk.js").Act} Act */
/** @typedef {{number: number, scene: any, acts: Act[], touches: string[], sentence: {text: string, touch: string, button: string}[]}} Step */

const game = /** @type {string} */ (document.body.dataset.game);
/** @type {Step} */
let step = JSON.parse(part("step").textContent ?? "{}");
/** @type {Step | null} */
let following = null;
let busy = false;
let done = false;

const walk = new Walk();
const board = new Board(part("board"), step.scene, game, { touch, undo, selects: (cell) => walk.first().has(cell) && !walk.chosen.length, name: nameOf });

/** @param {string} cell how many of a stack is asked afterwards, so that a learner sees the question */
function touch(cell) {
  if (busy || done) return;
  const touched = walk.touch(cell, null);
  if (touched.kind === "play") return void attempt(touched.act.token);
  if (touched.kind === "refused") tell(say("not from here"), "");
  show();
  if (touched.kind === "choose") part("choices").querySelector("button")?.focus({ preventScroll: true });
}

function undo() {
  walk.clear();
  show();
}

/** @param {string} token let the house say what the rules make of it */
async function attempt(token) {
  busy = true;
  const answer = await fetch(`${root}/first/${game}/${step.number}/try?token=${encodeURIComponent(token)}`).then((one) => one.json()).catch(() => null);
  busy = false;
  walk.clear();
  if (!answer) return show();
  tell(answer.text, answer.paragraph);
  if (answer.refused) {
    board.shake(answer.cells[0] ?? null);
    board.flash(answer.cells);
  }
  for (const scene of answer.boards) board.show(scene, false);
  done = answer.done;
  following = answer.next;
  show();
  if (!done) return;
  if (following) part("on").focus({ preventScroll: true });
  else finish();
}

/** @param {string} text @param {string} paragraph */
function tell(text, paragraph) {
  const box = part("outcome");
  box.hidden = false;
  box.replaceChildren(text);
  if (paragraph) box.append(" ", element("a", { href: `${root}/r/${game}#${paragraph}`, class: "why" }, `${say("why")} (${paragraph})`));
}

/** Light what can be touched, and offer the buttons. */
function show() {
  part("on").hidden = !(done && following);
  document.body.classList.toggle("yours", !done);
  board.light({ next: done ? new Set() : walk.next(), also: new Set(), chosen: done ? [] : walk.chosen, count: walk.count });
  board.advise(done ? [] : step.touches);
  part("outcome").classList.toggle("good", done);
  const buttons = done ? [] : walk.acts().filter((act) => act.button);
  part("buttons").replaceChildren(...buttons.map((act) => pressable(act, act.button ?? act.token)));
  const whole = done ? [] : walk.meant().filter((act) => walk.chosen.length && act.touches.length === walk.chosen.length);
  const choices = whole.length > 1 ? whole : [];
  part("choices").hidden = !choices.length;
  const label = choices.every((act) => countOf(act) !== null) ? "how many" : "which action";
  part("choices").replaceChildren(...(choices.length ? [element("span", { class: "choice-label" }, say(label))] : []), ...choices.map((act) => pressable(act, String(countOf(act) ?? act.said ?? act.button ?? act.token))));
}

/** @param {Act} act @param {string} words @returns {HTMLElement} */
function pressable(act, words) {
  const button = element("button", { type: "button", "data-token": act.token }, words);
  button.addEventListener("click", () => void attempt(act.token));
  return button;
}

/** @param {Step} fresh begin a step */
function begin(fresh) {
  step = fresh;
  following = null;
  done = false;
  const pieces = step.sentence.map((one) => (one.touch || one.button ? element("b", one.touch ? { "data-touch": one.touch } : { "data-button": one.button }, one.text) : one.text));
  part("sentence").replaceChildren(...pieces);
  part("step-number").textContent = String(step.number);
  part("outcome").hidden = true;
  board.show(step.scene, false);
  walk.seat = null;
  walk.renew(step.acts, null);
  show();
  document.body.dataset.step = String(step.number);
}

function finish() {
  part("end").hidden = false;
  document.body.dataset.step = "end";
  remember();
  part("end").querySelector("button")?.focus({ preventScroll: true });
}

/** Do not offer this first game again. */
function remember() {
  try {
    localStorage.setItem(`tablee-first-${game}`, "seen");
  } catch {
    // A browser that keeps nothing is offered it again.
  }
}

part("on").addEventListener("click", () => following && begin(following));
document.addEventListener("keydown", (event) => event.key === "Escape" && undo());
new ResizeObserver(() => document.body.style.setProperty("--bar", `${part("bar").offsetHeight}px`)).observe(part("bar"));
walk.renew(step.acts, null);
show();
remember();
document.body.dataset.step = String(step.number);
document.body.classList.add("lively");
