import { setServers } from "node:dns";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Config, readConfig } from "./config/config.ts";
import { BadSetting } from "./config/setting.ts";
import { makeServer } from "./server.ts";

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const complain = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
};

const greeting = (config: Config): string => {
  const lines = [
    `${config.brand} is ready.`,
    `  App     ${config.publicUrl}`,
    `  SMTP    ${config.host}:${config.smtpPort}, for the addresses @${config.maskDomain}`,
    config.nextHop
      ? `  Out     ${config.nextHop.host}:${config.nextHop.port}`
      : `  Outbox  ${config.publicUrl}/outbox (no NEXT_HOP is set: codes and forwarded mail wait there)`,
  ];
  return lines.join("\n");
};

const run = async (): Promise<void> => {
  const config = readConfig(process.env);
  mkdirSync(join(config.dataDir, "outbox"), { recursive: true, mode: 0o700 });
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
