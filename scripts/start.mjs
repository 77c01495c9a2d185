// `npm start`: builds what has changed since the last build, then becomes the server.
// package.json sets MALLOC_TRIM_THRESHOLD_ for it: freed memory above 1 MiB goes back to the system, also after large mail.
import { spawnSync } from "node:child_process";
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { hashInputs, isBuiltFrom } from "./build/inputs.mjs";

const root = join(import.meta.dirname, "..");

/** Compiled code is written down this long after the start, when everything has been used once. */
const flushAfterMs = 10_000;

if (!(await isBuiltFrom(root, hashInputs(root)))) {
  const { status } = spawnSync(process.execPath, [join(root, "build.mjs"), "--quiet"], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

enableCompileCache(join(root, "node_modules/.cache/node"));
await import("../dist/server/main.js");
setTimeout(flushCompileCache, flushAfterMs).unref();
