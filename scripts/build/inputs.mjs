// Whether a build is still the one of its sources.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const inputs = [
  "build.mjs",
  "package-lock.json",
  "scripts/build/*.mjs",
  "scripts/build/licenses/**/*.txt",
  "scripts/api/*.mjs",
  "{adapters,cli,core,server,web}/**/*.{ts,tsx,css,html,json,svg,png,webmanifest}",
];

const stamp = "dist/inputs.txt";

/** Every file that must be there for a build to be complete. */
const outputs = ["dist/web/index.html", "dist/server/main.js"];

/** Returns a hash over the names and contents of everything that a build is made of. */
export const hashInputs = (root) => {
  const hash = createHash("sha256").update(process.version);
  const files = inputs.flatMap((pattern) =>
    globSync(pattern, { cwd: root, exclude: (name) => name === "node_modules" || name === "dist" }),
  );
  for (const file of files.toSorted()) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("base64url");
};

/** Whether the build in `dist` is complete and made of exactly these inputs. */
const isBuiltFrom = async (root, hash) =>
  outputs.every((file) => existsSync(join(root, file))) &&
  (await readFile(join(root, stamp), "utf8").catch(() => "")) === hash;

/** Forgets the build in `dist`, before it is replaced. */
export const forgetBuild = (root) => rm(join(root, stamp), { force: true });

/** Remembers that the build in `dist` is made of these inputs. */
export const rememberBuild = async (root, hash) => {
  await mkdir(join(root, "dist"), { recursive: true });
  await writeFile(join(root, stamp), hash);
};

/** Builds anew if an input has changed since the last build; returns the exit code of the build, 0 without one. */
export const buildChanges = async (root) => {
  if (await isBuiltFrom(root, hashInputs(root))) return 0;
  const { status } = spawnSync(process.execPath, ["build.mjs", "--quiet"], { cwd: root, stdio: "inherit" });
  return status ?? 1;
};
