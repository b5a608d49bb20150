/** What stands beside the board, brought up to date from each view: seats, question, throw, record, result. */

/** @typedef {Record<string, string>} Sentences */

/** Orders that stand beside the question; the others are in the drawer. */
const QUICK = ["take_back", "hint", "rematch", "start"];

/** @type {Sentences} */
const sentences = JSON.parse(document.getElementById("sentences")?.textContent ?? "{}");

/** @param {string} key @param {Record<string, string | number>} facts @returns {string} a sentence of the page */
export function say(key, facts = {}) {
  return (sentences[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(facts[name] ?? ""));
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

/** @param {any} view */
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
    write(line.querySelector(".sign"), seat.sign);
    write(line.querySelector(".name"), seat.name);
    write(line.querySelector(".number"), String(seat.score));
    write(line.querySelector(".holding"), view.scene.counters.filter((/** @type {any} */ one) => one.seat === seat.seat && one.text).map((/** @type {any} */ one) => one.text).join(" "));
    const clock = /** @type {HTMLElement} */ (line.querySelector(".clock"));
    clock.hidden = !seat.clock;
    if (seat.clock) write(clock, clockText(seat.clock.left));
    const you = line.querySelector(".you");
    if (view.you.includes(seat.seat) && !you) line.querySelector(".who")?.append(" ", element("em", { class: "you" }, say("you")));
    else if (!view.you.includes(seat.seat)) you?.remove();
  }
}

/** @param {number} milliseconds @returns {string} what is left on a clock */
export function clockText(milliseconds) {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1000);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days) return `${days} j ${two(hours)}:${two(minutes)}`;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** @param {any} view */
export function showAsk(view) {
  const ask = part("ask");
  const thinks = view.node.kind === "decision" && view.node.seats.length && view.node.seats.every((/** @type {number} */ seat) => view.seats[seat].kind === "program");
  ask.dataset.node = thinks ? "thinking" : view.node.kind;
  ask.dataset.yours = view.legal.length ? "yes" : "no";
  write(ask, thinks ? say("thinking") : view.node.ask);
}

/** @param {any} view the dice and sticks thrown last, with their odds */
export function showThrow(view) {
  const box = part("throw");
  box.hidden = !view.throw;
  if (!view.throw) return;
  const open = box.querySelector("details")?.open ?? false;
  const odds = view.throw.outcomes.map((/** @type {any} */ one) =>
    element("li", { "aria-current": one.token === view.throw.token ? "true" : null }, element("span", { class: "token" }, one.token), " ", element("span", { class: "chance" }, one.odds)),
  );
  box.replaceChildren(element("details", { open }, element("summary", {}, say("odds of", { throw: view.throw.token, odds: view.throw.odds })), element("ul", { class: "odds", tabindex: "0" }, ...odds)));
}

/** @param {any} view */
export function showTold(view) {
  const list = part("told");
  const lines = view.sentences.map((/** @type {any} */ one) => element("li", { "data-seq": String(one.seq), "data-kind": one.kind }, one.text));
  list.replaceChildren(...lines);
  list.scrollTop = list.scrollHeight;
}

/** @param {any} view @param {string} table */
export function showRecord(view, table) {
  const list = part("record");
  let step = 0;
  const lines = view.record.map((/** @type {any} */ turn) => {
    const tokens = turn.tokens.flatMap((/** @type {string} */ token, /** @type {number} */ at) => {
      step += 1;
      const attributes = { class: turn.throws?.[at] ? "token thrown" : "token", "data-seq": String(turn.seqs?.[at] ?? turn.seq), "data-step": String(step), href: `/t/${table}/replay?at=${step}` };
      return [" ", element("a", attributes, token)];
    });
    const hints = (turn.hints ?? []).map((/** @type {any} */ hint) => element("span", { class: "hinted" }, ` ${say("hinted", { tokens: String(hint) })}`));
    return element("li", { "data-seq": String(turn.seq), "data-seat": String(turn.seat) }, element("span", { class: "by" }, String(turn.seat + 1)), ...tokens, ...hints);
  });
  list.replaceChildren(...lines);
  list.scrollTop = list.scrollHeight;
}

/** @param {any} view @param {string} table @param {(form: HTMLFormElement) => void} obey */
export function showResult(view, table, obey) {
  const old = document.getElementById("result");
  if (!view.result) return old?.remove();
  const facts = [view.result.sentences.join(" "), view.next, view.match.won.join()].join("|");
  if (old?.dataset.facts === facts) return;
  const box = element("section", { class: "result", id: "result", "aria-labelledby": "result-title", "data-facts": facts });
  box.append(element("h2", { id: "result-title" }, say("result title")), ...view.result.sentences.map((/** @type {string} */ text) => element("p", {}, text)));
  if (view.match.number > 1 || view.next) {
    const won = view.seats.flatMap((/** @type {any} */ seat) => [" ", element("span", { "data-seat": String(seat.seat) }, `${seat.sign} ${view.match.won[seat.seat]}`)]);
    box.append(element("p", { class: "match" }, say("match"), ...won));
  }
  const actions = element("p", { class: "actions" });
  if (view.next) actions.append(element("a", { class: "button primary", href: `/t/${view.next}` }, say("other game")), " ");
  actions.append(element("a", { class: "button", href: `/t/${table}/replay` }, say("replay")), " ", element("a", { class: "button", href: `/verify?table=${table}` }, say("nav verify")));
  box.append(actions);
  if (old) old.replaceWith(box);
  else document.querySelector(".news")?.prepend(box);
}

/**
 * The orders that can be given now, and the questions that wait for an answer.
 * @param {any} view
 * @param {string} table
 * @param {(form: HTMLFormElement) => void} wire
 */
export function showOrders(view, table, wire) {
  const form = (/** @type {string} */ what, /** @type {number | null} */ seat, /** @type {(Node | string)[]} */ ...inside) => {
    const node = /** @type {HTMLFormElement} */ (element("form", { method: "post", action: `/t/${table}/do`, "data-do": what }, ...inside));
    node.append(element("input", { type: "hidden", name: "what", value: what }));
    if (seat !== null && seat !== undefined) node.append(element("input", { type: "hidden", name: "seat", value: String(seat) }));
    wire(node);
    return node;
  };
  for (const id of ["quick", "commands"]) {
    const box = part(id);
    const orders = view.commands.filter((/** @type {any} */ one) => QUICK.includes(one.what) === (id === "quick"));
    const facts = JSON.stringify(orders);
    if (box.dataset.facts === facts) continue;
    box.dataset.facts = facts;
    box.replaceChildren(...orders.map((/** @type {any} */ one) => form(one.what, one.seat, element("button", {}, one.label))));
  }
  const asks = part("asks");
  const asked = JSON.stringify(view.asks);
  if (asks.dataset.facts !== asked) {
    asks.dataset.facts = asked;
    asks.replaceChildren(
      ...view.asks.map((/** @type {any} */ one) => {
        if (!one.answer.length) return element("p", { class: "asked" }, one.text);
        const hidden = element("input", { type: "hidden", name: "ask", value: one.what });
        const yes = element("button", { name: "agree", value: "yes", class: "primary" }, say("agree"));
        const node = form("answer", one.answer[0], element("p", {}, one.text), hidden, yes, " ", element("button", { name: "agree", value: "no" }, say("decline")));
        node.className = "asked";
        return node;
      }),
    );
  }
}

/** @param {string} game @param {string} title @param {string} text @param {string[]} paragraphs say why something was refused */
export function showRefusal(game, title, text, paragraphs) {
  const box = part("refusal");
  box.hidden = !text;
  box.replaceChildren();
  if (!text) return;
  const line = element("p", {}, text);
  for (const paragraph of new Set(paragraphs)) {
    const why = element("a", { class: "why", href: `/r/${game}#${paragraph}`, target: "_blank" }, `${say("why")} `, element("span", { class: "paragraph" }, `(${title} ${paragraph})`));
    line.append(" ", why);
  }
  box.append(line);
}
