/** What stands beside the board, brought up to date from each view: seats, question, throw, record, result. */
import { root } from "./root.js";

/** @typedef {Record<string, string>} Sentences */
/** @typedef {import("./view.js").View} View */

/** @type {Sentences} */
const sentences = JSON.parse(document.getElementById("sentences")?.textContent ?? "{}");

/** @param {string} key @param {Record<string, string | number>} facts @returns {string} a sentence of the page */
export function say(key, facts = {}) {
  return (sentences[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(facts[name] ?? ""));
}

/** @param {string} cell @param {import("./view.js").PieceView[]} pieces @param {boolean} lit @returns {string} what is read out for a cell */
export function nameOf(cell, pieces, lit) {
  const labels = [...new Set(pieces.map((piece) => piece.label))];
  const what = labels.length ? `${cell}, ${labels.join(", ")}` : say("cell empty", { cell });
  return lit ? say("cell lit", { cell: what }) : what;
}

/**
 * Make an element.
 * @param {string} name
 * @param {Record<string, string | boolean | null | undefined>} attributes
 * @param {...(Node | string)} inside
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, ...inside) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(key, "");
    else if (typeof value === "string") node.setAttribute(key, value);
  }
  node.append(...inside);
  return node;
}

/** @param {string} id @returns {HTMLElement} */
export function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** @param {Element | null} node @param {string} text change a text only if it differs, so that nothing is read out twice */
export function write(node, text) {
  if (node && node.textContent !== text) node.textContent = text;
}

/** @param {View} view */
export function showSeats(view) {
  for (const seat of view.seats) {
    const line = document.querySelector(`#seats [data-seat="${seat.seat}"]`);
    if (!line) continue;
    line.classList.toggle("asked", seat.asked);
    line.classList.toggle("yours", view.you.includes(seat.seat));
    line.setAttribute("data-kind", seat.kind);
    if (seat.asked) line.setAttribute("aria-current", "true");
    else line.removeAttribute("aria-current");
    const won = view.result && view.result.winners.includes(seat.seat);
    line.classList.toggle("won", Boolean(won));
    line.setAttribute("data-colour", seat.look);
    write(line.querySelector(".sign"), seat.sign);
    write(line.querySelector(".name"), seatName(view, seat));
    write(line.querySelector(".number"), String(seat.count));
    write(line.querySelector(".of"), seat.of ? `/${seat.of}` : "");
    write(line.querySelector(".state"), seat.state);
    const clock = /** @type {HTMLElement} */ (line.querySelector(".clock"));
    clock.hidden = !seat.clock;
    if (seat.clock) write(clock, clockText(seat.clock.left));
  }
}

/** @param {View} view @param {import("./view.js").SeatView} seat @returns {string} what the player of a seat is called on this screen */
function seatName(view, seat) {
  if (!view.you.includes(seat.seat)) return seat.name;
  if (view.you.length === 1) return say("you");
  return seat.name === say("somebody") ? "" : seat.name;
}

/** @param {View} view @returns {string} how the game ended for this screen, or that it did */
function resultTitle(view) {
  return say(view.verdict ? `verdict ${view.verdict}` : "result title");
}

/** @param {View} view @returns {string} the score of every seat */
function scoreLine(view) {
  if (document.body.dataset.together) return say("score together", { score: `${view.seats[0].count}/${view.seats[0].of}` });
  return view.seats.map((seat) => say("score line", { who: seatName(view, seat) || seat.sign, score: seat.of ? `${seat.count}/${seat.of}` : seat.count })).join(" · ");
}

/** @param {number} milliseconds @returns {string} what is left on a clock */
export function clockText(milliseconds) {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1000);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days) return say("clock days", { days, time: `${two(hours)}:${two(minutes)}` });
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** @param {View} view how many watch */
export function showWatchers(view) {
  const line = part("watchers");
  line.hidden = !view.watchers;
  write(line, say(view.watchers === 1 ? "watchers one" : "watchers", { count: view.watchers }));
}

/** @param {View} view */
export function showAsk(view) {
  const ask = part("ask");
  const thinks = view.node.kind === "decision" && view.node.seats.length && view.node.seats.every((seat) => view.seats[seat].kind === "program");
  ask.dataset.node = thinks ? "thinking" : view.node.kind;
  ask.dataset.yours = view.legal.length ? "yes" : "no";
  write(ask, thinks ? say("thinking") : view.result ? resultTitle(view) : view.node.ask);
  part("aim").hidden = !view.aim || view.phase === "over";
  write(part("aim").querySelector(".aim-text"), view.aim);
}

/** @param {string} token @returns {string} a throw in the words of its game, or as dice show it */
function throwName(token) {
  const faces = token.split("-").map((face) => sentences[`=box ${face}`]);
  return sentences[`=${token}`] ?? (faces.every(Boolean) ? faces.join(", ") : token);
}

/** @param {View} view the dice and sticks thrown last, with their odds */
export function showThrow(view) {
  const box = part("throw");
  const thrown = view.throw;
  box.hidden = !thrown;
  if (!thrown) return;
  const open = box.querySelector("details")?.open ?? false;
  const odds = thrown.outcomes.map((one) =>
    element("li", { "aria-current": one.token === thrown.token ? "true" : null }, element("span", {}, throwName(one.token)), " ", element("span", { class: "chance" }, one.odds)),
  );
  box.replaceChildren(element("details", { open }, element("summary", {}, say("odds of", { throw: throwName(thrown.token), odds: thrown.odds })), element("ul", { class: "odds", tabindex: "0" }, ...odds)));
}

/** @param {View} view */
export function showTold(view) {
  const list = part("told");
  const lines = view.sentences.map((one) => element("li", { "data-seq": String(one.seq), "data-kind": one.kind }, one.text));
  list.replaceChildren(...lines);
  list.scrollTop = list.scrollHeight;
}

/** @param {View} view @param {string} table */
export function showRecord(view, table) {
  const list = part("record");
  let step = 0;
  const lines = view.record.map((turn, number) => {
    const tokens = turn.tokens.flatMap((token, at) => {
      step += 1;
      const attributes = { class: turn.throws?.[at] ? "token thrown" : "token", "data-seq": String(turn.seqs?.[at] ?? turn.seq), "data-step": String(step), href: `${root}/t/${table}/replay?at=${step}` };
      return [" ", element("a", attributes, token)];
    });
    const hints = (turn.hints ?? []).map((hint) => element("span", { class: "hinted" }, ` ${say("hinted", { tokens: String(hint) })}`));
    return element("li", { "data-seq": String(turn.seq), "data-seat": String(turn.seat) }, element("span", { class: "by" }, `${number + 1}.`), " ", element("span", { class: "mover" }, view.seats[turn.seat].sign), ...tokens, ...hints);
  });
  list.replaceChildren(...lines);
  list.scrollTop = list.scrollHeight;
}

/** @param {View} view @param {string} table */
export function showResult(view, table) {
  const old = document.getElementById("result");
  if (!view.result) return old?.remove();
  const facts = [view.result.sentences.join(" "), view.next, view.match.won.join()].join("|");
  if (old?.dataset.facts === facts) return;
  const box = element("section", { class: "result", id: "result", "aria-labelledby": "result-title", "data-facts": facts });
  box.append(element("h2", { id: "result-title" }, resultTitle(view)), ...view.result.sentences.map((text) => element("p", {}, text)), element("p", { class: "final" }, scoreLine(view)));
  if (view.match.number > 1 || view.next) {
    const won = view.seats.flatMap((seat) => [" ", element("span", { "data-seat": String(seat.seat) }, `${seat.sign} ${view.match.won[seat.seat]}`)]);
    box.append(element("p", { class: "match" }, say("match"), ...won));
  }
  const actions = element("p", { class: "actions" });
  if (view.next) actions.append(element("a", { class: "button primary", href: `${root}/t/${view.next}` }, say("other game")), " ");
  actions.append(element("a", { class: "button", href: `${root}/t/${table}/replay` }, say("replay")));
  if (document.querySelector(".commitment")) actions.append(" ", element("a", { class: "button", href: `${root}/verify?table=${table}` }, say("nav verify")));
  box.append(actions);
  if (view.harder) box.append(element("form", { class: "harder", method: "post", action: `${root}/t/${table}/harder` }, element("button", {}, say("harder", { level: view.harder }))));
  if (old) return old.replaceWith(box);
  document.getElementById("first-offer")?.remove();
  part("bar").before(box);
  box.closest(".side")?.scrollTo(0, 0);
}

/**
 * The commands that can be given now, and the questions that wait for an answer.
 * @param {View} view
 * @param {string} table
 * @param {(form: HTMLFormElement) => void} wire
 */
export function showCommands(view, table, wire) {
  const form = (/** @type {string} */ tag, /** @type {number | null} */ seat, /** @type {(Node | string)[]} */ ...inside) => {
    const node = /** @type {HTMLFormElement} */ (element("form", { method: "post", action: `${root}/t/${table}/do`, "data-do": tag }, ...inside));
    node.append(element("input", { type: "hidden", name: "t", value: tag }));
    if (seat !== null && seat !== undefined) node.append(element("input", { type: "hidden", name: "seat", value: String(seat) }));
    wire(node);
    return node;
  };
  document.getElementById("say-free")?.toggleAttribute("hidden", !view.chat.text);
  const quick = (part("quick").dataset.tags ?? "").split(" ");
  for (const id of ["quick", "commands"]) {
    const box = part(id);
    const commands = view.commands.filter((one) => quick.includes(one.t) === (id === "quick"));
    const facts = JSON.stringify(commands);
    if (box.dataset.facts === facts) continue;
    // While another player waits for an answer, what cannot be given now keeps its place: nothing moves under a finger.
    if (id === "quick" && view.asks.length && box.childElementCount) {
      for (const old of box.querySelectorAll("form")) /** @type {HTMLButtonElement} */ (old.querySelector("button")).disabled = !commands.some((one) => one.t === old.dataset.do);
      box.dataset.facts = "";
      continue;
    }
    box.dataset.facts = facts;
    box.replaceChildren(...commands.map((one) => form(one.t, one.seat, element("button", {}, one.label))));
  }
  const asks = part("asks");
  const asked = JSON.stringify(view.asks);
  if (asks.dataset.facts !== asked) {
    asks.dataset.facts = asked;
    asks.replaceChildren(
      ...view.asks.map((one) => {
        if (!one.answer.length) return element("p", { class: "asked" }, one.text);
        const hidden = element("input", { type: "hidden", name: "what", value: one.what });
        const yes = element("button", { name: "yes", value: "true", class: "primary" }, say("agree"));
        const node = form("answer", one.answer[0], element("p", {}, one.text), hidden, yes, " ", element("button", { name: "yes", value: "false" }, say("decline")));
        node.className = "asked";
        return node;
      }),
    );
  }
}

/** Take the refusal away; its place stays, so that nothing moves under a finger. */
export function hideRefusal() {
  part("refusal").hidden = true;
}

/**
 * Say why something was refused.
 * @param {string} game
 * @param {string} title
 * @param {string} text
 * @param {string[]} paragraphs
 * @param {boolean} ringed whether something else can be touched
 */
export function showRefusal(game, title, text, paragraphs, ringed) {
  const box = part("refusal");
  box.hidden = !text;
  box.replaceChildren();
  if (!text) return;
  const line = element("p", {}, text);
  if (ringed) line.append(" ", element("span", { class: "instead" }, say("possible instead")));
  for (const paragraph of paragraphs.slice(0, 1)) {
    const why = element("a", { class: "why", href: `${root}/r/${game}#${paragraph}`, target: "_blank" }, `${say("why")} `, element("span", { class: "paragraph" }, `(${title} ${paragraph})`));
    line.append(" ", why);
  }
  box.append(line);
}
