import { setServers } from "node:dns";
import { setFlagsFromString } from "node:v8";
import { composeServer } from "./app/app.ts";
import { greeting } from "./app/greeting.ts";
import { readConfig } from "./platform/config/config.ts";
import { openDataDir } from "./platform/config/configuredResources.ts";
import { lockDataDir } from "./platform/config/dataDirLock.ts";
import { SettingError } from "./platform/config/settings.ts";
import { readSettings } from "./platform/config/settingsFile.ts";
import { errorTrace } from "./platform/ops/log.ts";

// V8 measures growth without the buffers of mail, which are outside of its heap and stay until it is marked. After an idle
// time it would mark the whole heap every 100 ms while mail arrives, in up to half of the time that larger mails take. Twice
// as much growth keeps 45 MiB more and saves about 3 % of the time.
setFlagsFromString("--heap-growing-percent=100");

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const printError = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
};

/** The message of an unexpected error is left out: it may quote a user's data. */
const printTrace = (error: unknown): void => {
  process.stderr.write(`The server ends because of a defect: ${JSON.stringify(errorTrace(error))}\n`);
};

const run = async (): Promise<void> => {
  const config = readConfig(readSettings(process.env));
  process.umask(0o077);
  await openDataDir(config.dataDir);
  // Processes on one PostgreSQL may share the folder, which has their keys only.
  if (config.databaseUrl === null) await lockDataDir(config.dataDir);
  if (config.dnsServer) setServers([config.dnsServer]);
  const server = await composeServer(config);
  const stop = await server.start();
  print(greeting(config));

  let stopping = false;
  const end = async (code: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await stop();
    process.exit(code);
  };
  process.on("SIGTERM", () => end(0));
  process.on("SIGINT", () => end(0));
  // A defect: what the process holds may be wrong, so that it ends in order and is started anew.
  process.on("uncaughtException", (error) => {
    printTrace(error);
    void end(1);
  });
};

// The reader of the output, such as a log service, may go away.
for (const output of [process.stdout, process.stderr]) output.on("error", () => {});

run().catch((error: unknown) => {
  printError(error);
  process.exit(error instanceof SettingError ? 78 : 1);
});
