/** Takes a file of games back into this browser. */
import { root } from "./root.js";

const field = /** @type {HTMLInputElement} */ (document.getElementById("games-file"));
const done = /** @type {HTMLElement} */ (document.getElementById("games-file-done"));

field.addEventListener("change", async () => {
  const [file] = field.files ?? [];
  if (!file) return;
  const answer = await fetch(`${root}/local/import?name=${encodeURIComponent(file.name)}`, { method: "POST", body: await file.arrayBuffer() });
  const said = await answer.json();
  done.hidden = false;
  done.textContent = answer.ok ? (field.dataset.done ?? "").replace("%", said.tables).replace("@", said.known) : said.error.text;
  if (answer.ok && said.tables) window.setTimeout(() => location.reload(), 1500);
});
