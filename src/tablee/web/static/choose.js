/** The page of a new table: the word of the level, ready games that fill in their settings, colours that nobody has twice. */

const form = /** @type {HTMLFormElement} */ (document.querySelector("form.new-table"));
const level = /** @type {HTMLInputElement} */ (form.querySelector("#level"));
const word = /** @type {HTMLOutputElement} */ (form.querySelector(".level-word"));

/** @param {string} name @returns {HTMLInputElement | null} the choice that is made */
function chosen(name) {
  return form.querySelector(`input[name="${name}"]:checked`);
}

/** @param {string} name @param {string} value */
function choose(name, value) {
  const input = /** @type {HTMLInputElement | null} */ (form.querySelector(`input[name="${name}"][value="${value}"]`));
  if (input) input.checked = true;
}

function sayLevel() {
  const label = form.querySelector(`#levels option[value="${level.value}"]`)?.getAttribute("label") ?? "";
  word.textContent = (level.dataset.says ?? "").replace("%", level.value).replace("@", label);
  level.setAttribute("aria-valuetext", word.textContent);
  word.hidden = false;
}

// Ready games: one fills in its settings; settings that fit none are the player's own way.

const PRESET = "option-preset";
const filled = /** @type {HTMLInputElement | null} */ (form.querySelector("input[name=filled]"));

/** @param {HTMLInputElement} preset @returns {[string, string][]} the settings of a ready game */
function settings(preset) {
  const pairs = (preset.dataset.sets ?? "").split(" ").filter(Boolean);
  return pairs.map((pair) => /** @type {[string, string]} */ (pair.split("=")));
}

function fillIn() {
  const preset = chosen(PRESET);
  for (const [name, value] of preset ? settings(preset) : []) choose(`option-${name}`, value);
}

function namePreset() {
  const ready = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll(`input[name="${PRESET}"][data-sets]`)]);
  const fits = (/** @type {HTMLInputElement} */ preset) => settings(preset).every(([name, value]) => chosen(`option-${name}`)?.value === value);
  choose(PRESET, ready.find(fits)?.value ?? "own");
}

// The line over the folded rules: as usual, or what was changed.

const usual = /** @type {HTMLElement} */ (form.querySelector(".usual[data-own]"));

/** @param {Element} group @returns {boolean} whether another choice is made than the usual one */
function changed(group) {
  const number = /** @type {HTMLInputElement | null} */ (group.querySelector("input[type=number]"));
  const other = group.querySelector("input[type=checkbox]:checked, input[type=radio]:checked:not(.usual)");
  return other !== null || (number !== null && number.value !== number.dataset.usual);
}

function sayRules() {
  const preset = chosen(PRESET);
  const set = new Set(["preset", ...(preset ? settings(preset) : []).map(([name]) => name)]);
  const groups = [...form.querySelectorAll(".rules-of-game [data-option]")];
  const count = groups.filter((group) => !set.has(group.getAttribute("data-option") ?? "") && changed(group)).length;
  const ready = preset && !preset.classList.contains("usual") ? preset.parentElement?.textContent?.trim() : usual.dataset.usual;
  usual.textContent = (count ? (usual.dataset.own ?? "").replace("%", String(count)) : ready) ?? "";
}

// Seats: a side that is not at a smaller table is given back; two players never have one colour.

function keepSide() {
  const many = Number(chosen("seats")?.value ?? 0);
  const side = Number(chosen("side")?.value);
  if (many && side >= many) choose("side", "0");
}

const colours = /** @type {HTMLSelectElement[]} */ ([...form.querySelectorAll(".seat-row select[data-setup]")]);
let before = colours.map((select) => select.value);
function keepColours() {
  const at = colours.findIndex((select, number) => select.value !== before[number]);
  const other = colours.find((select, number) => number !== at && at >= 0 && select.value === colours[at].value);
  if (other) other.value = before[at];
  before = colours.map((select) => select.value);
  colours.forEach((select) => select.closest(".seat-row")?.setAttribute("data-colour", `=${select.value}`));
}

form.addEventListener("change", (event) => {
  const name = /** @type {HTMLInputElement} */ (event.target).name;
  if (name === PRESET) fillIn();
  else if (name.startsWith("option-") && filled) namePreset();
  if (filled) filled.value = chosen(PRESET)?.value ?? "";
  keepSide();
  keepColours();
  sayRules();
});
level.addEventListener("input", sayLevel);
sayLevel();
keepColours();
sayRules();
