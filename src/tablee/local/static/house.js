/** The house worker: Python with the real application. It answers the requests and the sockets of the pages, whichever tab they are in. */
import { noDisk, openDisk } from "./disk.js";
import { startPython } from "./python/start.mjs";

const base = new URL("./", self.location.href);
/** Before it stops waiting for a player worker that starts. */
const START_SECONDS = 90;

/** The player worker: ended where it does not answer in time, and begun anew. */
class Thinker {
  constructor() {
    /** @type {Worker | null} */ this.worker = null;
    this.started = Promise.resolve();
  }

  start() {
    const worker = (this.worker = new Worker(new URL("player.js", base), { type: "module" }));
    this.started = new Promise((done, failed) => {
      worker.onmessage = () => done(undefined);
      worker.onerror = () => failed(new Error("the player worker does not start"));
      setTimeout(() => failed(new Error("the player worker starts too slowly")), START_SECONDS * 1000);
    });
    this.started.catch(() => this.end());
  }

  end() {
    this.worker?.terminate();
    this.worker = null;
  }

  /** @param {string} line @param {number} seconds @returns {Promise<string>} the answer, or nothing */
  async ask(line, seconds) {
    if (!this.worker) this.start();
    try {
      await this.started;
    } catch {
      return "";
    }
    const worker = this.worker;
    if (!worker) return "";
    return new Promise((done) => {
      const late = setTimeout(() => {
        this.end();
        done("");
      }, seconds * 1000);
      worker.onmessage = (event) => {
        clearTimeout(late);
        done(event.data.answer);
      };
      worker.postMessage({ line });
    });
  }
}

const thinker = new Thinker();
/** Whether rows are written: not where nothing can be, nor once somebody has chosen to play on without room for them. */
let keeping = true;

async function open() {
  let disk;
  try {
    disk = await openDisk(`tablee ${base.pathname}`);
  } catch {
    disk = noDisk();
    self.postMessage({ t: "unkept" });
  }
  const write = disk.write;
  disk.write = async (sent, strict) => {
    if (!keeping) return "";
    const wrong = await write(sent, strict);
    if (wrong && wrong !== "ConstraintError") self.postMessage({ t: "unwritten", wrong });
    return wrong;
  };
  const python = await startPython({ base: new URL("python/", base) });
  const local = python.pyimport("tablee.local.browser");
  const address = new URL("app", base).href;
  const { house: elsewhere } = await (await fetch(new URL("site.json", base))).json();
  const ask = (line, seconds) => thinker.ask(line, seconds);
  const house = await local.open_house(address, navigator.languages.join(","), disk, ask, python.build.compiled, elsewhere);
  self.postMessage({ t: "open", compiled: python.build.compiled });
  if (!thinker.worker) thinker.start();
  return house;
}

const house = open();
house.catch((error) => self.postMessage({ t: "failed", error: String(error) }));

self.addEventListener("message", (event) => {
  const [port] = event.ports;
  if (event.data.t === "request") void answer(event.data, port);
  else if (event.data.t === "socket") void connect(event.data.path, port);
  else if (event.data.t === "keep nothing") keeping = false;
});

/** @param {{method: string, path: string, query: string, headers: [string, string][], body: Uint8Array | null}} asked @param {MessagePort} port */
async function answer(asked, port) {
  try {
    const made = await (await house).request(asked.method, asked.path, asked.query, JSON.stringify(asked.headers), asked.body);
    const [status, headers, body] = made;
    port.postMessage({ status, headers: JSON.parse(headers), body }, [body.buffer]);
  } catch (error) {
    port.postMessage({ status: 500, headers: [["content-type", "text/plain; charset=utf-8"]], body: new TextEncoder().encode(String(error)) });
  }
}

/** @param {string} path @param {MessagePort} port */
async function connect(path, port) {
  const opened = await house;
  const [receive, leave] = opened.socket(
    path,
    (text) => port.postMessage({ t: "frame", text }),
    (code) => port.postMessage({ t: "closed", code }),
  );
  port.onmessage = (event) => {
    if (event.data.t === "frame") receive(event.data.text);
    else leave();
  };
  port.addEventListener("close", () => leave()); // the page has gone, where the browser tells
  port.postMessage({ t: "opened" });
}
