// Starts Python with the application, the same in a module worker and under node:
//   const python = await startPython({ base: new URL("python/", self.location.href), progress: (done, total) => … });
// `base` is the folder that `tablee site` wrote; the archive is unpacked into /tablee, which is on sys.path. `python.build` is build.json.

const inNode = typeof process === "object" && Boolean(process.versions?.node);
const ARCHIVE = "tablee.pack";

export async function startPython({ base, progress, ...options }) {
  const build = JSON.parse(new TextDecoder().decode(await read(new URL("build.json", base))));
  const total = Object.values(build.files).reduce((sum, bytes) => sum + bytes, 0);
  let done = 0;
  const count = progress && ((bytes) => progress(Math.min((done += bytes), total), total));
  const archive = read(new URL(ARCHIVE, base), count).then(unpacked);
  archive.catch(() => {}); // it is awaited below, after Pyodide
  const { loadPyodide } = await import(new URL("pyodide.mjs", base).href);
  const python = await counted(base, count, () =>
    loadPyodide({ indexURL: inNode ? decodeURIComponent(base.pathname) : base.href, lockFileContents: { info: build.python, packages: {} }, ...options }));
  place(python.FS, await archive);
  python.runPython("import sys; sys.path.insert(0, '/tablee')");
  python.build = build;
  return python;
}

// Pyodide fetches its own files: what arrives is counted on the way, and the type of the WebAssembly is told to browsers whose server does not know it.
async function counted(base, count, load) {
  if (inNode || !count) return load(); // what is handed on as it came is compiled once and remembered
  const fetchIt = self.fetch;
  self.fetch = async (...request) => {
    const answer = await fetchIt(...request);
    if (!answer.ok || !answer.body || !answer.url.startsWith(base.href)) return answer;
    const headers = new Headers(answer.headers);
    if (answer.url.endsWith(".wasm")) headers.set("content-type", "application/wasm");
    return new Response(answer.body.pipeThrough(counter(count)), { status: answer.status, headers });
  };
  try {
    return await load();
  } finally {
    self.fetch = fetchIt;
  }
}

function counter(count) {
  return new TransformStream({ transform(chunk, out) { count(chunk.byteLength); out.enqueue(chunk); } });
}

async function read(url, count) {
  if (inNode) return (await import("node:fs/promises")).readFile(url);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url.pathname}: ${answer.status}`);
  return new Uint8Array(await (count ? new Response(answer.body.pipeThrough(counter(count))) : answer).arrayBuffer());
}

// A server may have undone the compression on the way: the first two bytes tell.
async function unpacked(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}

// The archive: the length of the list (four bytes, the lowest first), the list of [path, size] as JSON, the files one after the other.
function place(files, bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const list = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const made = new Set();
  let at = 4 + length;
  for (const [path, size] of list) {
    const whole = `/tablee/${path}`;
    const folder = whole.slice(0, whole.lastIndexOf("/"));
    if (!made.has(folder)) {
      files.mkdirTree(folder);
      made.add(folder);
    }
    files.writeFile(whole, bytes.subarray(at, at + size), { canOwn: true });
    at += size;
  }
}
