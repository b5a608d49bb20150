/**
 * A wide board on a narrow screen is turned by a quarter, so that its cells grow to the width of a finger.
 * Only the board turns: what stands or is written on it stays upright.
 */

/** @typedef {import("./board.js").Scene} Scene */

const WIDE = 1.5;
const NARROW = matchMedia("(max-width: 820px) and (orientation: portrait)");

/** @param {() => void} again what to do when the screen was turned */
export function whenTurned(again) {
  NARROW.addEventListener("change", again);
}

/** @param {Scene} scene @returns {boolean} whether it is seen better when it is turned */
export function wantsTurning(scene) {
  return NARROW.matches && scene.width > WIDE * scene.height;
}

/** @param {Scene} scene @returns {Scene} the same, turned to the right */
export function turned(scene) {
  const place = (/** @type {any} */ one) => ({ ...one, x: scene.height - one.y, y: one.x });
  return {
    ...scene,
    width: scene.height,
    height: scene.width,
    cells: scene.cells.map((cell) => ({ ...place(cell), turn: cell.turn + 90 })),
    pieces: scene.pieces.map(place),
    labels: scene.labels.map(place),
    tracks: scene.tracks.map((track) => ({ ...track, points: track.points.map((/** @type {number[]} */ [x, y]) => [scene.height - y, x]) })),
  };
}
