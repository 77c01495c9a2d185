// What every visitor loads is one chunk.
import { globSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";

const sources = "{core,adapters,web}/**/*.{ts,tsx}";
const dynamicImport = /import\("(\.{1,2}\/[^"]+)"\)/g;

/** The files that some file imports dynamically, as absolute paths. */
const findLateFiles = (root) =>
  new Set(
    globSync(sources, { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] }).flatMap((name) => {
      const file = join(root, name);
      return [...readFileSync(file, "utf8").matchAll(dynamicImport)].map(([, path]) =>
        resolve(dirname(file), path),
      );
    }),
  );

/**
 * Keeps the first load in one chunk. The bundler makes a chunk for each set of entries that share a module, so every
 * late part would split the first load into more pieces: twenty requests, and worse compression. A browser that loads
 * a late part has the first load already; an import of `entry` in each late part tells the bundler so. The late parts
 * are found before the build, since the order in which the bundler meets them changes from build to build.
 */
export const firstLoadInOneChunk = (entry) => ({
  name: "first load in one chunk",
  setup: ({ onStart, onLoad, initialOptions }) => {
    const root = initialOptions.absWorkingDir;
    const first = resolve(root, entry);
    let late = new Set();
    onStart(() => {
      late = findLateFiles(root);
    });
    onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      if (!late.has(path)) return undefined;
      const contents = `${await readFile(path, "utf8")}\nimport ${JSON.stringify(first)};\n`;
      return { contents, loader: extname(path).slice(1), resolveDir: dirname(path) };
    });
  },
});
