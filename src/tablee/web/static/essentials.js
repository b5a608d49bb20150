/** The essentials of a game, shown over the table where one sits; without this script the link leads to the rule page. */
const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector("a[data-essentials]"));

link?.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  // Read as a document: the page's policy lets no script write HTML.
  const request = new XMLHttpRequest();
  request.open("GET", link.dataset.essentials ?? "");
  request.responseType = "document";
  request.onload = () => {
    const section = request.responseXML?.querySelector(".essentials");
    if (section) show(document.importNode(section, true));
    else location.assign(link.href);
  };
  request.onerror = () => location.assign(link.href);
  request.send();
});

/** @param {Element} section what the house has written */
function show(section) {
  const dialog = document.createElement("dialog");
  dialog.className = "essentials-dialog";
  dialog.setAttribute("aria-labelledby", "essentials-title");
  const close = document.createElement("button");
  close.type = "button";
  close.className = "close";
  close.textContent = link?.dataset.close ?? "×";
  close.addEventListener("click", () => dialog.close());
  dialog.append(close, section);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    link?.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}

// The guided first game is offered until it was begun or put off in this browser.
const offer = document.getElementById("first-offer");
const key = `tablee-first-${offer?.dataset.game}`;
try {
  if (offer && !localStorage.getItem(key)) offer.hidden = false;
  offer?.querySelector("button")?.addEventListener("click", () => {
    localStorage.setItem(key, "later");
    offer.hidden = true;
  });
} catch {
  // A browser that keeps nothing is not asked at every table.
}
