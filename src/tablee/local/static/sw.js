/** The service worker: keeps every file of one version, and passes the requests of the pages to the house in one of the tabs. */

/** Written by `tablee site`. */
const VERSION = "{version}";
const FILES = /** @type {Record<string, [number, Record<string, string>]>} */ ({ "{files}": [0, {}] });
const scope = /** @type {any} */ (self);
const base = new URL("./", self.location.href).pathname;
const app = `${base}app/`;
const CACHE = `tablee ${base} ${VERSION}`;
const WAIT = 120000;

scope.addEventListener("install", (event) => event.waitUntil(keepAll()));
scope.addEventListener("activate", (event) => event.waitUntil(takeOver()));
scope.addEventListener("message", (event) => {
  if (event.data.t === "skip") scope.skipWaiting();
  else if (event.data.t === "socket") event.waitUntil(connect(event.data, event.ports[0]));
});
scope.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== self.location.origin || !url.pathname.startsWith(base)) return;
  event.respondWith(answer(event.request, url));
});

/** What the shell has not fetched already; each file under the headers that it is served with, so that compiled WebAssembly is remembered. */
async function keepAll() {
  const cache = await caches.open(CACHE);
  for (const [path, [, headers]] of Object.entries(FILES)) {
    if (await cache.match(base + path)) continue;
    const answer = await fetch(base + path, { cache: "no-cache" });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    await cache.put(base + path, new Response(answer.body, { headers }));
  }
}

async function takeOver() {
  for (const name of await caches.keys()) if (name.startsWith(`tablee ${base} `) && name !== CACHE) await caches.delete(name);
  await scope.clients.claim();
}

/** @param {Request} request @param {URL} url @returns {Promise<Response>} */
async function answer(request, url) {
  const { pathname } = url;
  if (pathname.startsWith(app) && !pathname.startsWith(`${app}static/`)) {
    if (request.mode === "navigate" && request.destination === "document") return Response.redirect(`${base}#${pathname.slice(app.length - 1)}${url.search}`, 302);
    return fromHouse(request, url);
  }
  const wanted = pathname === base ? `${base}index.html` : pathname;
  // `caches.open` would make the cache of an older version again while a newer one takes over, and nobody would delete it.
  const kept = await caches.match(wanted, { cacheName: CACHE, ignoreSearch: true });
  if (kept) return kept;
  try {
    return await fetch(request);
  } catch (error) {
    const offline = request.mode === "navigate" ? await caches.match(`${base}offline.html`, { cacheName: CACHE }) : null;
    if (offline) return offline;
    throw error;
  }
}

// The house.

let owner = "";

/** @returns {Promise<any>} the tab that has the house, or nothing if there is none for long */
async function house() {
  const until = Date.now() + WAIT;
  while (Date.now() < until) {
    const tabs = (await scope.clients.matchAll({ type: "window", includeUncontrolled: true })).filter((tab) => tab.frameType === "top-level");
    const known = tabs.find((tab) => tab.id === owner);
    if (known) return known;
    const found = await Promise.any(tabs.map(asked)).catch(() => null);
    if (found) {
      owner = found.id;
      return found;
    }
    await new Promise((done) => setTimeout(done, 200));
  }
  return null;
}

/** @param {any} tab @returns {Promise<any>} the tab, if it says that it has the house */
function asked(tab) {
  return new Promise((done, failed) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = (event) => (event.data ? done(tab) : failed());
    setTimeout(failed, 1000);
    tab.postMessage({ t: "whose" }, [channel.port2]);
  });
}

/** @param {{path: string}} asking @param {MessagePort} port */
async function connect(asking, port) {
  const tab = await house();
  if (tab) tab.postMessage({ t: "socket", path: asking.path }, [port]);
  else port.postMessage({ t: "closed", code: 1013 });
}

/** @param {Request} request @param {URL} url @returns {Promise<Response>} */
async function fromHouse(request, url) {
  const body = ["GET", "HEAD"].includes(request.method) ? null : new Uint8Array(await request.arrayBuffer());
  const sent = { t: "request", method: request.method, path: decodeURIComponent(url.pathname), query: url.search.slice(1), headers: [...request.headers], body };
  for (let again = true; again; ) {
    const tab = await house();
    if (!tab) break;
    const made = await through(tab, sent);
    if (made) return response(made, url);
    owner = "";
    again = request.method === "GET"; // what changes something is not sent twice
  }
  return new Response("503", { status: 503, headers: { "content-type": "text/plain" } });
}

/** @param {any} tab @param {object} sent @returns {Promise<any>} the answer, or nothing if the tab has gone before */
function through(tab, sent) {
  return new Promise((done) => {
    const channel = new MessageChannel();
    const look = setInterval(async () => {
      if (await scope.clients.get(tab.id)) return;
      clearInterval(look);
      done(null);
    }, 1000);
    channel.port1.onmessage = (event) => {
      clearInterval(look);
      done(event.data);
    };
    tab.postMessage(sent, [channel.port2]);
  });
}

/** @param {{status: number, headers: [string, string][], body: Uint8Array}} made @param {URL} url @returns {Response} */
function response(made, url) {
  const headers = new Headers(made.headers);
  const location = headers.get("location");
  if (location && made.status >= 300 && made.status < 400) return Response.redirect(new URL(location, url).href, made.status);
  headers.delete("content-length");
  return new Response([204, 304].includes(made.status) ? null : made.body, { status: made.status, headers });
}
