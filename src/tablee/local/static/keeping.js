/** What a browser must have, and how the files of the site are fetched and kept. */

/** @returns {string} the sentence that says what this browser lacks, or nothing */
export function missing() {
  if (!window.isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator) || !("caches" in window)) return "no service worker";
  if (typeof WebAssembly !== "object" || !("locks" in navigator) || !("BroadcastChannel" in window) || !("DecompressionStream" in window)) return "old browser";
  return "";
}

/**
 * Fetch what is not kept yet, and keep it under the headers that it is to be served with: the service worker gives it as it is.
 * @param {URL} base
 * @param {{version: string, total: number, files: Record<string, [number, Record<string, string>]>}} wanted
 * @param {(done: number, total: number) => void} tell
 */
export async function keepFiles(base, wanted, tell) {
  const cache = await caches.open(`tablee ${base.pathname} ${wanted.version}`);
  let done = 0;
  const waiting = Object.keys(wanted.files);
  tell(0, wanted.total);
  const fetchNext = async () => {
    for (let path = waiting.shift(); path; path = waiting.shift()) {
      const url = new URL(path, base);
      if (await cache.match(url)) {
        done += wanted.files[path][0];
        continue;
      }
      const answer = await fetch(url, { cache: "no-cache" });
      if (!answer.ok || !answer.body) throw new Error(`${path}: ${answer.status}`);
      const counted = answer.body.pipeThrough(new TransformStream({
        transform(piece, on) {
          done += piece.byteLength;
          tell(Math.min(done, wanted.total), wanted.total);
          on.enqueue(piece);
        },
      }));
      await cache.put(url, new Response(counted, { headers: wanted.files[path][1] }));
    }
  };
  await Promise.all([fetchNext(), fetchNext(), fetchNext(), fetchNext()]);
  tell(wanted.total, wanted.total);
}
