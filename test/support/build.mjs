// Builds the page and the server before a run if one of their sources has changed: tests of the whole product run what is
// built. Mocha loads this file with --require.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { hashInputs, isBuiltFrom } from "../../scripts/build/inputs.mjs";

const root = join(import.meta.dirname, "../..");

export const mochaGlobalSetup = async () => {
  if (await isBuiltFrom(root, hashInputs(root))) return;
  const { status } = spawnSync(process.execPath, ["build.mjs", "--quiet"], { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error("the build failed");
};
