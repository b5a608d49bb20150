/**
 * How a viewer looks at a board: turned by quarters, mirrored. A wide board on a narrow screen is turned by a quarter, so that
 * its cells grow to the width of a finger; the rest each viewer chooses, and the browser remembers it.
 * Only the board turns: what stands or is written on it stays upright.
 */

/** @typedef {import("./view.js").SceneView} Scene */
/** @typedef {{quarters: number, mirrored: boolean}} Orientation */

const WIDE = 1.5;
const NARROW = matchMedia("(max-width: 820px) and (orientation: portrait)");

/** @param {() => void} again what to do when the screen was turned */
export function whenTurned(again) {
  NARROW.addEventListener("change", again);
}

/** @param {Scene} scene @returns {boolean} whether it is much wider than high */
function isWide(scene) {
  return scene.width > WIDE * scene.height;
}

/** @param {string} game @param {Scene} scene @returns {Orientation} how this viewer wants to see a board on this screen */
export function orientation(game, scene) {
  const wanted = chosen(game);
  const quarters = wanted.quarters + (NARROW.matches && isWide(scene) ? 1 : 0);
  return { quarters: quarters % 4, mirrored: wanted.mirrored };
}

/** @param {string} game @returns {Orientation} what this viewer has chosen */
export function chosen(game) {
  try {
    const kept = JSON.parse(localStorage.getItem(`tablee.board.${game}`) ?? "{}");
    return { quarters: [1, 2, 3].includes(kept.quarters) ? kept.quarters : 0, mirrored: kept.mirrored === true };
  } catch {
    return { quarters: 0, mirrored: false };
  }
}

/** @param {string} game @param {Orientation} wanted */
function choose(game, wanted) {
  try {
    localStorage.setItem(`tablee.board.${game}`, JSON.stringify(wanted));
  } catch {
    // A browser that keeps nothing shows the board as it was drawn next time.
  }
}

/** @param {string} game @param {Scene} scene turn the board: a wide one by half a turn, so that it stays wide */
export function chooseTurn(game, scene) {
  const { quarters, mirrored } = chosen(game);
  choose(game, { quarters: (quarters + (isWide(scene) ? 2 : 1)) % 4, mirrored });
}

/** @param {string} game see the board in a mirror, or as it is if it is seen in one */
export function chooseMirror(game) {
  const { quarters, mirrored } = chosen(game);
  choose(game, { quarters, mirrored: !mirrored });
}

/** @param {Scene} scene @param {Orientation} how @param {number} x @param {number} y @returns {[number, number]} where a point of the board is seen */
export function seen(scene, { quarters, mirrored }, x, y) {
  let [width, height] = [scene.width, scene.height];
  let [a, b] = [mirrored ? width - x : x, y];
  for (let n = 0; n < quarters; n++) {
    [a, b] = [height - b, a];
    [width, height] = [height, width];
  }
  return [a, b];
}

/** @param {Scene} scene @param {Orientation} how @returns {string} the same for what is drawn as a whole, like the ground */
export function groundTransform({ width, height }, { quarters, mirrored }) {
  const turns = ["", `translate(${height} 0) rotate(90)`, `translate(${width} ${height}) rotate(180)`, `translate(0 ${width}) rotate(270)`];
  return `${turns[quarters]}${mirrored ? ` translate(${width} 0) scale(-1 1)` : ""}`.trim();
}

/** @param {Scene} scene @param {Orientation} how @returns {Scene} the scene as it is seen */
export function oriented(scene, how) {
  if (!how.quarters && !how.mirrored) return scene;
  const place = (/** @type {any} */ one) => {
    const [x, y] = seen(scene, how, one.x, one.y);
    return { ...one, x, y };
  };
  const upright = how.quarters % 2 === 0;
  return {
    ...scene,
    width: upright ? scene.width : scene.height,
    height: upright ? scene.height : scene.width,
    cells: scene.cells.map((cell) => ({ ...place(cell), turn: (how.mirrored ? -cell.turn : cell.turn) + 90 * how.quarters })),
    pieces: scene.pieces.map(place),
    labels: scene.labels.map(place),
    tracks: scene.tracks.map((track) => ({ ...track, points: track.points.map((/** @type {number[]} */ [x, y]) => seen(scene, how, x, y)) })),
  };
}
