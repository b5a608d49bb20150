/** The side of the board that a player is offered before play: the choice of a mirror, kept by this browser for this game. */

import { chooseMirror, chosen } from "./orient.js";

const game = document.body.dataset.game ?? "";
const inputs = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll(".side-offer input")]);

/** Show which side is chosen. */
export function showSide() {
  for (const input of inputs) input.checked = (input.value === "yes") === chosen(game).mirrored;
}

/** @param {import("./view.js").View} view offer the side at a table, until the player of that seat has played: a computer does not wait with its first push */
export function offerSide(view) {
  const offer = document.getElementById("side-offer");
  if (!offer) return;
  const seat = Number(offer.dataset.for);
  offer.hidden = !view.you.includes(seat) || Boolean(view.result) || view.record.some((turn) => turn.seat === seat);
}

showSide();
for (const input of inputs) {
  input.addEventListener("change", () => {
    if ((input.value === "yes") !== chosen(game).mirrored) chooseMirror(game);
  });
}
for (const offer of document.querySelectorAll(".side-offer:not([id])")) /** @type {HTMLElement} */ (offer).hidden = false;
