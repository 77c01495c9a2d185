// Prepares what all test files share, once per run: a build, a browser, and a PostgreSQL with a migrated template.
// Test processes find them by the environment variables set here; mocha loads this file with --require.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { hashInputs, isBuiltFrom } from "../../scripts/build/inputs.mjs";
import { startBrowserServer } from "./browserServer.ts";
import { beginCosts } from "./costs.mjs";
import { startPostgresqlServer } from "./postgresqlServer.ts";

const root = join(import.meta.dirname, "../..");

/** Builds the page and the server anew if one of their sources has changed: the tests of the whole product run them. */
const buildChanges = async () => {
  if (await isBuiltFrom(root, hashInputs(root))) return;
  const { status } = spawnSync(process.execPath, ["build.mjs", "--quiet"], { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error("the build failed");
};

let stops = [];

export const mochaGlobalSetup = async () => {
  // Test processes and the servers that they start share compiled modules: a server starts in two thirds of the time.
  process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules/.cache/compiled");
  beginCosts();
  await buildChanges();
  const started = await Promise.all([startBrowserServer(), startPostgresqlServer()]);
  stops = started.map((service) => service.stop);
  for (const { variables } of started) Object.assign(process.env, variables);
};

export const mochaGlobalTeardown = async () => {
  await Promise.all(stops.map((stop) => stop()));
};
