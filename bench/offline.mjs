// node offline.mjs BASE TASK AMOUNT: does one task in the Python of the browser and prints what it finds as JSON; see offline.py.
import { readFileSync } from "node:fs";

const [base, task, amount] = process.argv.slice(2);
const processor = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
const say = (found) => { console.log(JSON.stringify(found)); process.exit(0); };
if (task === "pyodide") {
  const { loadPyodide } = await import(new URL("pyodide.mjs", base).href);
  const python = await loadPyodide({ indexURL: decodeURIComponent(new URL(base).pathname) });
  python.runPython("1");
  say({ seconds: processor() });
}
const { startPython } = await import(new URL("start.mjs", base).href);
const python = await startPython({ base: new URL(base), stdout: (line) => console.error(line) });
if (task === "ready") {
  python.runPython("import tablee.catalog, tablee.web.app; tablee.catalog.kinds()");
  say({ seconds: processor() });
}
python.globals.set("processor", processor);
python.globals.set("amount", Number(amount));
python.runPython(readFileSync(new URL("offline_tasks.py", import.meta.url), "utf8"));
console.log(python.runPython(`import json; json.dumps(${task}(amount))`));
process.exit(0);
