// How the page and its workers are bundled.
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { pageChunks } from "./chunks.mjs";

const stylesheet = "bauta:styles";

const layer = (file) => (file.startsWith("web/styles/") ? 0 : file.startsWith("web/ui/") ? 1 : 2);

/**
 * All stylesheets as one, in one order: the page's tokens, the design system, the screens. esbuild alone would make a
 * stylesheet for each chunk, load none of them for a late one, and let the order of visits decide which rule wins.
 */
const oneStylesheet = {
  name: "one stylesheet",
  setup: ({ onResolve, onLoad, initialOptions }) => {
    const root = initialOptions.absWorkingDir;
    const files = () =>
      globSync("web/**/*.css", { cwd: root })
        .map((file) => file.replaceAll("\\", "/"))
        .toSorted((one, other) => layer(one) - layer(other) || (one < other ? -1 : 1));
    onResolve({ filter: /^bauta:styles$/ }, () => ({ path: stylesheet, namespace: "styles" }));
    onLoad({ filter: /.*/, namespace: "styles" }, () => ({
      contents: files()
        .map((file) => `@import "./${file}";`)
        .join("\n"),
      loader: "css",
      resolveDir: root,
    }));
  },
};

/** Modules of fp-ts and io-ts that can be bundled in part. */
export const modularLibraries = { "fp-ts/lib": "fp-ts/es6", "io-ts/lib": "io-ts/es6" };

const common = (root, development) => ({
  absWorkingDir: root,
  bundle: true,
  write: false,
  metafile: true,
  minify: !development,
  sourcemap: development ? "linked" : false,
  legalComments: "linked",
  target: "es2022",
  charset: "utf8",
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  outdir: "dist/web/assets",
  logLevel: "warning",
  define: {
    "process.env.NODE_ENV": JSON.stringify(development ? "development" : "production"),
    __SENTRY_DEBUG__: "false",
    __SENTRY_TRACING__: "false",
  },
});

const keyWorker = "adapters/openpgp/keyWorker.ts";

/** Whether the page keeps keys in a worker. */
export const hasKeyWorker = (root) => existsSync(join(root, keyWorker));

/**
 * The worker that keys live in, with all it needs in one file. In development its name stays the same, as the page
 * names it.
 */
export const keyWorkerOptions = (root, development) => ({
  ...common(root, development),
  entryPoints: { keyWorker },
  ...(development ? { entryNames: "[name]" } : {}),
  format: "iife",
  conditions: ["es2015", "module", "browser"],
  alias: modularLibraries,
});

/** Tells Chromium to compile a file's functions beside the page while it loads, not one by one when they are called. */
const compileAtOnce = "//# allFunctionsCalledOnLoad";

/** The page: modules, split where they are imported late. `keyWorkerAddress` is where the page finds that worker. */
export const pageOptions = (root, development, keyWorkerAddress) => ({
  ...common(root, development),
  define: { ...common(root, development).define, __KEY_WORKER__: JSON.stringify(keyWorkerAddress) },
  entryPoints: { main: "web/main.tsx", styles: stylesheet },
  format: "esm",
  splitting: true,
  // WebKit resolves the import of a chunk before it has run, when it depends on one that waits at its top level.
  supported: { "top-level-await": false },
  banner: { js: compileAtOnce },
  jsx: "automatic",
  jsxDev: development,
  conditions: ["es2015", "module", "browser"],
  alias: modularLibraries,
  loader: { ".module.css": "local-css", ".svg": "file", ".png": "file", ".woff2": "file" },
  plugins: [oneStylesheet, pageChunks("web/main.tsx")],
});

const worker = "web/serviceWorker/worker.ts";

/** Whether the page has a service worker. */
export const hasWorker = (root) => existsSync(join(root, worker));

/** What keeps the page's files for when there is no network; `shell` tells it which. At one address in all versions. */
export const workerOptions = (root, shell) => ({
  ...common(root, false),
  entryPoints: { serviceWorker: worker },
  entryNames: "[name]",
  format: "iife",
  sourcemap: false,
  legalComments: "none",
  define: { __SHELL__: JSON.stringify(shell) },
});

/** The script that sets the theme before the first paint: blocking, so alone, tiny and part of the page. */
export const themeOptions = (root, development) => ({
  ...common(root, development),
  sourcemap: false,
  legalComments: "none",
  entryPoints: { theme: "web/theme.ts" },
  format: "iife",
});
