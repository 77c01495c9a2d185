// Starts the services that all test files share, once per run: a browser and a PostgreSQL with a migrated template.
// Test processes find them by the environment variables set here; mocha loads this file with --require.
import { join } from "node:path";
import { startBrowserServer } from "./browserServer.ts";
import { startPostgresqlServer } from "./postgresqlServer.ts";

let stops = [];

export const mochaGlobalSetup = async () => {
  // Test processes and the servers that they start share compiled modules: a server starts in two thirds of the time.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "../../node_modules/.cache/compiled");
  const services = await Promise.allSettled([startBrowserServer(), startPostgresqlServer()]);
  const started = services.flatMap(({ value }) => value ?? []);
  stops = started.map((service) => service.stop);
  for (const { variables } of started) Object.assign(process.env, variables);
  const failed = services.find(({ status }) => status === "rejected");
  if (failed === undefined) return;
  // What has started would keep the run from ending.
  await mochaGlobalTeardown();
  throw failed.reason;
};

export const mochaGlobalTeardown = async () => {
  await Promise.all(stops.map((stop) => stop()));
};
