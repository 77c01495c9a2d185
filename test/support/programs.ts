import { rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "../..");

/** The server as `npm run build` makes it; test/support/services.mjs builds what has changed before the first test. */
export const builtServer = join(root, "dist/server/main.js");
/** The operator's command, built in the same way. */
export const builtCommand = join(root, "dist/server/bauta.js");

/**
 * Bundles a program of the tests that runs as a process of its own, and returns the path of the bundle: it starts in a
 * third of the time of its sources. Libraries stay outside. It is removed when this process ends.
 */
export const bundleProgram = async (entry: string): Promise<string> => {
  const folder = join(root, "node_modules/.cache/programs", String(process.pid));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, basename(entry).replace(/\.ts$/, ".mjs"));
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    packages: "external",
    logLevel: "error",
  });
  return outfile;
};
