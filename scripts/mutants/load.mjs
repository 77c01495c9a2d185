// Gives Node the source of one file with the fault that MUTANT describes; `mutants.mjs` sets it.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { transformSync } from "esbuild";

const described = process.env["MUTANT"];
if (described) {
  const { file, start, end, replacement } = JSON.parse(described);
  const target = pathToFileURL(join(import.meta.dirname, "../..", file)).href;
  registerHooks({
    load: (url, context, next) => {
      if (url.split("?")[0] !== target) return next(url, context);
      const text = readFileSync(fileURLToPath(url), "utf8");
      const changed = text.slice(0, start) + replacement + text.slice(end);
      const { code } = transformSync(changed, { loader: "tsx", jsx: "automatic", target: "esnext" });
      return { format: "module", source: code, shortCircuit: true };
    },
  });
}
