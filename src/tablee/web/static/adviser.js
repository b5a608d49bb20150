/** The adviser: if it is switched on, the house is asked what an action gives away before it is sent. */
import { root } from "./root.js";

const KEY = "tablee-adviser";
const box = /** @type {HTMLInputElement | null} */ (document.getElementById("adviser"));

try {
  if (box) box.checked = localStorage.getItem(KEY) === "on";
  box?.addEventListener("change", () => localStorage.setItem(KEY, box.checked ? "on" : "off"));
} catch {
  // A browser that keeps nothing forgets the switch with the page.
}

/** @returns {boolean} whether the adviser looks on */
export function advised() {
  return Boolean(box?.checked);
}

/** @param {string} table @param {import("./walk.js").Act} act @returns {Promise<string>} what the action gives away; "" if it is not costly, or nobody knows */
export async function costOf(table, act) {
  const asked = new URLSearchParams({ seat: String(act.seat), token: act.token });
  document.body.classList.add("advising");
  const answer = await fetch(`${root}/t/${table}/advice?${asked}`).then((one) => (one.ok ? one.json() : null)).catch(() => null);
  document.body.classList.remove("advising");
  return answer?.text ?? "";
}
