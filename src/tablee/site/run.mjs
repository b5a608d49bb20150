// Runs a Python script under node: node run.mjs PYODIDE SCRIPT FOLDER ARGUMENT... ; the folder is the current one.
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, script, folder, ...rest] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(pyodide).href);
// What it compiles knows its lines, but not its columns: a third less to load.
const python = await loadPyodide({ indexURL: dirname(pyodide), env: { HOME: "/home/pyodide", PYTHONNODEBUGRANGES: "1" } });
python.FS.mkdirTree("/work");
python.mountNodeFS("/work", folder);
python.FS.chdir("/work");
python.globals.set("arguments", python.toPy(rest));
try {
  await python.runPythonAsync(script);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
