/** Nodes of SVG, where they stand, and arrows between places: what every drawing of a board needs. */

const SVG = "http://www.w3.org/2000/svg";

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
export function write(node, name, value) {
  if (node?.getAttribute(name) !== value) node?.setAttribute(name, value);
}

/** @param {SVGElement} node @param {import("./view.js").LabelView} one write a label where it is another: laying out text costs more than the rest of the board */
export function label(node, one) {
  write(node, "x", String(one.x));
  write(node, "y", String(one.y));
  write(node, "font-size", String(one.size));
  write(node, "fill", one.colour);
  if (node.textContent !== one.text) node.textContent = one.text;
}

/** @param {Element | undefined} node @param {string} name play a class's animation again */
export function again(node, name) {
  if (!node) return;
  node.classList.remove(name);
  node.getBoundingClientRect();
  node.classList.add(name);
}

/** @param {number[][]} points @returns {string} the outline of a soft arrow along them, thin where it begins and wide where it ends */
export function arrow(points) {
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

/** @param {number[][]} points @returns {number[][]} the same way, begun beside its first piece */
export function shortened(points) {
  const [[x1, y1], [x2, y2]] = points;
  return [[x1 + (x2 - x1) * 0.3, y1 + (y2 - y1) * 0.3], ...points.slice(1)];
}

/** @param {number} x @param {number} y @returns {string} */
export function at(x, y) {
  return `translate(${x}px, ${y}px)`;
}

/** @param {{x: number, y: number, turn: number, scale: number}} one @returns {string} its place as a style */
export function moved(one) {
  return `${at(one.x, one.y)} rotate(${one.turn}deg) scale(${one.scale})`;
}

/** @param {{x: number, y: number, turn: number, scale: number}} one @returns {string} its place as an attribute */
export function attribute(one) {
  return `translate(${one.x.toFixed(2)} ${one.y.toFixed(2)})${one.turn ? ` rotate(${one.turn})` : ""}${one.scale !== 1 ? ` scale(${one.scale})` : ""}`;
}
