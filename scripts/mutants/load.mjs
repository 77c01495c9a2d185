// Gives Node the source of one file with the fault that MUTANT describes; `mutants.mjs` sets it.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const described = process.env["MUTANT"];
if (described) {
  const { file, start, end, replacement } = JSON.parse(described);
  const changed = pathToFileURL(join(import.meta.dirname, "../..", file)).href;
  registerHooks({
    load: (url, context, next) => {
      if (url !== changed) return next(url, context);
      const source = readFileSync(fileURLToPath(url), "utf8");
      return {
        format: "module-typescript",
        source: source.slice(0, start) + replacement + source.slice(end),
        shortCircuit: true,
      };
    },
  });
}
