// Builds the page and the server before a run if one of their sources has changed: tests of the whole product run what is
// built. Mocha loads this file with --require.
import { join } from "node:path";
import { buildChanges } from "../../scripts/build/inputs.mjs";

const root = join(import.meta.dirname, "../..");

export const mochaGlobalSetup = async () => {
  if ((await buildChanges(root)) !== 0) throw new Error("the build failed");
};
