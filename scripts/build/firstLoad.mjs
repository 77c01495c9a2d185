// What every visitor loads stands in one chunk.
import { readFile } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";

/**
 * The bundler makes a chunk for each set of entries that share a module, so every late part splits the first load into
 * more pieces: twenty requests, and worse compression. Whoever loads a late part has the first load already. Said to
 * the bundler as an import of `entry` in each late part, this leaves one chunk.
 */
export const firstLoadInOneChunk = (entry) => ({
  name: "first load in one chunk",
  setup: ({ onResolve, onLoad, initialOptions }) => {
    const first = resolve(initialOptions.absWorkingDir, entry);
    const late = new Set();
    onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) => {
      if (kind === "dynamic-import") late.add(resolve(resolveDir, path));
      return undefined;
    });
    onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      if (!late.has(path)) return undefined;
      const contents = `${await readFile(path, "utf8")}\nimport ${JSON.stringify(first)};\n`;
      return { contents, loader: extname(path).slice(1), resolveDir: dirname(path) };
    });
  },
});
