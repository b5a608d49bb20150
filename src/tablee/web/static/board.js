/**
 * One board for every game: it takes the drawing that the server made, brings it from scene to scene, and tells which
 * cell was touched, by mouse, finger or key. It knows no rules: what may be touched is told to it.
 */
import { follow } from "./follow.js";
import { Loupe } from "./loupe.js";
import { groundTransform, orientation, oriented, seen, whenTurned } from "./orient.js";

/** @typedef {import("./follow.js").Piece} Piece */
/** @typedef {import("./view.js").CellView} Cell */
/** @typedef {import("./view.js").SceneView} Scene */
/** @typedef {{next: Set<string>, also: Set<string>, chosen: string[], count: number | null}} Lights */
/** @typedef {{touch: (cell: string, count: number | null) => void, undo: () => void, selects: (cell: string) => boolean, name: (cell: string, pieces: Piece[], lit: boolean) => string, swipe?: (way: number) => void}} Hands */

const SVG = "http://www.w3.org/2000/svg";
const SLIDE = 220;
const TUMBLE = 420;
const APART = 90;
const THROWN = /^(die|stick)/;
const FINGER = 22;
/** How far a finger slides across the board to look back or on, in pixels. */
const SWIPE = 72;
/** How long nothing is drawn after a touch, in milliseconds: a browser hears no answer before a frame that was asked for. */
export const ANSWER_FIRST = 40;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** How much higher than wide a board is that leaves room beside it on a telephone. */
const SLIM = 1.5;
const LARGEST_RING = 5.2;
const WIDE_CELL = 30;
const PATTERNS = ["M-2 0H2", "M0 -2V2", "M-1.6 -1.6L1.6 1.6", "M-2 0H2M0 -2V2", "M-1.6 -1.6L1.6 1.6M1.6 -1.6L-1.6 1.6", "M0 -1.8L1.8 1.4H-1.8Z", "M-1.5 -1.5H1.5V1.5H-1.5Z", "M0 -2L2 0L0 2L-2 0Z"];

export class Board {
  /**
   * @param {HTMLElement} frame the element around the drawing
   * @param {Scene} scene what is drawn there
   * @param {string} game
   * @param {Hands} hands
   */
  constructor(frame, scene, game, hands) {
    const drawing = frame.querySelector("svg");
    if (!drawing) throw new Error("there is no board to play on");
    this.frame = frame;
    this.svg = drawing;
    this.game = game;
    this.hands = hands;
    /** @type {Lights} */ this.lights = { next: new Set(), also: new Set(), chosen: [], count: null };
    /** @type {Map<Piece, SVGGElement>} */ this.drawn = new Map();
    /** @type {WeakMap<SVGGElement, Animation>} how each piece moves or moved last: to ask the browser would let it style the page anew */ this.slides = new WeakMap();
    /** @type {Map<string, SVGGElement>} */ this.spots = new Map();
    /** @type {Map<string, SVGGElement>} */ this.wide = new Map();
    /** @type {string | null} */ this.focus = null;
    /** @type {{cell: string | null, count: number | null, x: number, y: number, moved: boolean, sent: boolean} | null} */ this.down = null;
    this.scene = scene;
    this.given = scene;
    /** @type {import("./orient.js").Orientation} */ this.how = { quarters: 0, mirrored: false };
    this.adopt();
    this.loupe = new Loupe(drawing);
    this.listen();
    this.turn();
    whenTurned(() => this.turn());
  }

  // The drawing.

  /** Sort what the server drew into layers, and lay the grid of cells over it. */
  adopt() {
    const { svg } = this;
    svg.setAttribute("role", "group");
    svg.querySelectorAll("title").forEach((title) => title.remove());
    this.ground = this.layer("ground");
    this.prints = this.layer("prints");
    this.marks = this.layer("marks");
    this.pieces = this.layer("pieces");
    this.advice = this.layer("advice");
    /** @type {number[][]} */ this.trails = [];
    for (const node of [...svg.children]) {
      if (node.localName === "defs" || node.classList.contains("layer")) continue;
      if (node.hasAttribute("data-piece")) this.pieces.append(node);
      else if (node.localName === "text" || node.localName === "polyline") this.prints.append(node);
      else if (node.getAttribute("href")?.endsWith("-mark")) this.marks.append(node);
      else this.ground.append(node);
    }
    const nodes = [...this.pieces.children];
    for (const piece of this.scene.pieces) {
      const found = nodes.find((node) => node.getAttribute("data-piece") === piece.id);
      if (found) this.drawn.set(piece, /** @type {SVGGElement} */ (found));
    }
    svg.append(this.ground, this.prints, this.marks, this.pieces);
    this.grid = make("g", { class: "layer grid", role: "grid", "aria-label": this.scene.title });
    svg.append(this.grid, this.advice);
    this.layGrid();
    this.dress();
  }

  /** @param {string} name @returns {SVGGElement} */
  layer(name) {
    return make("g", { class: `layer ${name}`, "aria-hidden": "true" });
  }

  /** Lay the board as the screen is, and as its viewer wants it. */
  turn() {
    const how = orientation(this.game, this.given);
    if (how.quarters === this.how.quarters && how.mirrored === this.how.mirrored) return;
    this.how = how;
    const { width, height } = oriented(this.given, how);
    this.frame.classList.toggle("tall", height > width);
    this.frame.classList.toggle("slim", height > SLIM * width);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    for (const node of this.ground.children) if (!node.hasAttribute("data-cell")) node.setAttribute("transform", groundTransform(this.given, how));
    this.show(this.given, false, { lively: false });
    this.trace(this.trails);
  }

  /**
   * Bring the board to another scene.
   * @param {Scene} given
   * @param {boolean} threw whether dice were thrown on the way
   * @param {{lively?: boolean, oneByOne?: boolean}} manner whether things move there, or jump; whether one after the other
   */
  show(given, threw, { lively = this.lively(), oneByOne = false } = {}) {
    this.given = given;
    const scene = oriented(given, this.how);
    const before = this.scene;
    const pairs = follow(before.pieces, scene.pieces);
    const kept = new Map([...pairs].map(([now, was]) => [was, now]));
    /** @type {Map<Piece, SVGGElement>} */
    const drawn = new Map();
    for (const [was, node] of this.drawn) if (!kept.has(was)) this.leave(node, lively);
    const moving = new Set();
    for (const piece of scene.pieces) {
      const was = pairs.get(piece);
      const node = (was && this.drawn.get(was)) ?? this.make(piece);
      if (this.bring(node, was, piece, lively, threw, oneByOne ? moving.size * APART : 0)) moving.add(piece);
      drawn.set(piece, node);
    }
    this.scene = scene;
    this.drawn = drawn;
    this.stack(lively ? moving : new Set());
    if (moving.size && lively) window.setTimeout(() => this.scene === scene && this.stack(new Set()), SLIDE + 30);
    this.print();
    this.layGrid();
    this.dress();
    return moving.size;
  }

  /** @returns {boolean} whether things move, or jump to their places */
  lively() {
    return document.documentElement.dataset.animation !== "off" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  /** @param {Piece} piece @returns {SVGGElement} */
  make(piece) {
    const node = make("g", {});
    node.append(make("use", { href: `#${this.game}-${piece.symbol}` }));
    return node;
  }

  /**
   * Set a piece where it now stands; return whether that is another place.
   * @param {SVGGElement} node
   * @param {Piece | undefined} was
   * @param {Piece} now
   * @param {boolean} lively
   * @param {boolean} threw
   * @param {number} delay
   * @returns {boolean}
   */
  bring(node, was, now, lively, threw, delay) {
    const slide = this.slides.get(node);
    const from = slide?.playState === "running" ? getComputedStyle(node).transform : was ? moved(was) : "";
    slide?.cancel();
    write(node, "data-piece", now.id);
    if (now.cell) write(node, "data-on", now.cell);
    else node.removeAttribute("data-on");
    write(node, "transform", attribute(now));
    write(node.querySelector("use"), "href", `#${this.game}-${now.symbol}`);
    const dice = THROWN.test(now.symbol);
    if (dice && threw) {
      if (lively) this.animate(node, [{ transform: `${at(now.x - 6, now.y - 9)} rotate(${now.turn - 320}deg) scale(${now.scale * 0.8})` }, { transform: `${at(now.x + 1, now.y + 1)} rotate(${now.turn + 14}deg) scale(${now.scale * 1.12})`, offset: 0.75 }, { transform: moved(now) }], { duration: TUMBLE, easing: "cubic-bezier(.2,.7,.3,1)" });
      return false;
    }
    if (!was) {
      if (lively) this.animate(node, [{ opacity: 0 }, { opacity: 1 }], { duration: 180, easing: "ease-out" });
      return false;
    }
    if (was.x === now.x && was.y === now.y && was.turn === now.turn && was.scale === now.scale) return false;
    if (lively) this.animate(node, [{ transform: from }, { transform: moved(now) }], { duration: SLIDE, delay, fill: "backwards", easing: "cubic-bezier(.3,.1,.25,1)" });
    return true;
  }

  /** @param {SVGGElement} node @param {Keyframe[]} frames @param {KeyframeAnimationOptions} options */
  animate(node, frames, options) {
    this.slides.set(node, node.animate(frames, options));
  }

  /** @param {SVGGElement} node @param {boolean} lively */
  leave(node, lively) {
    if (!lively) return node.remove();
    node.removeAttribute("data-on");
    node.removeAttribute("data-piece");
    node.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 180, easing: "ease-in" }).finished.then(() => node.remove(), () => node.remove());
  }

  /** @param {Set<Piece>} moving what is painted last: it passes over the rest */
  stack(moving) {
    const order = [...this.scene.pieces].sort((one, other) => Number(moving.has(one)) - Number(moving.has(other)) || one.level - other.level);
    const nodes = order.map((piece) => /** @type {SVGGElement} */ (this.drawn.get(piece)));
    if (moving.size) this.pieces.append(...nodes.slice(-moving.size));
    // A node that is moved is laid out and painted anew: those that stand right stay, and so do those that fade away.
    let there = this.pieces.firstElementChild;
    for (const node of nodes) {
      while (there && !there.hasAttribute("data-piece")) there = there.nextElementSibling;
      if (there === node) there = node.nextElementSibling;
      else this.pieces.insertBefore(node, there);
    }
  }

  /** Print the words, the ways, the cells and the marks of the scene anew where they changed. */
  print() {
    const { scene, prints, marks, ground } = this;
    const printed = JSON.stringify([scene.tracks, scene.labels]);
    if (printed !== this.printed) {
      prints.replaceChildren(
        ...scene.tracks.map((one) => make("polyline", { points: one.points.map((/** @type {number[]} */ point) => point.join(",")).join(" "), fill: "none", stroke: one.colour, "stroke-width": one.width, "stroke-linejoin": "round", "stroke-linecap": "round" })),
        ...scene.labels.map((one) => make("text", { x: one.x, y: one.y, "font-size": one.size, "text-anchor": "middle", fill: one.colour }, one.text)),
      );
      this.printed = printed;
    }
    for (const cell of scene.cells) {
      const node = ground.querySelector(`[data-cell="${CSS.escape(cell.name)}"]`);
      const place = attribute({ ...cell, scale: 1 });
      if (node && node.getAttribute("transform") !== place) node.setAttribute("transform", place);
    }
    marks.replaceChildren();
  }

  // What moved, what wins, what is advised: drawn softly under the pieces.

  /** @param {number[][]} trails what moved in the last turn, in the units of the board as it is given */
  trace(trails) {
    this.trails = trails;
    const nodes = trails.map((trail) => {
      const points = this.along(trail);
      return points.length > 1 ? make("path", { class: "trail", d: arrow(points) }) : make("circle", { class: "trail new", cx: points[0][0], cy: points[0][1], r: 4.6 });
    });
    this.marks.replaceChildren(...nodes);
  }

  /** @param {number[]} way @returns {number[][]} its points as the board lies */
  along(way) {
    return Array.from({ length: way.length / 2 }, (_, at) => seen(this.given, this.how, way[2 * at], way[2 * at + 1]));
  }

  /** @param {string[]} cells light the cells themselves, not what stands on them */
  glow(cells) {
    for (const node of this.ground.querySelectorAll("[data-cell]")) node.classList.toggle("glow", cells.includes(node.getAttribute("data-cell") ?? ""));
  }

  /** @param {string[]} touches show an advised action: what to touch, in which order @param {number[][]} [ways] what would move, where one touch is enough @param {number | null} [count] how many of a stack */
  advise(touches, ways = [], count = null) {
    this.advice.replaceChildren();
    const known = touches.filter((name) => this.cell(name));
    for (const [name, spot] of this.spots) spot.classList.toggle("advised", known.includes(name));
    for (const [name, node] of this.wide) node.classList.toggle("advised", known.includes(name));
    const taken = new Set(count === null || !known.length ? [] : this.lifted(known[0], count));
    for (const [piece, node] of this.drawn) node.classList.toggle("advised", taken.has(piece));
    const bent = ways.find((way) => way.length > 4);
    const lines = known.length < 2 || bent ? (bent ? [bent] : ways.filter((way) => way.length > 2)).map((way) => this.along(way)) : [];
    if (bent && known.length > 1) lines[0] = [this.middle(known[0]), ...lines[0].slice(1, -1), this.middle(known[known.length - 1])];
    for (let at = 1; at < known.length && !lines.length; at++) {
      const [from, to] = [this.point(known[at - 1]), this.point(known[at])];
      this.advice.append(make("path", { class: "advice-way", d: arrow(this.apart([from.x, from.y], [to.x, to.y], known[at - 1], known[at])) }));
    }
    for (const line of lines) this.advice.append(make("path", { class: "advice-way", d: arrow(shortened(line)) }));
  }

  /**
   * Cut a way off where the rings of its ends begin, so that it hides neither piece.
   * @param {number[]} from
   * @param {number[]} to
   * @param {string} start
   * @param {string} end
   * @returns {number[][]}
   */
  apart(from, to, start, end) {
    const way = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const r = (/** @type {string} */ name) => (this.radii?.get(name) ?? 0) * (this.wide.has(name) ? 2 : 1);
    const [first, last] = r(start) + r(end) < way * 0.75 ? [r(start), r(end)] : [way * 0.18, way * 0.12];
    const along = (/** @type {number} */ part) => [from[0] + ((to[0] - from[0]) * part) / way, from[1] + ((to[1] - from[1]) * part) / way];
    return [along(first), along(way - last)];
  }

  /** Draw a bolder sign on every sort of piece, for those who asked for it. */
  dress() {
    if (document.documentElement.dataset.pattern !== "on") return;
    const many = this.scene.pieces.filter((piece) => !THROWN.test(piece.symbol)).map((piece) => piece.symbol);
    const sorts = [...new Set(many)].filter((symbol) => many.indexOf(symbol) !== many.lastIndexOf(symbol)).sort();
    for (const [piece, node] of this.drawn) {
      const at = sorts.indexOf(piece.symbol);
      node.querySelectorAll(".pattern").forEach((old) => old.remove());
      if (at >= 0) node.append(make("path", { class: "pattern under", d: PATTERNS[at % PATTERNS.length] }), make("path", { class: "pattern", d: PATTERNS[at % PATTERNS.length] }));
    }
  }

  // The grid of cells: what is lit, what is read out, what has the focus.

  /** @param {string} name @returns {Cell | undefined} */
  cell(name) {
    this.index();
    return this.cells.get(name);
  }

  /** @param {string} name @returns {Piece[]} what stands on a cell, lowest first */
  on(name) {
    this.index();
    return this.standing.get(name) ?? [];
  }

  /** Find cells and what stands on them by name, anew for every scene. */
  index() {
    if (this.indexed === this.scene) return;
    this.indexed = this.scene;
    /** @type {Map<string, Cell>} */ this.cells = new Map(this.scene.cells.map((cell) => [cell.name, cell]));
    /** @type {Map<string, Piece[]>} */ this.standing = new Map();
    for (const piece of [...this.scene.pieces].sort((one, other) => one.level - other.level)) {
      if (!this.standing.has(piece.cell)) this.standing.set(piece.cell, []);
      this.standing.get(piece.cell)?.push(piece);
    }
  }

  /** @param {string} name @returns {{x: number, y: number}} the middle of a cell, or the top of what is stacked on it */
  point(name) {
    const cell = /** @type {Cell} */ (this.cell(name));
    const top = this.on(name).at(-1);
    return top && Math.abs(top.x - cell.x) < 0.5 && top.y <= cell.y + 1 ? { x: top.x, y: top.y } : { x: cell.x, y: cell.y };
  }

  /** @param {string} name @returns {number[]} where the ring of a cell lies */
  middle(name) {
    const { x, y } = this.point(name);
    return [x, y];
  }

  layGrid() {
    const names = this.scene.cells.map((cell) => cell.name).join(" ");
    if (names !== this.names) {
      this.names = names;
      this.spots.clear();
      this.between = new Set(this.scene.cells.filter((cell) => this.isBetween(cell)).map((cell) => cell.name));
      this.radii = new Map(this.scene.cells.map((cell) => [cell.name, this.radius(cell)]));
      const rows = new Map();
      for (const cell of [...this.scene.cells].sort((one, other) => one.y - other.y || one.x - other.x)) {
        const row = Math.round(cell.y / 3);
        if (!rows.has(row)) rows.set(row, make("g", { role: "row" }));
        const spot = make("g", { role: "gridcell", class: "spot", "data-spot": cell.name, tabindex: "-1" });
        const r = this.radii.get(cell.name);
        spot.append(make("circle", { class: "halo", r }), make("circle", { class: "ring", r }), make("circle", { class: "dot", r: Math.min(2.6, r * 0.42) }));
        rows.get(row).append(spot);
        this.spots.set(cell.name, spot);
      }
      this.grid.replaceChildren(...rows.values());
      this.findWide();
    }
    for (const [name, spot] of this.spots) {
      write(spot, "transform", attribute({ ...this.point(name), turn: 0, scale: 1 }));
      spot.classList.toggle("taken", this.on(name).length > 0);
    }
    this.relight();
  }

  /** Find the cells that are drawn far larger than a ring: they light up themselves, and everything within them is theirs. */
  findWide() {
    for (const [name, spot] of this.spots) {
      const node = /** @type {SVGGElement | null} */ (this.ground.querySelector(`[data-cell="${CSS.escape(name)}"]`));
      const box = node?.getBBox();
      if (!node || !box || Math.min(box.width, box.height) < WIDE_CELL) continue;
      this.wide.set(name, node);
      spot.classList.add("wide");
    }
  }

  /** @param {PointerEvent} event @returns {string | undefined} the wide cell under the pointer */
  wideUnder(event) {
    for (const [name, node] of this.wide) {
      const box = node.getBoundingClientRect();
      if (event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom) return name;
    }
    return undefined;
  }

  /** @param {Cell} cell @returns {boolean} whether it lies in the middle of two others and is named after them, like a side */
  isBetween(cell) {
    return halves(cell.name).some((pair) => {
      const [one, other] = pair.map((name) => this.cell(name));
      return one && other && Math.hypot((one.x + other.x) / 2 - cell.x, (one.y + other.y) / 2 - cell.y) < 0.5;
    });
  }

  /** @param {Cell} cell @returns {number} how large the ring of a cell may be beside its like */
  radius(cell) {
    const like = this.scene.cells.filter((one) => one !== cell && one.symbol.replace(/\d|-.*/g, "") === cell.symbol.replace(/\d|-.*/g, ""));
    const nearest = Math.min(...like.map((one) => Math.hypot(one.x - cell.x, one.y - cell.y)).filter((way) => way > 1));
    const wide = nearest === Infinity ? LARGEST_RING * 1.3 : nearest < 16 ? nearest * 0.46 : LARGEST_RING;
    return Math.round(wide * 100) / 100;
  }

  /**
   * Light what may be touched.
   * @param {Lights} lights
   */
  light(lights) {
    this.lights = lights;
    this.relight();
  }

  relight() {
    const { next, also, chosen, count } = this.lights;
    const lifted = new Set(chosen.length ? this.lifted(chosen[0], count) : []);
    for (const [piece, node] of this.drawn) node.classList.toggle("lifted", lifted.has(piece));
    this.frame.classList.toggle("many", next.size > 60);
    for (const [name, spot] of this.spots) {
      const lit = next.has(name);
      spot.classList.toggle("lit", lit);
      spot.classList.toggle("target", lit && chosen.length > 0);
      spot.classList.toggle("also", !lit && also.has(name));
      spot.classList.toggle("chosen", chosen.includes(name));
      this.wide.get(name)?.classList.toggle("open", lit);
      write(spot, "aria-selected", String(chosen.includes(name)));
      write(spot, "aria-label", this.hands.name(name, this.on(name), lit || also.has(name)));
    }
    this.rove(this.focus ?? [...next][0] ?? this.scene.cells[0]?.name ?? null, false);
  }

  /** @param {string} name @param {number | null} count @returns {Piece[]} the pieces that a touch would take up */
  lifted(name, count) {
    const there = this.on(name);
    return count === null ? there : there.slice(Math.max(0, there.length - count));
  }

  /** @param {Piece} piece @returns {SVGSVGElement} a small picture of it */
  picture(piece) {
    const svg = make("svg", { class: "picture", viewBox: "-6.5 -4.5 13 9", "aria-hidden": "true" });
    svg.append(make("use", { href: `#${this.game}-${piece.symbol}` }));
    return svg;
  }

  /** @param {string[]} cells */
  flash(cells) {
    for (const name of cells) again(this.wide.get(name) ?? this.spots.get(name), "flash");
  }

  /** @param {string | null} cell shake it, or the whole board */
  shake(cell) {
    const there = cell ? this.on(cell).map((piece) => this.drawn.get(piece)) : [];
    const nodes = there.length ? there : [cell ? this.spots.get(cell) : this.svg];
    if (!this.lively()) return;
    const far = there.length || cell ? 1.2 : 6;
    for (const node of nodes) node?.animate([0, -1, 1, -0.6, 0.4, 0].map((x) => ({ translate: `${x * far}px 0` })), { duration: 320, easing: "ease-in-out" });
  }

  // Hands: mouse, finger, keys.

  listen() {
    this.svg.addEventListener("pointerdown", (event) => this.press(event));
    this.svg.addEventListener("pointermove", (event) => this.slide(event));
    this.svg.addEventListener("pointerup", (event) => this.release(event));
    this.svg.addEventListener("pointercancel", () => this.forget());
    this.svg.addEventListener("pointerleave", () => this.hover(null));
    this.grid.addEventListener("keydown", (event) => this.key(/** @type {KeyboardEvent} */ (event)));
    this.grid.addEventListener("focusin", (event) => {
      const name = /** @type {Element} */ (event.target).getAttribute("data-spot");
      if (name) this.rove(name, false);
    });
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button || !event.isPrimary) return;
    const { cell, count } = this.locate(event);
    const sent = cell !== null && !this.lights.chosen.includes(cell) && this.hands.selects(cell);
    this.down = { cell, count, x: event.clientX, y: event.clientY, moved: false, sent };
    this.svg.setPointerCapture(event.pointerId);
    if (sent) this.hands.touch(/** @type {string} */ (cell), count);
    else this.hover(cell);
    this.magnify(event);
  }

  /** @param {PointerEvent} event */
  slide(event) {
    if (this.down && Math.hypot(event.clientX - this.down.x, event.clientY - this.down.y) > 9) this.down.moved = true;
    if (this.down || event.pointerType === "mouse") {
      const { cell, count } = this.locate(event);
      this.hover(cell, count);
    }
    this.magnify(event);
  }

  /** @param {PointerEvent} event show what lies under a finger where cells are narrower than it */
  magnify(event) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix || !this.down || event.pointerType === "mouse" || !this.lights.next.size || !Loupe.needed(this.pitch(), matrix.a)) return;
    this.loupe.show(event, matrix);
  }

  /** @returns {number} the least way between two cells of the board that may be touched now */
  pitch() {
    const cells = [...this.lights.next].flatMap((name) => this.cell(name) ?? []);
    let least = Infinity;
    for (const [at, one] of cells.entries()) for (const other of cells.slice(at + 1)) least = Math.min(least, Math.hypot(one.x - other.x, one.y - other.y));
    return least;
  }

  /** @param {PointerEvent} event */
  release(event) {
    const down = this.down;
    this.down = null;
    this.loupe.hide();
    const across = down ? event.clientX - down.x : 0;
    if (down && !down.sent && event.pointerType === "touch" && Math.abs(across) > SWIPE && Math.abs(event.clientY - down.y) < SWIPE / 2) return this.hands.swipe?.(across > 0 ? -1 : 1);
    if (down) this.letGo(down, down.moved ? this.locate(event) : down); // where it went down, if it stayed: to locate anew lays the page out
    window.setTimeout(() => this.hover(null), ANSWER_FIRST); // not at once: the answer to the touch would have to wait for the drawing
  }

  /**
   * @param {{cell: string | null, moved: boolean, sent: boolean}} down where the pointer went down
   * @param {{cell: string | null, count: number | null}} up where it was let go
   */
  letGo(down, { cell, count }) {
    if (down.moved && cell !== down.cell) {
      if (cell && this.lights.next.has(cell)) this.hands.touch(cell, count);
    } else if (!down.sent && cell) {
      this.hands.touch(cell, count);
    } else if (!cell && !down.cell) {
      this.hands.undo();
    }
  }

  forget() {
    this.down = null;
    this.loupe.hide();
    this.hover(null);
  }

  /** @param {string | null} cell show what a release would touch @param {number | null} count and how much of a stack it would lift */
  hover(cell, count = null) {
    const lifts = cell && !this.lights.chosen.length && this.lights.next.has(cell) && this.on(cell).length > 1 ? new Set(this.lifted(cell, count)) : new Set();
    for (const [piece, node] of this.drawn) node.classList.toggle("would-lift", lifts.has(piece));
    const shown = cell && (this.lights.next.has(cell) || this.lights.also.has(cell) || this.lights.chosen.includes(cell)) ? cell : null;
    if (shown === this.hovered) return;
    if (this.hovered) this.spots.get(this.hovered)?.classList.remove("under");
    if (shown) this.spots.get(shown)?.classList.add("under");
    this.hovered = shown;
    this.svg.classList.toggle("touchable", shown !== null);
  }

  /**
   * The cell under the pointer: what may be touched is easier to hit, and every target is as wide as a finger.
   * @param {PointerEvent} event
   * @returns {{cell: string | null, count: number | null}}
   */
  locate(event) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return { cell: null, count: null };
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const coarse = event.pointerType !== "mouse";
    const { next, also, chosen } = this.lights;
    const wanted = (/** @type {string} */ name) => next.has(name) || chosen.includes(name) || also.has(name);
    const node = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-on]") ?? null;
    const under = node?.getAttribute("data-on");
    if (under && (next.has(under) || (wanted(under) && !next.size))) return { cell: under, count: this.height(under, x, y, node) };
    const box = this.wideUnder(event);
    if (box) return { cell: box, count: this.height(box, x, y, node) };
    const finger = (coarse ? FINGER : 8) / matrix.a;
    let best = null;
    let least = Infinity;
    for (const cell of this.scene.cells) {
      if (this.between?.has(cell.name) && !wanted(cell.name)) continue;
      const ways = [cell, this.point(cell.name), ...this.on(cell.name)].map((one) => Math.hypot(one.x - x, one.y - y));
      const way = Math.min(...ways);
      const felt = next.has(cell.name) ? way * (coarse ? 0.55 : 0.85) : wanted(cell.name) ? way * 0.9 : way;
      if (way <= Math.max((this.radii?.get(cell.name) ?? 0) * 1.25, wanted(cell.name) ? finger : 0) && felt < least) {
        least = felt;
        best = cell.name;
      }
    }
    return { cell: best, count: best ? this.height(best, x, y, node) : null };
  }

  /**
   * How many pieces stand on a cell from the touched one up, or from the nearest one.
   * @param {string} name
   * @param {number} x
   * @param {number} y
   * @param {Element | null} node what is under the pointer
   * @returns {number | null}
   */
  height(name, x, y, node) {
    const there = this.on(name);
    if (there.length < 2) return there.length || null;
    const touched = there.find((piece) => this.drawn.get(piece) === node);
    const nearest = touched ?? there.reduce((best, piece) => (Math.hypot(piece.x - x, piece.y - y) < Math.hypot(best.x - x, best.y - y) ? piece : best));
    return there.length - there.indexOf(nearest);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const name = /** @type {Element} */ (event.target).getAttribute("data-spot");
    if (!name || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in ARROWS) {
      this.rove(this.beside(name, ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)]) ?? name, true);
    } else if (event.key === "Home") {
      this.rove([...this.lights.next][0] ?? name, true);
    } else if (event.key === "Enter" || event.key === " ") {
      this.hands.touch(name, null);
    } else if (event.key === "Escape") {
      this.hands.undo();
    } else {
      return;
    }
    event.preventDefault();
  }

  /** @param {string} name @param {number[]} way @returns {string | null} the nearest cell in a direction */
  beside(name, [dx, dy]) {
    const from = /** @type {Cell} */ (this.cell(name));
    let best = null;
    let least = Infinity;
    for (const cell of this.scene.cells) {
      if (this.between?.has(cell.name) && !this.lights.next.has(cell.name)) continue;
      const along = (cell.x - from.x) * dx + (cell.y - from.y) * dy;
      const aside = Math.abs((cell.x - from.x) * dy) + Math.abs((cell.y - from.y) * dx);
      if (along < 0.5 || aside > along * 1.8) continue;
      if (along + aside * 2 < least) {
        least = along + aside * 2;
        best = cell.name;
      }
    }
    return best;
  }

  /** Take the focus to the cell that had it last. */
  takeFocus() {
    this.rove(this.rover ?? null, true);
  }

  /** @param {string | null} name @param {boolean} take whether to take the focus there too */
  rove(name, take) {
    if (name === null || !this.spots.has(name)) return;
    if (this.rover !== name) {
      if (this.rover) this.spots.get(this.rover)?.setAttribute("tabindex", "-1");
      this.rover = name;
    }
    const spot = /** @type {SVGGElement} */ (this.spots.get(name));
    spot.setAttribute("tabindex", "0");
    if (take) {
      this.focus = name;
      spot.focus();
    }
  }
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string} text
 * @returns {any}
 */
export function make(name, attributes, text = "") {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  if (text) node.textContent = text;
  return node;
}

/** @param {Element | null} node @param {string} name @param {string} value write an attribute where it is another: what is written again is styled, laid out and painted again */
function write(node, name, value) {
  if (node?.getAttribute(name) !== value) node?.setAttribute(name, value);
}

/** @param {Element | undefined} node @param {string} name play a class's animation again */
function again(node, name) {
  if (!node) return;
  node.classList.remove(name);
  node.getBoundingClientRect();
  node.classList.add(name);
}

/** @param {string} name @returns {[string, string][]} every way to cut a name in two */
function halves(name) {
  return Array.from({ length: Math.max(0, name.length - 1) }, (_, n) => [name.slice(0, n + 1), name.slice(n + 1)]);
}

/** @param {number[][]} points @returns {number[][]} the same way, begun beside its first piece */
function shortened(points) {
  const [[x1, y1], [x2, y2]] = points;
  return [[x1 + (x2 - x1) * 0.3, y1 + (y2 - y1) * 0.3], ...points.slice(1)];
}

/** @param {number[][]} points @returns {string} the outline of a soft arrow along them, thin where it begins and wide where it ends */
function arrow(points) {
  const lengths = points.slice(1).map(([x, y], at) => Math.hypot(x - points[at][0], y - points[at][1]) || 1);
  const last = lengths.length - 1;
  const whole = lengths.reduce((sum, one) => sum + one, 0);
  const head = Math.min(4, lengths[last] * 0.6);
  const [left, right] = [/** @type {string[]} */ ([]), /** @type {string[]} */ ([])];
  const put = (/** @type {number[]} */ [x, y], /** @type {number[]} */ [ux, uy], /** @type {number} */ wide) => {
    left.push(`${(x - uy * wide).toFixed(2)} ${(y + ux * wide).toFixed(2)}`);
    right.unshift(`${(x + uy * wide).toFixed(2)} ${(y - ux * wide).toFixed(2)}`);
  };
  const way = (/** @type {number} */ at) => [(points[at + 1][0] - points[at][0]) / lengths[at], (points[at + 1][1] - points[at][1]) / lengths[at]];
  let gone = 0;
  for (const [at, point] of points.slice(0, -1).entries()) {
    const [one, other] = [way(Math.max(0, at - 1)), way(at)];
    const [x, y] = [one[0] + other[0], one[1] + other[1]];
    const size = Math.hypot(x, y) || 1;
    put(point, [x / size, y / size], 0.5 + (0.8 * gone) / whole);
    gone += lengths[at];
  }
  const end = points[last + 1];
  const u = way(last);
  const neck = [end[0] - u[0] * head, end[1] - u[1] * head];
  put(neck, u, 1.3);
  put(neck, u, 3);
  return `M${left.join("L")}L${end.map((one) => one.toFixed(2)).join(" ")}L${right.join("L")}Z`;
}

/** @param {number} x @param {number} y @returns {string} */
function at(x, y) {
  return `translate(${x}px, ${y}px)`;
}

/** @param {{x: number, y: number, turn: number, scale: number}} one @returns {string} its place as a style */
function moved(one) {
  return `${at(one.x, one.y)} rotate(${one.turn}deg) scale(${one.scale})`;
}

/** @param {{x: number, y: number, turn: number, scale: number}} one @returns {string} its place as an attribute */
function attribute(one) {
  return `translate(${one.x.toFixed(2)} ${one.y.toFixed(2)})${one.turn ? ` rotate(${one.turn})` : ""}${one.scale !== 1 ? ` scale(${one.scale})` : ""}`;
}
