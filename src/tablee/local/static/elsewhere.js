/** The tables that wait at a house with a server: asked for only where that house has this page's own address, since nothing goes anywhere else. */

const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector("a[data-house]"));
const list = /** @type {HTMLElement | null} */ (document.querySelector(".house-tables"));

async function offer() {
  if (!link || !list || new URL(link.href).origin !== location.origin || !navigator.onLine) return;
  const house = link.href.replace(/\/$/, "");
  const answer = await fetch(`${house}/api/v1/tables`).catch(() => null);
  if (!answer?.ok) return;
  for (const table of await answer.json()) {
    const entry = document.createElement("li");
    const to = document.createElement("a");
    to.href = `${house}/t/${table.table}`;
    to.target = "_top";
    to.textContent = `${table.game}, ${table.free.length}/${table.seats}`;
    entry.append(to);
    list.append(entry);
  }
  list.hidden = !list.children.length;
}

void offer();
