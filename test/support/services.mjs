// Starts the services that all test files share, once per run: a browser and a PostgreSQL with a migrated template.
// Test processes find them by the environment variables set here; mocha loads this file with --require.
import { join } from "node:path";
import { startBrowserServer } from "./browserServer.ts";
import { startPostgresqlServer } from "./postgresqlServer.ts";

let stops = [];

export const mochaGlobalSetup = async () => {
  // Test processes and the servers that they start share compiled modules: a server starts in two thirds of the time.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "../../node_modules/.cache/compiled");
  const started = await Promise.all([startBrowserServer(), startPostgresqlServer()]);
  stops = started.map((service) => service.stop);
  for (const { variables } of started) Object.assign(process.env, variables);
};

export const mochaGlobalTeardown = async () => {
  await Promise.all(stops.map((stop) => stop()));
};
