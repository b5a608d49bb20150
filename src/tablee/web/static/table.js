/** The page of a table: joins the board, the walk of touches and the line to the house. */
import { ANSWER_FIRST, Board } from "./board.js";
import { Line, newId } from "./line.js";
import { clockText, element, part, say, showAsk, showOrders, showRecord, showRefusal, showResult, showSeats, showThrow, showTold, write } from "./panels.js";
import { play as sound } from "./sound.js";
import { Walk, countOf, rewritten } from "./walk.js";

/** @typedef {import("./walk.js").Act} Act */

const table = /** @type {string} */ (document.body.dataset.table);
const game = /** @type {string} */ (document.body.dataset.game);
const GRAVE = ["resign", "leave", "abandon"];
const SURE_FOR = 4000;

/** @type {any} */
let view = JSON.parse(part("view").textContent ?? "{}");
/** @type {any} a view of an earlier step, while one looks back */
let past = null;
let told = view.sentences.at(-1)?.seq ?? -1;
let seenAt = performance.now();
let confirmed = -1;
/** @type {Set<number>} */
const contributed = new Set();

const walk = new Walk();
const board = new Board(part("board"), view.scene, game, { touch, undo, selects, name: nameOf });
const line = new Line(table, { view: renew, ok: answered, no: refused, state: connected }, () => view.seq);

// What comes from the house.

/** @param {any} fresh take over a new view */
function renew(fresh) {
  if (fresh.seq < view.seq) return;
  const before = view;
  view = fresh;
  seenAt = performance.now();
  const changed = fresh.hash !== before.hash;
  const threw = (fresh.throw?.seq ?? -1) > (before.throw?.seq ?? -1);
  const keep = toolInHand(before);
  if (!past) {
    const moved = board.show(fresh.scene, threw);
    if (changed) sounds(before, threw, moved);
  }
  part("board").dataset.seq = String(fresh.seq);
  walk.renew(past ? [] : fresh.legal, keep);
  if (changed) showRefusal(game, view.title, "", []);
  showAll();
  speak();
  contribute();
  if (!before.next && fresh.next && fresh.you.length) location.assign(`/t/${fresh.next}`);
  const links = (/** @type {any} */ one) => one.invitations.map((/** @type {any} */ link) => link.path).join();
  if (links(fresh) !== links(before) && fresh.invitations.length > before.invitations.length) location.reload();
}

/** @param {any} before @returns {string | null} what stays in the hand after a play: a cell on which nothing stands, like a chip */
function toolInHand(before) {
  const first = walk.chosen[0] ?? lastTool;
  return first && before.scene.pieces.every((/** @type {any} */ piece) => piece.cell !== first) ? first : null;
}
/** @type {string | null} */
let lastTool = null;

/** @param {any} before @param {boolean} threw @param {number} moved */
function sounds(before, threw, moved) {
  if (view.result && !before.result) sound("end");
  else if (threw) sound("dice");
  else if (moved) sound(moved > 1 ? "capture" : "move");
  else if (view.legal.length && !before.legal.length) sound("turn");
}

function showAll() {
  showSeats(view);
  showAsk(view);
  showThrow(view);
  showTold(view);
  showRecord(view, table);
  showResult(view, table, wire);
  showOrders(view, table, wire);
  showTyped();
  showWalk();
  const invite = document.getElementById("invite");
  if (invite && view.node.kind !== "waiting" && !view.invitations.length) invite.remove();
  document.title = view.legal.length ? `● ${say("your move")} – ${view.title}` : document.title.replace(/^● [^–]+ – /, "");
}

/** Say what has happened since, and what is asked. */
function speak() {
  const fresh = view.sentences.filter((/** @type {any} */ one) => one.seq > told).map((/** @type {any} */ one) => one.text);
  told = view.sentences.at(-1)?.seq ?? told;
  if (fresh.length) write(part("live"), [...fresh, view.legal.length ? view.node.ask : ""].join(" ").trim());
}

/** Add this browser's chance to the dice, once the seal has been seen. */
function contribute() {
  if (view.phase !== "waiting" || !view.dice.commitment) return;
  for (const seat of view.you) {
    if (view.seats[seat].contributed || contributed.has(seat)) continue;
    contributed.add(seat);
    line.mention({ t: "do", what: "contribute", seat, contribution: newId() });
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
      write(note, say(line.pending?.t === "play" ? "sending" : "connection lost"));
      document.body.classList.add("offline");
    }, 400);
  }
  showWalk();
}

/** @param {any} message what was sent is written; the board waits for the view that shows it */
function answered(message) {
  confirmed = Math.max(confirmed, Number(message.seq));
  showWalk();
}

/** @param {any} message something was refused */
function refused(message) {
  walk.clear();
  if (message.code === "phase" && message.text && !message.paragraphs?.length && !view.legal.length) return showWalk();
  showRefusal(game, view.title, message.text ?? "", message.paragraphs ?? []);
  board.shake(message.cells?.[0] ?? lastTouched);
  board.flash(message.cells ?? []);
  sound("refused");
  showWalk();
}

// What goes to the house.

/** @param {Act} act */
function playAct(act) {
  lastTool = walk.chosen.length > 1 ? walk.chosen[0] : null;
  playTokens(act.seat, [act.token]);
}

/** @param {number} seat @param {string[]} tokens */
function playTokens(seat, tokens) {
  if (line.pending?.t === "play") return;
  line.send({ t: "play", seat, tokens, seq: view.seq });
  walk.chosen = [];
  window.setTimeout(() => {
    if (line.pending?.t !== "play") return;
    showRefusal(game, view.title, "", []);
    showWalk();
  }, ANSWER_FIRST);
}

/** @returns {boolean} whether a touch would be listened to */
function listening() {
  return !past && line.pending?.t !== "play" && view.seq >= confirmed && view.legal.length > 0;
}

// A refusal has been read once something else is touched; on a telephone it lies over the foot of the board.
document.addEventListener(
  "pointerdown",
  (event) => {
    if (!part("refusal").hidden && !(/** @type {Element} */ (event.target).closest("#refusal"))) showRefusal(game, view.title, "", []);
  },
  true,
);

// The board.

/** @type {string | null} */
let lastTouched = null;

/** @param {string} cell @param {number | null} count */
function touch(cell, count) {
  lastTouched = cell;
  if (!listening()) return;
  const touched = walk.touch(cell, count);
  if (touched.kind === "play") return playAct(touched.act);
  if (touched.kind === "refused") return refuse(cell, touched.token || guess(cell));
  showRefusal(game, view.title, "", []);
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
  board.shake(cell);
  board.flash([cell]);
  sound("refused");
  showRefusal(game, view.title, say("not from here"), []);
}

/** @param {string} cell @returns {string} the token for the same step from another cell: what was most likely meant */
function guess(cell) {
  if (walk.chosen.length) return "";
  const from = board.cell(cell);
  for (const act of walk.acts().filter((one) => one.touches.length === 2)) {
    const [start, end] = act.touches.map((name) => board.cell(name));
    if (!from || !start || !end) continue;
    const [x, y] = [from.x + end.x - start.x, from.y + end.y - start.y];
    const target = board.scene.cells.find((one) => Math.hypot(one.x - x, one.y - y) < 1);
    const token = target ? rewritten(act, [cell, target.name]) : "";
    if (token) return token;
  }
  return "";
}

/** @param {string} cell @param {any[]} pieces @param {boolean} lit @returns {string} what is read out for a cell */
function nameOf(cell, pieces, lit) {
  const labels = [...new Set(pieces.map((piece) => piece.label))];
  const what = labels.length ? `${cell}, ${labels.join(", ")}` : say("cell empty", { cell });
  return lit ? say("cell lit", { cell: what }) : what;
}

/** Light the board and offer the buttons for where the walk stands. */
function showWalk() {
  const on = listening();
  const chosen = on ? walk.chosen : [];
  const next = on ? walk.next() : new Set();
  const also = on && chosen.length ? walk.first() : new Set();
  board.light({ next, also, chosen, count: walk.count });
  document.body.classList.toggle("yours", on);
  showButtons(on);
  showChoices(on);
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
      const button = element("button", { type: "button", name: "button", value: act.token, "data-token": act.token, "data-seat": String(act.seat) }, act.button ?? act.token);
      button.addEventListener("click", () => playTokens(act.seat, [act.token]));
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
    return [
      element("span", { class: "choice-label" }, say(counted ? "how many" : "which action")),
      ...whole.map((act) => {
        const button = element("button", { type: "button", class: "choice", "data-token": act.token, "aria-label": act.said ?? act.token }, String(countOf(act) ?? act.said ?? act.token));
        button.addEventListener("click", () => playAct(act));
        return button;
      }),
    ];
  }
  if (counts.length < 2) return [];
  return [
    element("span", { class: "choice-label" }, say("how many")),
    ...counts.map((count) => {
      const button = element("button", { type: "button", class: "choice", "data-count": String(count), "aria-pressed": String(count === walk.count) }, String(count));
      button.addEventListener("click", () => {
        walk.count = count;
        showWalk();
      });
      return button;
    }),
  ];
}

// The forms of the page: what is typed, what is ordered, what is said.

function showTyped() {
  const form = /** @type {HTMLFormElement} */ (part("typed"));
  form.hidden = !view.legal.length;
  part("legal").replaceChildren(...view.legal.slice(0, 200).map((/** @type {Act} */ act) => element("option", { value: act.token })));
}

part("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const box = /** @type {HTMLInputElement} */ (part("tokens"));
  const tokens = box.value.trim().split(/\s+/).filter(Boolean).slice(0, 64);
  if (!tokens.length || walk.seat === null || !listening()) return;
  lastTouched = null;
  playTokens(walk.seat, tokens);
  box.value = "";
});

part("acts").addEventListener("submit", (event) => event.preventDefault());

/** @param {HTMLFormElement} form send an order over the line instead of leaving the page */
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
    /** @type {any} */
    const order = { t: "do", what: text("what") };
    if (fields.has("seat")) order.seat = Number(text("seat"));
    if (fields.has("ask")) order.ask = text("ask");
    if (fields.has("agree")) order.yes = text("agree") === "yes";
    if (fields.has("phrase")) order.phrase = text("phrase");
    else if (text("text").trim()) order.text = text("text").trim();
    if (line.pending) line.mention(order);
    else line.send(order);
    for (const field of form.querySelectorAll("input[type=text], input:not([type])")) /** @type {HTMLInputElement} */ (field).value = "";
  });
}
document.querySelectorAll("form[data-do]").forEach((form) => wire(/** @type {HTMLFormElement} */ (form)));

// Looking back.

part("record").addEventListener("click", async (event) => {
  const link = /** @type {Element} */ (event.target).closest("a.token");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const step = link.getAttribute("data-step") ?? new URL(link.getAttribute("href") ?? "", location.href).searchParams.get("at");
  const answer = await fetch(`/t/${table}/view?at=${step}`);
  if (!answer.ok) return location.assign(/** @type {HTMLAnchorElement} */ (link).href);
  past = await answer.json();
  if (!past.past) return present();
  board.show(past.scene, false);
  walk.renew([], null);
  part("record").querySelectorAll("[aria-current]").forEach((node) => node.removeAttribute("aria-current"));
  part("record").querySelector(`[data-step="${step}"]`)?.setAttribute("aria-current", "step");
  const back = element("button", { type: "button" }, say("back to now"));
  back.addEventListener("click", present);
  document.getElementById("looking")?.remove();
  part("board").after(element("p", { id: "looking", class: "looking", role: "status" }, say("looking back", { token: link.textContent ?? "" }), " ", back));
  document.body.classList.add("looking-back");
  showWalk();
});

/** Come back to the game as it stands. */
function present() {
  past = null;
  document.getElementById("looking")?.remove();
  document.body.classList.remove("looking-back");
  part("record").querySelectorAll("[aria-current]").forEach((node) => node.removeAttribute("aria-current"));
  board.show(view.scene, false);
  walk.renew(view.legal, null);
  showWalk();
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  if (past) present();
  else undo();
});

// Clocks run between two views.

window.setInterval(() => {
  for (const seat of view.seats) {
    if (!seat.clock?.running) continue;
    write(document.querySelector(`#seats [data-seat="${seat.seat}"] .clock`), clockText(seat.clock.left - (performance.now() - seenAt)));
  }
}, 500);

// On a narrow screen the drawer is shut until it is wanted.
if (matchMedia("(max-width: 820px)").matches) /** @type {HTMLDetailsElement} */ (part("drawer")).open = false;

walk.renew(view.legal, null);
showAll();
document.body.classList.add("lively");
