import { setServers } from "node:dns";
import { setFlagsFromString } from "node:v8";
import { composeServer, greeting } from "./app.ts";
import { readConfig } from "./config/config.ts";
import { openDataDir } from "./config/resources.ts";
import { SettingError } from "./config/settings.ts";
import { readSettings } from "./config/settingsFile.ts";

// Otherwise each 64 MiB of received mail marks the whole heap, which takes a third of the time of larger mails.
setFlagsFromString("--external-memory-accounted-in-global-limit");

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const printError = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
};

const run = async (): Promise<void> => {
  const config = readConfig(readSettings(process.env));
  process.umask(0o077);
  await openDataDir(config.dataDir);
  if (config.dnsServer) setServers([config.dnsServer]);
  const server = await composeServer(config);
  const stop = await server.start();
  print(greeting(config));

  let stopping = false;
  const end = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await stop();
    process.exit(0);
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
};

run().catch((error: unknown) => {
  printError(error);
  process.exit(error instanceof SettingError ? 78 : 1);
});
