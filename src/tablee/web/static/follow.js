/**
 * Who is who from one scene to the next, so that what slides can be seen to slide:
 * pieces that look alike are paired so that the squares of their ways are least in sum.
 * What is left over is paired by family: a die keeps its place when it shows another face, a bird when it wakes.
 */

/** @typedef {import("./view.js").PieceView} Piece */

/**
 * Pair the pieces of two scenes.
 * @param {Piece[]} before
 * @param {Piece[]} after
 * @returns {Map<Piece, Piece>} each later piece that was there before, with the earlier one
 */
export function follow(before, after) {
  /** @type {Map<Piece, Piece>} */
  const pairs = new Map();
  const left = pairGroups(before, after, (piece) => piece.symbol, pairs);
  pairGroups(left.before, left.after, (piece) => piece.symbol.split("-")[0], pairs);
  return pairs;
}

/**
 * Pair within groups, and return who is left.
 * @param {Piece[]} before
 * @param {Piece[]} after
 * @param {(piece: Piece) => string} group
 * @param {Map<Piece, Piece>} pairs
 * @returns {{before: Piece[], after: Piece[]}}
 */
function pairGroups(before, after, group, pairs) {
  const taken = new Set();
  const groups = new Map();
  for (const piece of before) {
    const name = group(piece);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(piece);
  }
  for (const [name, old] of groups) {
    for (const [was, now] of paired(old, after.filter((piece) => group(piece) === name))) {
      pairs.set(now, was);
      taken.add(was);
    }
  }
  return { before: before.filter((piece) => !taken.has(piece)), after: after.filter((piece) => !pairs.has(piece)) };
}

/**
 * Those who stand still first, then the nearest, then swapped as long as that shortens the squared ways.
 * @param {Piece[]} old
 * @param {Piece[]} young
 * @returns {[Piece, Piece][]}
 */
function paired(old, young) {
  const freeOld = new Set(old);
  const freeYoung = new Set(young);
  /** @type {[Piece, Piece][]} */
  const still = [];
  for (const now of young) {
    const was = [...freeOld].find((piece) => way(piece, now) === 0);
    if (was) {
      still.push([was, now]);
      freeOld.delete(was);
      freeYoung.delete(now);
    }
  }
  const all = [];
  for (const was of freeOld) for (const now of freeYoung) all.push({ was, now, length: way(was, now) });
  all.sort((one, other) => one.length - other.length || compare(one.was.id, other.was.id) || compare(one.now.id, other.now.id));
  /** @type {[Piece, Piece][]} */
  const pairs = [];
  for (const { was, now } of all) {
    if (freeOld.has(was) && freeYoung.has(now)) {
      freeOld.delete(was);
      freeYoung.delete(now);
      pairs.push([was, now]);
    }
  }
  // A piece that stood still may have to make room in a pushed line: it takes part in the swaps too.
  const moving = pairs.concat(still);
  for (let better = true; better; ) {
    better = false;
    for (let a = 0; a < pairs.length; a++) {
      for (let b = 0; b < moving.length; b++) {
        const one = pairs[a];
        const other = moving[b];
        if (one === other) continue;
        if (way(one[0], other[1]) + way(other[0], one[1]) < way(...one) + way(...other)) {
          [one[1], other[1]] = [other[1], one[1]];
          better = true;
        }
      }
    }
  }
  return moving;
}

/** @param {Piece} was @param {Piece} now @returns {number} the square of the way, in whole hundredths */
function way(was, now) {
  return Math.round(((was.x - now.x) ** 2 + (was.y - now.y) ** 2) * 100);
}

/** @param {string} one @param {string} other @returns {number} */
function compare(one, other) {
  return one < other ? -1 : one > other ? 1 : 0;
}
