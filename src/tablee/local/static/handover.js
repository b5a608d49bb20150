/** Hands the game of a table to a house with a server: its record goes at the end of the address, and only when the link is followed. */
import { root } from "./root.js";

for (const link of document.querySelectorAll("a[data-hand-over]")) {
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    const record = await (await fetch(`${root}/t/${document.body.dataset.table}/record`)).text();
    window.open(`${link.getAttribute("href")}#${new URLSearchParams({ record })}`, "_top");
  });
}
