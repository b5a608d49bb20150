/** What a page does otherwise in the frame of the shell: downloads come as files, and what opens in another tab opens a shell there. */

(() => {
  const app = new URL("../", /** @type {HTMLScriptElement} */ (document.currentScript).src);
  const shell = new URL("../", app);

  // A page of the house outside of its shell goes to the shell.
  if (window.top === window) location.replace(`${shell.href}#${location.href.slice(app.href.length - 1)}`);

  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!(link instanceof HTMLAnchorElement) || !link.href.startsWith(app.href)) return;
    if (link.hasAttribute("download")) {
      event.preventDefault();
      void save(link);
    } else if (link.target === "_blank" || event.ctrlKey || event.metaKey) {
      event.preventDefault();
      window.open(`${shell.href}#${link.href.slice(app.href.length - 1)}`);
    }
  });

  /** @param {HTMLAnchorElement} link */
  async function save(link) {
    const answer = await fetch(link.href);
    const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? new URL(answer.url).pathname.split("/").pop() ?? "";
    const file = document.createElement("a");
    file.href = URL.createObjectURL(await answer.blob());
    file.download = name;
    file.click();
    window.setTimeout(() => URL.revokeObjectURL(file.href), 60000);
  }
})();
