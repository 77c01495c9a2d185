import { setServers } from "node:dns";
import { setFlagsFromString } from "node:v8";
import { composeServer, greeting } from "./app.ts";
import { readConfig } from "./config/config.ts";
import { openDataDir } from "./config/resources.ts";
import { SettingError } from "./config/settings.ts";
import { readSettings } from "./config/settingsFile.ts";

// V8 measures growth without the buffers of mail, which are outside of its heap. After an idle time it would mark the
// whole heap every 100 ms while mail arrives, in up to half of the time that larger mails take.
setFlagsFromString("--heap-growing-percent=200");

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
