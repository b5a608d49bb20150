/** The side of the board that a player is offered before play: the choice of a mirror, kept by this browser for this game. */

import { chooseMirror, chosen } from "./orient.js";

for (const offer of document.querySelectorAll(".side-offer")) {
  const game = document.body.dataset.game ?? "";
  const inputs = /** @type {HTMLInputElement[]} */ ([...offer.querySelectorAll("input")]);
  /** @type {HTMLElement} */ (offer).hidden = false;
  for (const input of inputs) {
    input.checked = (input.value === "yes") === chosen(game).mirrored;
    input.addEventListener("change", () => {
      if ((input.value === "yes") !== chosen(game).mirrored) chooseMirror(game);
    });
  }
}
