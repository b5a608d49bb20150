/** The player worker: Python with the games and the players, and nothing else. It is ended from outside where it thinks too long. */
import { startPython } from "./python/start.mjs";

const base = new URL("./", self.location.href);
const python = await startPython({ base: new URL("python/", base) });
const player = python.pyimport("tablee.local.thinking").Player();

self.addEventListener("message", (event) => {
  let answer = "";
  try {
    answer = player.answer(event.data.line);
  } catch (error) {
    console.error(String(error));
  }
  self.postMessage({ answer });
});
self.postMessage({ ready: true });
