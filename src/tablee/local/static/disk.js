/** The rows of the house in IndexedDB. A write is answered when the transaction is complete and, if it must be, on disk. */

const STORE = "rows";

/** @param {string} name @returns {Promise<{read: () => Promise<string>, write: (sent: string, strict: boolean) => Promise<string>}>} */
export async function openDisk(name) {
  const base = await opened(name);
  return { read: () => read(base), write: (sent, strict) => write(base, sent, strict) };
}

/** @param {string} name @returns {Promise<IDBDatabase>} */
function opened(name) {
  return new Promise((done, failed) => {
    const asked = indexedDB.open(name, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
    asked.onblocked = () => failed(new Error("another tab holds the database"));
  });
}

/** @param {IDBDatabase} base @returns {Promise<string>} every row as JSON */
function read(base) {
  return new Promise((done, failed) => {
    const rows = base.transaction(STORE, "readonly").objectStore(STORE);
    const keys = rows.getAllKeys();
    const values = rows.getAll();
    values.onsuccess = () => done(JSON.stringify(Object.fromEntries(keys.result.map((key, at) => [key, values.result[at]]))));
    values.onerror = () => failed(values.error);
  });
}

/**
 * @param {IDBDatabase} base
 * @param {string} sent rows that must be new, rows that may be there, keys that go
 * @param {boolean} strict on disk before it is answered
 * @returns {Promise<string>} nothing, or the name of what went wrong: then nothing was written
 */
function write(base, sent, strict) {
  const batch = JSON.parse(sent);
  return new Promise((done) => {
    let wrong = "";
    try {
      const work = base.transaction(STORE, "readwrite", { durability: strict ? "strict" : "relaxed" });
      const rows = work.objectStore(STORE);
      work.oncomplete = () => done("");
      work.onabort = () => done(wrong || work.error?.name || "AbortError");
      for (const [key, text] of Object.entries(batch.new)) rows.add(text, key).onerror = (event) => (wrong = /** @type {IDBRequest} */ (event.target).error?.name ?? "");
      for (const [key, text] of Object.entries(batch.put)) rows.put(text, key);
      for (const key of batch.gone) rows.delete(key);
    } catch (error) {
      done(error instanceof Error ? error.name : "Error"); // the database was closed or erased
    }
  });
}

/** @returns {Awaited<ReturnType<typeof openDisk>>} rows that nobody keeps: a window that is private */
export function noDisk() {
  /** @type {Map<string, string>} */
  const rows = new Map();
  return {
    read: async () => JSON.stringify(Object.fromEntries(rows)),
    write: async (sent) => {
      const batch = JSON.parse(sent);
      if (Object.keys(batch.new).some((key) => rows.has(key))) return "ConstraintError";
      for (const [key, text] of Object.entries({ ...batch.new, ...batch.put })) rows.set(key, text);
      for (const key of batch.gone) rows.delete(key);
      return "";
    },
  };
}
