// The command line as one folder with all it needs, for its package.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { noticesFile, noticesOf } from "./notices.mjs";

const root = join(import.meta.dirname, "../..");
const outdir = join(root, "cli/dist");

rmSync(outdir, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ["cli/main.ts"],
  outdir,
  bundle: true,
  splitting: true,
  metafile: true,
  platform: "node",
  format: "esm",
  target: "node24",
  legalComments: "none",
  logLevel: "warning",
});
writeFileSync(join(outdir, noticesFile), noticesOf(root, [metafile]));
