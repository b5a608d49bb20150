/** The shell: it keeps the files, owns the worker of the house and the frame of its pages, and stays while pages change. */
import { keepFiles, missing } from "./keeping.js";

const base = new URL("./", import.meta.url);
const app = new URL("app/", base);
const news = new BroadcastChannel(`tablee ${app.pathname}`);
/** The only script addresses that this page may make. */
const policy = /** @type {any} */ (window).trustedTypes?.createPolicy("tablee", { createScriptURL: own });
const sentences = JSON.parse(part("sentences").textContent ?? "{}");
const frame = /** @type {HTMLIFrameElement} */ (part("frame"));
let language = sentences[localStorage.getItem("tablee-language") ?? ""] ? localStorage.getItem("tablee-language") ?? "en" : navigator.languages.some((one) => /^fr\b/i.test(one)) ? "fr" : "en";
/** @type {Worker | null} the house, in the tab that has it */
let house = null;

/** @param {string} id @returns {HTMLElement} */
function part(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** @param {string} url @returns {string} the address of a worker of this site */
function own(url) {
  const whole = new URL(url, base);
  if (whole.href !== new URL("house.js", base).href && whole.href !== new URL("sw.js", base).href) throw new TypeError(`not a worker of this site: ${url}`);
  return whole.href;
}

/** @param {string} key @param {Record<string, string | number>} facts @returns {string} */
function say(key, facts = {}) {
  return Object.entries(facts).reduce((text, [name, fact]) => text.replace(`{${name}}`, String(fact)), sentences[language][key] ?? key);
}

function speak() {
  document.documentElement.lang = language;
  for (const place of document.querySelectorAll("[data-say]")) place.textContent = say(place.getAttribute("data-say") ?? "");
}

/** @param {string} key a sentence instead of a start @param {Record<string, string | number>} facts */
function stop(key, facts = {}) {
  part("ask").hidden = part("loading").hidden = true;
  part("trouble").hidden = false;
  part("trouble").textContent = say(key, facts);
  document.body.dataset.state = key;
}

/** @param {string} key a sentence that stays beside the game @param {boolean} unwritten whether one may choose to play on without keeping */
function warn(key, unwritten = false) {
  part("notice").hidden = false;
  part("play-unkept").hidden = !unwritten;
  part("notice-text").textContent = say(key);
}

/** @param {number} bytes @returns {string} */
function megabytes(bytes) {
  return (bytes / 1e6).toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** @param {number} done @param {number} total */
function progress(done, total) {
  if (!part("trouble").hidden) return; // other files were still on their way
  part("loading").hidden = false;
  part("loading-text").textContent = say("loading", { done: megabytes(done), total: megabytes(total) });
  const bar = /** @type {HTMLProgressElement} */ (part("loading-bar"));
  bar.max = total;
  bar.value = done;
}

/** @returns {Promise<void>} when somebody has agreed that files are kept */
function agreed() {
  return new Promise((done) => {
    part("ask").hidden = false;
    part("ask").querySelector("button")?.addEventListener("click", () => {
      part("ask").hidden = true;
      done();
    });
  });
}

// Pages: the frame shows them, the address of the shell names the one that is shown.

/** @returns {string} the page that the address names */
function wanted() {
  return location.hash.startsWith("#/") ? location.hash.slice(2) : "";
}

function show() {
  frame.src = new URL(wanted(), app).href;
}

frame.addEventListener("load", () => {
  const page = frame.contentDocument;
  if (!page || !page.location.href.startsWith(app.href)) return;
  history.replaceState(null, "", `${base.pathname}#${page.location.href.slice(app.href.length - 1)}`);
  document.title = page.title;
  if (page.documentElement.lang in sentences) {
    language = page.documentElement.lang;
    localStorage.setItem("tablee-language", language);
    speak();
  }
  document.documentElement.dataset.theme = page.documentElement.dataset.theme ?? "system";
  page.defaultView?.addEventListener("hashchange", () => history.replaceState(null, "", `${base.pathname}#${page.location.href.slice(app.href.length - 1)}`));
  part("start").hidden = true;
  frame.hidden = false;
  document.body.dataset.state = "open";
});
window.addEventListener("hashchange", () => {
  if (frame.contentDocument?.location.href !== new URL(wanted(), app).href) show();
});

// The house: one tab has it, whoever holds the lock.

navigator.serviceWorker?.addEventListener("message", (event) => {
  if (event.data.t === "whose") event.ports[0].postMessage(house !== null);
  else house?.postMessage(event.data, [...event.ports]);
});

function openHouse() {
  part("loading").hidden = false;
  part("loading-text").textContent = say("starting");
  part("loading-bar").removeAttribute("value"); // nobody knows how long Python takes to start
  const address = new URL("house.js", base).href;
  house = new Worker(policy ? policy.createScriptURL(address) : address, { type: "module" });
  house.addEventListener("message", (event) => {
    const told = event.data;
    if (told.t === "unkept") warn("unkept");
    else if (told.t === "unwritten") warn(told.wrong === "QuotaExceededError" ? "full" : "unwritten", true);
    else if (told.t === "failed") stop("failed", { error: told.error });
    else if (told.t === "open") {
      news.postMessage("the house is in another tab now");
      if (frame.hidden) show();
    }
  });
  house.addEventListener("error", (event) => stop("failed", { error: event.message || "worker" }));
}

function takeHouse() {
  const name = `tablee house ${base.pathname}`;
  void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
    if (lock) {
      openHouse();
      return new Promise(() => {}); // kept as long as this tab is there
    }
    show();
    void navigator.locks.request(name, () => {
      openHouse();
      return new Promise(() => {});
    });
  });
}

// A new version waits until somebody wants it.

/** How long the older worker may be at work before the page goes on without it. */
const PATIENCE = 4000;

/**
 * A browser may wait for minutes until the older worker is idle. Where the site can be reached, the page begins again without it; the new files are kept already.
 * @param {ServiceWorkerRegistration} kept
 */
async function leaveOlder(kept) {
  const answer = await fetch(new URL("sw.js", base), { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return; // without a network the older one must serve on
  await kept.unregister();
  location.reload();
}

/** @param {ServiceWorkerRegistration} kept */
function watchVersions(kept) {
  const offer = () => {
    if (!kept.waiting || !navigator.serviceWorker.controller) return;
    part("version").hidden = false;
    /** @type {HTMLButtonElement} */ (part("version").querySelector("button")).onclick = () => {
      navigator.serviceWorker.oncontrollerchange = () => location.reload();
      kept.waiting?.postMessage({ t: "skip" });
      window.setInterval(() => void leaveOlder(kept), PATIENCE);
    };
  };
  const follow = () => kept.installing?.addEventListener("statechange", offer);
  offer();
  follow(); // the browser may have looked for a new version before this page did
  kept.addEventListener("updatefound", follow);
  kept.update().catch(() => {}); // without a network there is nothing new
}

async function start() {
  speak();
  const lacks = missing();
  if (lacks) return stop(lacks);
  let kept = await navigator.serviceWorker.getRegistration(base.href);
  if (!kept?.active) {
    const files = await (await fetch(new URL("files.json", base), { cache: "no-cache" })).json();
    part("ask-size").textContent = say("ask size", { size: megabytes(files.total) });
    if (localStorage.getItem("tablee-agreed") !== "yes") await agreed();
    await keepFiles(base, files, progress);
    localStorage.setItem("tablee-agreed", "yes");
    const address = new URL("sw.js", base).href;
    kept = await navigator.serviceWorker.register(policy ? policy.createScriptURL(address) : address, { scope: base.pathname, updateViaCache: "none" });
    await navigator.serviceWorker.ready;
  }
  if (!navigator.serviceWorker.controller) await Promise.race([new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true })), new Promise((done) => setTimeout(done, 3000))]);
  void navigator.storage?.persist?.();
  watchVersions(kept);
  takeHouse();
}

part("notice").querySelector("button")?.addEventListener("click", () => (part("notice").hidden = true));
part("play-unkept").addEventListener("click", () => {
  house?.postMessage({ t: "keep nothing" });
  warn("unkept now");
});
start().catch((error) => stop(error?.name === "QuotaExceededError" ? "full start" : navigator.onLine ? "failed" : "offline", { error: String(error) }));
