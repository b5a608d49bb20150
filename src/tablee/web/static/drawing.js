/** The drawing of a board that the server made: brought from scene to scene, turned and mirrored. It knows no rules and no touches. */
import { follow } from "./follow.js";
import { groundTransform, orientation, oriented, seen, whenTurned } from "./orient.js";
import { arrow, at, attribute, label, make, moved, write } from "./svg.js";

/** @typedef {import("./follow.js").Piece} Piece */
/** @typedef {import("./view.js").CellView} Cell */
/** @typedef {import("./view.js").SceneView} Scene */

const SLIDE = 180;
const TUMBLE = 340;
/** How much higher than wide a board is that leaves room beside it on a telephone. */
const SLIM = 1.5;
const APART = 90;
const THROWN = /^(die|stick)/;
const PATTERNS = ["M-2 0H2", "M0 -2V2", "M-1.6 -1.6L1.6 1.6", "M-2 0H2M0 -2V2", "M-1.6 -1.6L1.6 1.6M1.6 -1.6L-1.6 1.6", "M0 -1.8L1.8 1.4H-1.8Z", "M-1.5 -1.5H1.5V1.5H-1.5Z", "M0 -2L2 0L0 2L-2 0Z"];

export class Drawing {
  /**
   * @param {HTMLElement} frame the element around the drawing
   * @param {Scene} scene what is drawn there
   * @param {string} game
   */
  constructor(frame, scene, game) {
    const drawing = frame.querySelector("svg");
    if (!drawing) throw new Error("there is no board to play on");
    this.frame = frame;
    this.svg = drawing;
    this.game = game;
    /** @type {Map<Piece, SVGGElement>} */ this.drawn = new Map();
    /** @type {WeakMap<SVGGElement, Animation>} how each piece moves or moved last: to ask the browser would let it style the page anew */ this.slides = new WeakMap();
    this.scene = scene;
    this.given = scene;
    /** @type {import("./orient.js").Orientation} */ this.how = { quarters: 0, mirrored: false };
  }

  /** Begin: sort the drawing, lay it as the screen is, and again whenever the screen is turned. */
  begin() {
    this.adopt();
    this.turn();
    whenTurned(() => this.turn());
  }

  /** Lay over the drawing what depends on where everything stands; a board lays its grid of cells. */
  overlay() {}

  /** Sort what the server drew into layers. */
  adopt() {
    const { svg } = this;
    svg.setAttribute("role", "group");
    svg.querySelectorAll("title").forEach((title) => title.remove());
    this.ground = this.layer("ground");
    this.prints = this.layer("prints");
    this.marks = this.layer("marks");
    this.pieces = this.layer("pieces");
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
    this.overlay();
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
    this.overlay();
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
    const ways = JSON.stringify(scene.tracks);
    if (ways !== this.ways) {
      prints.querySelectorAll("polyline").forEach((old) => old.remove());
      prints.prepend(...scene.tracks.map((one) => make("polyline", { points: one.points.map((/** @type {number[]} */ point) => point.join(",")).join(" "), fill: "none", stroke: one.colour, "stroke-width": one.width, "stroke-linejoin": "round", "stroke-linecap": "round" })));
      this.ways = ways;
    }
    const words = [...prints.querySelectorAll("text")];
    for (const old of words.splice(scene.labels.length)) old.remove();
    for (const [number, one] of scene.labels.entries()) {
      if (!words[number]) prints.append((words[number] = /** @type {SVGTextElement} */ (/** @type {unknown} */ (make("text", { "text-anchor": "middle" })))));
      label(words[number], one);
    }
    for (const cell of scene.cells) {
      const node = ground.querySelector(`[data-cell="${CSS.escape(cell.name)}"]`);
      const place = attribute({ ...cell, scale: 1 });
      if (node && node.getAttribute("transform") !== place) node.setAttribute("transform", place);
    }
    marks.replaceChildren();
  }

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

  /** @param {Piece} piece @returns {SVGSVGElement} a small picture of it */
  picture(piece) {
    const svg = make("svg", { class: "picture", viewBox: "-6.5 -4.5 13 9", "aria-hidden": "true" });
    svg.append(make("use", { href: `#${this.game}-${piece.symbol}` }));
    return svg;
  }
}
