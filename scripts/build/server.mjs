// The server as a few files with all they need, which start in a third of the time of their sources.
import { globSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";

const outdir = "dist/server";
const workerUrl = /new URL\("(\.{1,2}\/[^"]+)\.ts", import\.meta\.url\)/g;

const serverFiles = (root) => globSync("server/**/*.ts", { cwd: root, exclude: ["**/node_modules/**"] });

/** The files that run in threads of their own, as paths from the root. */
const findThreads = (root) =>
  serverFiles(root).flatMap((name) =>
    [...readFileSync(join(root, name), "utf8").matchAll(workerUrl)].map(([, path]) =>
      relative(root, resolve(root, dirname(name), `${path}.ts`)),
    ),
  );

/** The folder of a source as seen from the bundle, which can be moved together with its sources' root. */
const fromBundle = (root, path) => relative(join(root, outdir), dirname(path)).replaceAll("\\", "/");

/** All files of the bundle stand in one folder, so that a thread's file is beside whatever names it. */
const threadsBeside = {
  name: "threads beside",
  setup: ({ onLoad, initialOptions }) => {
    const root = initialOptions.absWorkingDir;
    onLoad({ filter: /[/\\]server[/\\].*\.ts$/ }, async ({ path }) => {
      if (path.includes("node_modules")) return undefined;
      const source = await readFile(path, "utf8");
      const contents = source
        .replace(workerUrl, (_, file) => `new URL("./${basename(file)}.js", import.meta.url)`)
        .replaceAll(
          "import.meta.dirname",
          () => `(import.meta.dirname + ${JSON.stringify(`/${fromBundle(root, path)}`)})`,
        );
      return { contents, loader: "ts" };
    });
  },
};

/** How the server is bundled. What a library requires in the old way is found by a `require` of its own. */
export const serverOptions = (root) => ({
  absWorkingDir: root,
  entryPoints: [...new Set(["server/main.ts", "server/cli/bauta.ts", ...findThreads(root)])],
  entryNames: "[name]",
  chunkNames: "chunk-[hash]",
  outdir,
  bundle: true,
  splitting: true,
  write: false,
  metafile: true,
  platform: "node",
  format: "esm",
  // The text of a module stays in memory, with two bytes a character where one of them is not ASCII, as in comments.
  minifyWhitespace: true,
  target: "node24",
  legalComments: "none",
  logLevel: "warning",
  external: ["pg-native", "bufferutil", "utf-8-validate"],
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  plugins: [threadsBeside],
});
