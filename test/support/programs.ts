import { mkdir, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "../..");

/** The server as `npm run build` makes it; test/support/services.mjs builds what has changed before the first test. */
export const builtServer = join(root, "dist/server/main.js");
/** The operator's command, built in the same way. */
export const builtCommand = join(root, "dist/server/bauta.js");

/**
 * Bundles a program of the tests that runs as a process of its own, and returns the path of the bundle: it starts in a
 * third of the time of its sources. Libraries stay outside. Test processes that bundle the same program at once get it whole.
 */
export const bundleProgram = async (entry: string): Promise<string> => {
  const folder = join(root, "node_modules/.cache/programs");
  const bundle = join(folder, basename(entry).replace(/\.ts$/, ".mjs"));
  const unfinished = `${bundle}.${process.pid}`;
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [entry],
    outfile: unfinished,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    packages: "external",
    logLevel: "error",
  });
  await rename(unfinished, bundle);
  return bundle;
};
