// Lets Node load the project's other file types besides TypeScript: JSX, and stylesheets as their class names.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";

const classNames =
  'export default new Proxy({}, { get: (_, name) => (typeof name === "string" ? name : undefined) });';

const component = (url) =>
  transformSync(readFileSync(fileURLToPath(url), "utf8"), {
    loader: "tsx",
    jsx: "automatic",
    format: "esm",
    target: "esnext",
    sourcefile: fileURLToPath(url),
    sourcemap: "inline",
  }).code;

/** `test/support/dom.ts` runs for each test file that imports it: test files that share a process are loaded one by one. */
const perTestFile = (specifier, url, parent) =>
  specifier.endsWith("/support/dom.ts") ? `${url}?for=${encodeURIComponent(parent)}` : url;

registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    return { ...resolved, url: perTestFile(specifier, resolved.url, context.parentURL) };
  },
  load: (url, context, next) => {
    const path = url.split("?")[0];
    const source = path.endsWith(".tsx")
      ? component(path)
      : path.endsWith(".module.css")
        ? classNames
        : path.endsWith(".css")
          ? ""
          : undefined;
    return source === undefined ? next(url, context) : { format: "module", source, shortCircuit: true };
  },
});
