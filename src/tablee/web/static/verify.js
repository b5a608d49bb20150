/** The page "Vérifier les dés": this browser recomputes a table's whole log by itself. */
import { checkChain, checkChosen, checkDice, diceVersion } from "./dice.js";

const result = /** @type {HTMLElement} */ (document.getElementById("verify-result"));
/** @type {Record<string, string>} */
const sentences = JSON.parse(document.getElementById("sentences")?.textContent ?? "{}");

/**
 * Check a log, and say what was found.
 * @param {import("./dice.js").LogEvent[]} events
 */
async function verify(events) {
  try {
    await checkChain(events);
    checkChosen(events);
    const { finished, draws } = await checkDice(events);
    say(finished ? "good" : "open", finished ? sentences["verify good"].replace("{throws}", String(draws)) : sentences["verify open"], ...promises(events));
  } catch (error) {
    say("bad", sentences["verify bad"].replace("{what}", error instanceof Error ? error.message : String(error)));
  }
}

/**
 * What a reader should know of these dice: an old version, seals made anew.
 * @param {import("./dice.js").LogEvent[]} events
 * @returns {string[]}
 */
function promises(events) {
  const resealed = events.filter((event) => event.kind === "resealed").map((event) => sentences["verify resealed"].replace("{seq}", String(event.seq)));
  return diceVersion(events) === 1 ? [sentences["verify v1"], ...resealed] : resealed;
}

/** @param {"good" | "open" | "bad"} verdict @param {string} text @param {...string} more */
function say(verdict, text, ...more) {
  const lines = [text, ...more].map((sentence) => {
    const line = document.createElement("p");
    line.textContent = sentence;
    return line;
  });
  lines[0].className = `verdict ${verdict}`;
  result.replaceChildren(...lines);
  result.dataset.verdict = verdict;
}

/** @param {string} text @returns {import("./dice.js").LogEvent[]} a log as JSON lines */
function readLines(text) {
  return text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
}

const given = document.getElementById("log")?.textContent;
if (!crypto.subtle) say("bad", sentences["verify insecure"]);
else if (given) void verify(JSON.parse(given));

// A log that was downloaded earlier, from here or from elsewhere.
const file = document.getElementById("verify-file");
file?.addEventListener("change", async () => {
  const chosen = /** @type {HTMLInputElement} */ (file).files?.[0];
  if (!chosen) return;
  try {
    await verify(readLines(await chosen.text()));
  } catch (error) {
    say("bad", sentences["verify bad"].replace("{what}", error instanceof Error ? error.message : String(error)));
  }
});
