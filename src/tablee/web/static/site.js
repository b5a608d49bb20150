/** What every page has: copying a link, sharing it, settings that show at once. */

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

// A telephone offers its own way of sending a link; elsewhere copying does.
for (const button of document.querySelectorAll("button.share-link")) {
  const field = document.querySelector(button.getAttribute("data-share") ?? "");
  if (!(field instanceof HTMLInputElement) || !(button instanceof HTMLButtonElement) || !navigator.share) continue;
  button.hidden = false;
  button.addEventListener("click", () => {
    navigator.share({ title: document.title, text: button.dataset.words ?? "", url: field.value }).catch(() => field.select()); // closed without sending
  });
}

// A setting shows as soon as it is chosen; it is kept when it is saved.
for (const choice of document.querySelectorAll("[data-setting] input[type=radio]")) {
  choice.addEventListener("change", () => {
    const input = /** @type {HTMLInputElement} */ (choice);
    if (input.name !== "language") document.documentElement.setAttribute(`data-${input.name}`, input.value);
  });
}
