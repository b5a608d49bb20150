/** The page of a table: joins the board, the walk of touches and the line to the house. */
import { advised, costOf } from "./adviser.js";
import { ANSWER_FIRST, Board } from "./board.js";
import { Line, newId } from "./line.js";
import { clockText, element, nameOf, part, say, showAsk, hideRefusal, showCommands, showRecord, showRefusal, showResult, showSeats, showThrow, showTold, showWatchers, write } from "./panels.js";
import { play as sound } from "./sound.js";
import { LookBack, stepsOf } from "./lookback.js";
import { chooseMirror, chooseTurn } from "./orient.js";
import { root } from "./root.js";
import { offerSide, showSide } from "./side.js";
import { Stage } from "./stage.js";
import { applied, appliedScene } from "./view.js";
import { Walk, countOf } from "./walk.js";

/** @typedef {import("./walk.js").Act} Act */
/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").Change} Change */
/** @typedef {import("./line.js").Message} Message */
/** @typedef {import("./stage.js").Shown} Shown */

const table = /** @type {string} */ (document.body.dataset.table);
const game = /** @type {string} */ (document.body.dataset.game);
const GRAVE = ["resign", "leave", "abandon", "stop"];
const SURE_FOR = 4000;
/** What stands at the top of a telephone, and the least of a slim board that is in sight while a message stands beside it, in pixels. */
const TOP = 48;
const LEAST_BESIDE = 220;

/** @type {View} */
let view = JSON.parse(part("view").textContent ?? "{}");
/** @type {View | null} a view of an earlier step, while one looks back */
let past = null;
let told = view.sentences.at(-1)?.seq ?? -1;
let seenAt = performance.now();
let confirmed = -1;
/** @type {Set<number>} */
const contributed = new Set();

const walk = new Walk();
const board = new Board(part("board"), view.scene, game, { touch, undo, selects, name: nameOf, swipe: (way) => lookBack.move(way) });
const lookBack = new LookBack(table, () => view, showPast, present);
const stage = new Stage(draw, thrownByTouch, () => board.lively());
const line = new Line(table, { view: renew, change: renewBy, ok: answered, no: refused, state: connected }, () => view.seq);

// What comes from the house.

/** @param {Change} change take over what changed */
function renewBy(change) {
  const fresh = applied(view, change);
  if (fresh && change.from === change.to) showWatchers((view = fresh)); // nothing happened at the table: what is in the hand stays
  else if (fresh) renew(fresh, boardsOf(view, change));
  else line.lookAgain();
}

/** @param {View} before @param {Change} change @returns {Shown[]} the boards to show before the last one */
function boardsOf(before, change) {
  let scene = before.scene;
  return (change.path ?? []).map((step) => {
    scene = step.scene ? appliedScene(scene, step.scene) : scene;
    return { scene, throw: Boolean(step.throw), seat: step.seat ?? null, last: false };
  });
}

/** @param {View} fresh take over a new view @param {Shown[]} path what to show before */
function renew(fresh, path = []) {
  const before = view;
  if (fresh.seq < before.seq) confirmed = told = fresh.seq; // the house came back from a backup: what it has forgotten is not waited for
  view = fresh;
  seenAt = performance.now();
  const threw = (fresh.throw?.seq ?? -1) > (before.throw?.seq ?? -1) && Boolean(fresh.record.at(-1)?.throws?.at(-1)) && !path.at(-1)?.throw;
  const last = { scene: fresh.scene, throw: threw, seat: fresh.throw?.seat ?? null, last: true };
  const keep = toolInHand(before);
  stage.show(fresh.hash === before.hash ? [last] : [...path, last], () => settle(before, fresh, keep));
  if (!before.next && fresh.next && fresh.you.length) location.assign(`${root}/t/${fresh.next}`);
  const links = (/** @type {View} */ one) => one.invitations.map((link) => link.path).join();
  if (links(fresh) !== links(before) && fresh.invitations.length > before.invitations.length) location.reload();
}

/** @param {Shown} shown @param {Shown | undefined} before draw one board */
function draw(shown, before) {
  if (past) return;
  const paid = Boolean(before?.throw && before.scene.marks.length);
  const moved = board.show(shown.scene, shown.throw, { oneByOne: paid });
  board.trace([]);
  board.glow(shown.throw && !shown.last ? shown.scene.marks : []);
  if (shown.throw && !shown.last) showRolling();
  if (shown.throw) sound("dice");
  else if (moved) sound(moved > 1 ? "capture" : "move");
}

/** While the dice fall nothing is asked: what was asked before is over. */
function showRolling() {
  write(part("ask"), say("dice fall"));
  part("ask").dataset.yours = "no";
}

/** @param {View} before @param {View} fresh @param {string | null} keep what to do once the boards of a view have been shown */
function settle(before, fresh, keep) {
  const changed = fresh.hash !== before.hash;
  if (!past) board.trace(fresh.trails);
  if (fresh.result && !before.result) end();
  else if (changed && fresh.legal.length && !before.legal.length) sound("turn");
  part("board").dataset.seq = String(fresh.seq);
  if (stage.busy) return showSoFar(fresh);
  walk.renew(past ? [] : fresh.legal, keep);
  if (changed) hideRefusal();
  showAll();
  speak();
  contribute();
}

/** The end is told at the top of the page, wherever one has pushed it. */
function end() {
  sound("end");
  if (!narrow.matches) return;
  /** @type {HTMLDetailsElement} */ (part("drawer")).open = false;
  window.scrollTo(0, 0);
}

/** @param {View} shown what is known while later boards are still to be shown: no end before its last throw */
function showSoFar(shown) {
  showSeats(shown);
  showTold(shown);
  showRecord(shown, table);
  hideRefusal();
  showWalk();
}

/** @param {Shown} shown let whoever wants to throw by a touch do so @returns {Promise<void>} */
function thrownByTouch(shown) {
  if (document.documentElement.dataset.throw !== "touch" || shown.seat === null || !view.you.includes(shown.seat)) return Promise.resolve();
  return new Promise((done) => {
    const button = element("button", { type: "button", class: "primary throw-now" }, say("throw now"));
    const go = () => {
      button.remove();
      part("board").removeEventListener("click", go);
      done();
    };
    button.addEventListener("click", go);
    part("board").addEventListener("click", go);
    part("asks").before(button);
    button.focus({ preventScroll: true });
  });
}

/** @param {View} before @returns {string | null} what stays in the hand after a play: a cell on which nothing stands, like a chip */
function toolInHand(before) {
  const first = walk.chosen[0] ?? lastTool;
  return first && before.scene.pieces.every((piece) => piece.cell !== first) ? first : null;
}
/** @type {string | null} */
let lastTool = null;

function showAll() {
  showSeats(view);
  showWatchers(view);
  showAsk(view);
  showThrow(view);
  showTold(view);
  showRecord(view, table);
  showResult(view, table);
  showCommands(view, table, wire);
  showTyped();
  showWalk();
  showHint();
  offerSide(view);
  const invite = document.getElementById("invite");
  if (invite && view.node.kind !== "waiting" && !view.invitations.length) invite.remove();
  document.title = view.legal.length ? `● ${say("your move")} – ${view.title}` : document.title.replace(/^● [^–]+ – /, "");
}

/** Say what has happened since, and what is asked. */
function speak() {
  const fresh = view.sentences.filter((sentence) => sentence.seq > told).map((sentence) => sentence.text);
  told = view.sentences.at(-1)?.seq ?? told;
  if (fresh.length) write(part("live"), [...fresh, view.legal.length ? view.node.ask : ""].join(" ").trim());
}

/** Add this browser's chance to the dice, once the seal has been seen. */
function contribute() {
  if (view.phase !== "waiting" || !view.dice.commitment) return;
  for (const seat of view.you) {
    if (view.seats[seat].contributed || contributed.has(seat)) continue;
    contributed.add(seat);
    line.mention({ t: "contribute", seat, contribution: newId() });
  }
}

/** @param {boolean} open */
function connected(open) {
  const note = part("connection");
  if (open) {
    contributed.clear();
    contribute();
    if (note.dataset.lost) {
      write(note, say("connection back"));
      window.setTimeout(() => (note.hidden = line.open), 2500);
    }
    delete note.dataset.lost;
    document.body.classList.remove("offline");
  } else {
    // A short cut need not be told.
    window.setTimeout(() => {
      if (line.open) return;
      note.dataset.lost = "yes";
      note.hidden = false;
      write(note, say(line.keeps("play") ? "sending" : "connection lost"));
      document.body.classList.add("offline");
    }, 400);
  }
  showWalk();
}

/** @param {Message} message what was sent is written; the board waits for the view that shows it */
function answered(message) {
  confirmed = Math.max(confirmed, Number(message.seq));
  showWalk();
}

/** Whether a crate of an open stack was asked for: the stack stays open when it is refused. */
let onStack = false;

/** @param {any} message something was refused */
function refused(message) {
  if (!onStack) walk.clear();
  onStack = false;
  if (message.code === "phase" && message.text && !message.paragraphs?.length && !view.legal.length) return showWalk();
  showRefusal(game, view.title, message.text ?? "", message.paragraphs ?? [], !message.instead && walk.first().size > 0);
  board.shake(message.cells?.[0] ?? lastTouched);
  board.flash(message.cells ?? []);
  sound("refused");
  showWalk();
}

/** Show the hint that was asked for here: on the board, and in words. */
function showHint() {
  const hint = !past && view.hint && view.you.includes(view.hint.seat) ? view.hint : null;
  board.advise(hint?.touches ?? [], hint?.ways ?? [], hint && countOf(hint));
  const box = part("hint");
  box.hidden = !hint;
  write(box, hint ? say("hint words", { text: hint.text, why: hint.why }).trim() : "");
  if (hint) uncover();
}

// What goes to the house.

/** @type {string} the action that a warning was given for */
let warned = "";
/** Counts what was done at the board: the adviser’s answer is for what was done last. */
let deeds = 0;

/** @param {Act} act @param {string[]} rest what was typed after it */
function playAct(act, rest = []) {
  if (act.warning && warned !== act.token) {
    warned = act.token;
    walk.chosen = walk.chosen.slice(0, -1);
    showRefusal(game, view.title, say("warned", { warning: act.warning }), [], false);
    return showWalk();
  }
  if (advised() && warned !== act.token) return void advise(act, rest);
  warned = "";
  lastTool = walk.chosen.length > 1 ? walk.chosen[0] : null;
  playTokens(act.seat, [act.token, ...rest]);
}

/** @param {Act} act @param {string[]} rest let the adviser look at an action before it is sent with what was typed after it */
async function advise(act, rest) {
  const { seq } = view;
  const deed = ++deeds;
  const text = await costOf(table, act);
  if (view.seq !== seq || deed !== deeds) return;
  warned = act.token;
  if (!text) return playAct(act, rest);
  walk.clear();
  showRefusal(game, view.title, text, []);
  showWalk();
}

/** @param {number} seat @param {string[]} tokens */
function playTokens(seat, tokens) {
  if (line.keeps("play")) return;
  deeds += 1;
  line.send({ t: "play", seat, tokens, seq: view.seq });
  walk.chosen = [];
  window.setTimeout(() => {
    if (!line.keeps("play")) return;
    hideRefusal();
    showWalk();
  }, ANSWER_FIRST);
}

/** @returns {boolean} whether a touch would be listened to */
function listening() {
  return !past && !stage.busy && !line.keeps("play") && view.seq >= confirmed && view.legal.length > 0;
}

// A refusal has been read once something else is touched; on a telephone it lies over the foot of the board.
document.addEventListener(
  "pointerdown",
  (event) => {
    if (!part("refusal").hidden && !(/** @type {Element} */ (event.target).closest("#refusal"))) hideRefusal();
  },
  true,
);

// A touch takes the words of a hint away, the board keeps it.
part("hint").addEventListener("click", () => (part("hint").hidden = true));

// The board.

/** @type {string | null} */
let lastTouched = null;

/** @param {string} cell @param {number | null} count */
function touch(cell, count) {
  lastTouched = cell;
  onStack = false;
  if (!listening()) return;
  deeds += 1;
  const touched = walk.touch(cell, count);
  if (touched.kind === "play") return playAct(touched.act);
  if (touched.kind === "refused") return refuse(cell, touched.token);
  hideRefusal();
  showWalk();
  if (touched.kind === "choose") /** @type {HTMLElement | null} */ (part("choices").querySelector("button"))?.focus({ preventScroll: true });
}

/** @param {string} cell whether a touch takes something up without playing @returns {boolean} */
function selects(cell) {
  if (!listening()) return false;
  const after = walk.next().has(cell) ? [...walk.chosen, cell] : walk.first().has(cell) ? [cell] : null;
  return after !== null && walk.meant(after).some((act) => act.touches.length > after.length);
}

function undo() {
  deeds += 1;
  if (!walk.chosen.length) return;
  walk.clear();
  lastTool = null;
  showWalk();
}

/** @param {string} cell @param {string} token let the house say why a touch leads nowhere */
function refuse(cell, token) {
  if (token && walk.seat !== null) {
    line.mention({ t: "play", seat: walk.seat, tokens: [token], seq: view.seq });
    return;
  }
  void explain(cell, [...walk.chosen, cell]);
}

/** @param {string} cell @param {string[]} touches ask the house what is wrong with touches that begin no action that could be written */
async function explain(cell, touches) {
  const seq = view.seq;
  const query = new URLSearchParams([["seat", String(walk.seat)], ...touches.map((name) => ["touch", name])]);
  const answer = await fetch(`${root}/t/${table}/why?${query}`).catch(() => null);
  const why = answer?.ok ? await answer.json() : { text: "" };
  // A reason without a paragraph says itself what to touch instead.
  if (seq === view.seq) refused({ ...why, text: why.text || say("not from here"), cells: why.cells?.length ? why.cells : [cell], instead: why.text && !why.paragraphs?.length });
}

/** Light the board and offer the buttons for where the walk stands. */
function showWalk() {
  const on = listening();
  const chosen = on ? walk.chosen : [];
  const next = on ? walk.next() : new Set();
  const also = on && chosen.length ? walk.first() : new Set();
  board.light({ next, also, chosen, count: walk.count });
  document.body.classList.toggle("yours", on);
  document.body.classList.toggle("walking", chosen.length > 0);
  showButtons(on);
  showChoices(on);
  uncover();
}

/** On a telephone the bar lies over the foot of a tall board: scroll until no place that may be touched is under it. */
function uncover() {
  const bar = part("bar");
  if (getComputedStyle(bar).position !== "fixed") return;
  makeRoom();
  const places = [...part("board").querySelectorAll(".spot.lit .ring")].map((ring) => ring.getBoundingClientRect().bottom);
  const covered = Math.max(0, ...places) - bar.getBoundingClientRect().top;
  if (covered > 0) window.scrollBy(0, covered + 8);
}

/**
 * On a telephone a message stands between the board and the question, over the aim where it must; beside a slim board it has a column of its own.
 * Where it is longer than its place it is pushed up and down by a finger.
 */
function makeRoom() {
  const frame = part("board");
  const [board, ask, bar] = [frame.querySelector("svg") ?? frame, part("ask"), part("bar")].map((node) => node.getBoundingClientRect());
  const set = (/** @type {string} */ name, /** @type {number} */ length) => document.body.style.setProperty(name, `${Math.max(0, Math.round(length))}px`);
  const beside = frame.classList.contains("slim") && board.bottom > LEAST_BESIDE && innerHeight > innerWidth;
  const top = beside ? Math.max(board.top, TOP) : Math.max(board.bottom, TOP);
  const said = ["hint", "refusal"].map(part).filter((node) => !node.hidden);
  const lifted = !beside && Math.max(0, ...said.map((node) => node.scrollHeight)) + 12 < bar.top - top;
  document.body.classList.toggle("beside", beside);
  set("--beside-left", board.right + 8);
  set("--beside-top", top);
  set("--lift", lifted ? ask.top - bar.top : 0);
  set("--room", (beside ? board.bottom : (lifted ? bar.top : ask.top) - 4) - top);
}

/** @param {boolean} on */
function showButtons(on) {
  const acts = on ? walk.acts().filter((act) => act.button) : [];
  const box = part("buttons");
  const facts = JSON.stringify(acts);
  if (box.dataset.facts === facts) return;
  box.dataset.facts = facts;
  const focused = box.contains(document.activeElement);
  box.replaceChildren(
    ...acts.map((act) => {
      const button = element("button", { type: "button", name: "tokens", value: act.token, "data-token": act.token, "data-seat": String(act.seat) }, act.button ?? act.token);
      button.addEventListener("click", () => playAct(act));
      return button;
    }),
  );
  if (focused) refocus(box);
}

/** @param {HTMLElement} box keep the focus of whoever plays by keys: in the box, or back on the board */
function refocus(box) {
  const button = box.querySelector("button");
  if (button) button.focus({ preventScroll: true });
  else board.takeFocus();
}

/** @param {boolean} on offer what the touches leave open: for whom, how many, or which of several */
function showChoices(on) {
  const box = part("choices");
  const nodes = on ? [...seatChoices(), ...actChoices()] : [];
  const focused = box.contains(document.activeElement);
  box.hidden = !nodes.length;
  box.replaceChildren(...nodes);
  if (focused) refocus(box);
}

/** @returns {HTMLElement[]} */
function seatChoices() {
  const seats = walk.seats();
  if (seats.length < 2) return [];
  return [
    element("span", { class: "choice-label" }, say("for whom")),
    ...seats.map((seat) => {
      const button = element("button", { type: "button", class: "choice", "data-for": String(seat), "aria-pressed": String(seat === walk.seat) }, view.seats[seat].sign);
      button.addEventListener("click", () => {
        walk.seat = seat;
        walk.clear();
        showWalk();
      });
      return button;
    }),
  ];
}

/** @returns {HTMLElement[]} */
function actChoices() {
  if (!walk.chosen.length) return [];
  const meant = walk.meant();
  const whole = meant.filter((act) => act.touches.length === walk.chosen.length);
  const counts = walk.counts();
  if (whole.length > 1 || (whole.length && whole.length < meant.length)) {
    const counted = whole.every((act) => countOf(act) !== null);
    if (counted && board.on(walk.chosen[0]).length > 1) return stackChoices(walk.counts(), (count) => whole.find((act) => countOf(act) === count));
    return [
      element("span", { class: "choice-label" }, say(counted ? "how many" : "which action")),
      ...whole.map((act) => {
        const button = element("button", { type: "button", class: "choice", "data-token": act.token, "aria-label": act.said || act.button || act.token }, String(countOf(act) ?? (act.said || act.button || act.token)));
        button.addEventListener("click", () => playAct(act));
        return button;
      }),
    ];
  }
  return counts.length && board.on(walk.chosen[0]).length > 1 ? stackChoices(counts) : [];
}

/** @param {number} count let the house say why so many crates of the open stack cannot be taken */
function askStack(count) {
  onStack = true;
  refuse(walk.chosen[0], walk.counted(count));
}

/**
 * The chosen stack drawn large, from the top down; what cannot be taken says why.
 * @param {number[]} counts how many of it may be taken
 * @param {(count: number) => Act | undefined} actOf what is played for a number, once all has been touched
 * @returns {HTMLElement[]}
 */
function stackChoices(counts, actOf = () => undefined) {
  const crates = [...board.on(walk.chosen[0])].reverse().map((piece, at) => {
    const count = at + 1;
    const may = counts.includes(count);
    const act = actOf(count);
    const attributes = { type: "button", class: "choice crate", "data-count": String(count), "data-token": act?.token, "aria-pressed": String(walk.count !== null && count <= walk.count), "aria-disabled": may ? null : "true", "aria-label": `${count}, ${piece.label}` };
    const button = element("button", attributes, board.picture(piece), String(count));
    button.addEventListener("click", () => {
      if (act) return playAct(act);
      if (may) walk.count = count;
      else askStack(count);
      showWalk();
    });
    return button;
  });
  return [element("span", { class: "choice-label" }, say("how many")), ...crates];
}

// The forms of the page: what is typed, commanded and said.

function showTyped() {
  const form = /** @type {HTMLFormElement} */ (part("typed"));
  form.hidden = !view.legal.length;
  part("legal").replaceChildren(...view.legal.slice(0, 200).map((act) => element("option", { value: act.token })));
}

part("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const box = /** @type {HTMLInputElement} */ (part("tokens"));
  const tokens = box.value.trim().split(/\s+/).filter(Boolean).slice(0, 64);
  if (!tokens.length || walk.seat === null || !listening()) return;
  lastTouched = null;
  const act = walk.acts().find((one) => one.token === tokens[0]);
  if (act) playAct(act, tokens.slice(1));
  else playTokens(walk.seat, tokens);
  box.value = "";
});

part("acts").addEventListener("submit", (event) => event.preventDefault());

/** @param {HTMLFormElement} form send a command over the line instead of leaving the page */
function wire(form) {
  const grave = GRAVE.includes(form.dataset.do ?? "");
  let sure = 0;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const pressed = /** @type {HTMLButtonElement | null} */ (event.submitter);
    if (grave && pressed && performance.now() > sure) {
      sure = performance.now() + SURE_FOR;
      const label = pressed.textContent ?? "";
      pressed.textContent = say("sure", { label });
      pressed.classList.add("sure");
      window.setTimeout(() => {
        pressed.textContent = label;
        pressed.classList.remove("sure");
      }, SURE_FOR);
      return;
    }
    const fields = new FormData(form, pressed);
    const text = (/** @type {string} */ name) => String(fields.get(name) ?? "");
    /** @type {import("./line.js").Message} */
    const command = { t: text("t") };
    if (fields.has("seat")) command.seat = Number(text("seat"));
    if (fields.has("what")) command.what = text("what");
    if (fields.has("yes")) command.yes = text("yes") === "true";
    if (fields.has("phrase")) command.phrase = text("phrase");
    else if (text("text").trim()) command.text = text("text").trim();
    line.send(command);
    for (const field of form.querySelectorAll("input[type=text], input:not([type])")) /** @type {HTMLInputElement} */ (field).value = "";
  });
}
document.querySelectorAll("form[data-do]").forEach((form) => wire(/** @type {HTMLFormElement} */ (form)));

// Looking back.

/** @param {View} earlier @param {number} step show the board as it was */
function showPast(earlier, step) {
  past = earlier;
  deeds += 1;
  board.show(earlier.scene, false);
  board.trace(earlier.trails);
  board.advise([], []);
  walk.renew([], null);
  part("record").querySelectorAll("[aria-current]").forEach((node) => node.removeAttribute("aria-current"));
  const link = part("record").querySelector(`[data-step="${step}"]`);
  link?.setAttribute("aria-current", "step");
  link?.scrollIntoView({ block: "nearest" });
  write(part("looking").querySelector(".where"), say("step where", { at: step, last: stepsOf(view) }));
  part("looking").hidden = false;
  document.body.classList.add("looking-back");
  showWalk();
}

/** Come back to the game as it stands. */
function present() {
  if (!past) return;
  past = null;
  part("looking").hidden = true;
  document.body.classList.remove("looking-back");
  part("record").querySelectorAll("[aria-current]").forEach((node) => node.removeAttribute("aria-current"));
  board.show(view.scene, false);
  board.trace(view.trails);
  walk.renew(view.legal, null);
  showWalk();
  showHint();
}

part("record").addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest("a.token");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  void lookBack.go(Number(link.getAttribute("data-step") ?? new URL(link.getAttribute("href") ?? "", location.href).searchParams.get("at")));
});

for (const button of document.querySelectorAll("[data-look]")) {
  /** @type {HTMLElement} */ (button).hidden = false;
  button.addEventListener("click", () => {
    const what = button.getAttribute("data-look");
    if (what === "again") void lookBack.again();
    else if (what === "now") lookBack.leave();
    else lookBack.move(what === "back" ? -1 : 1);
  });
}

document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "") || document.activeElement?.closest("[role=grid]");
  if (event.key === "Escape") {
    if (past) lookBack.leave();
    else undo();
  } else if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
    lookBack.move(event.key === "ArrowLeft" ? -1 : 1);
  }
});

// The board as each viewer wants to see it.

part("board-tools").hidden = false;
part("turn-board").addEventListener("click", () => {
  chooseTurn(game, view.scene);
  turnBoard();
});
part("mirror-board").addEventListener("click", () => {
  chooseMirror(game);
  showSide();
  turnBoard();
});
document.getElementById("side-offer")?.addEventListener("change", turnBoard);

function turnBoard() {
  board.turn();
  showWalk();
  showHint();
}

// Clocks run between two views.

window.setInterval(() => {
  for (const seat of view.seats) {
    if (!seat.clock?.running) continue;
    write(document.querySelector(`#seats [data-seat="${seat.seat}"] .clock`), clockText(seat.clock.left - (performance.now() - seenAt)));
  }
}, 500);

// On a narrow screen the record lies behind "more", the guided game is offered below the board, and the page leaves room for the bar.
const narrow = matchMedia("(max-width: 820px)");
function layOut() {
  if (narrow.matches) part("drawer").append(part("record-box"));
  else part("drawer").before(part("record-box"));
  const offer = document.getElementById("first-offer");
  if (offer) document.querySelector(narrow.matches ? ".news" : ".messages")?.append(offer);
}
narrow.addEventListener("change", layOut);
layOut();
new ResizeObserver(() => document.body.style.setProperty("--bar", `${part("bar").offsetHeight}px`)).observe(part("bar"));
for (const moved of ["scroll", "resize"]) window.addEventListener(moved, () => narrow.matches && makeRoom(), { passive: true });

walk.renew(view.legal, null);
board.trace(view.trails);
showAll();
document.body.classList.add("lively");
