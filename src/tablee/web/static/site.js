/** What every page has: copying a link, settings that show at once, choices that fit the number of players. */

for (const button of document.querySelectorAll("button.copy")) {
  const field = document.querySelector(button.getAttribute("data-copy") ?? "");
  if (!(field instanceof HTMLInputElement) || !(button instanceof HTMLButtonElement)) continue;
  button.hidden = false;
  const said = button.textContent;
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy"); // an address without https has no clipboard
    }
    button.textContent = button.dataset.copied ?? said;
    window.setTimeout(() => (button.textContent = said), 2000);
  });
}

// A setting shows as soon as it is chosen; it is kept when it is saved.
for (const choice of document.querySelectorAll("[data-setting] input[type=radio]")) {
  choice.addEventListener("change", () => {
    const input = /** @type {HTMLInputElement} */ (choice);
    if (input.name !== "language") document.documentElement.setAttribute(`data-${input.name}`, input.value);
  });
}

// Only the seats that will be at the table are asked for.
const seats = document.querySelectorAll("input[name=seats]");
function fitSeats() {
  const chosen = /** @type {HTMLInputElement | null} */ (document.querySelector("input[name=seats]:checked"));
  const many = Number(chosen?.value ?? 0);
  for (const line of document.querySelectorAll(".seat-kind[data-seat]")) {
    /** @type {HTMLElement} */ (line).hidden = many > 0 && Number(line.getAttribute("data-seat")) >= many;
  }
}
seats.forEach((seat) => seat.addEventListener("change", fitSeats));
if (seats.length) fitSeats();
