import { setServers } from "node:dns";
import { readConfig } from "./config/config.ts";
import { openDataDir } from "./config/dataDir.ts";
import { BadSetting } from "./config/setting.ts";
import { greeting } from "./greeting.ts";
import { makeServer } from "./server.ts";

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const complain = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
};

const run = async (): Promise<void> => {
  const config = readConfig(process.env);
  process.umask(0o077);
  await openDataDir(config.dataDir);
  if (config.dnsServer) setServers([config.dnsServer]);
  const server = await makeServer(config);
  const stop = await server.start();
  say(greeting(config));

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
  complain(error);
  process.exit(error instanceof BadSetting ? 78 : 1);
});
