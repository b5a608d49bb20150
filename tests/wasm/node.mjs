// node node.mjs BASE SCRIPT GIVEN: starts Python as a worker does, runs the script and prints its variable `found` as JSON.
import { readFileSync } from "node:fs";

const [base, script, given] = process.argv.slice(2);
const { startPython } = await import(new URL("start.mjs", base).href);
const python = await startPython({ base: new URL(base), stdout: (line) => console.error(line) });
python.globals.set("given", python.toPy(JSON.parse(given)));
try {
  await python.runPythonAsync(readFileSync(script, "utf8"));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
console.log(python.runPython("import json; json.dumps(found)"));
