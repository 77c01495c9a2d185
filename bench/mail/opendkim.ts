import { spawn, spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../test/server/support/until.ts";
import { freePort } from "../../test/support/freePort.ts";
import { accepts } from "./process.ts";

/** Signs the mail of a Postfix, as a milter. */
export interface Signer {
  readonly port: number;
  readonly pid: number;
  readonly stop: () => void;
}

/** Whether OpenDKIM, which signs mail for Postfix, is installed. */
export const isOpendkimInstalled = (): boolean => spawnSync("opendkim", ["-V"]).error === undefined;

/** Starts OpenDKIM, which signs mail from `domain` with RSA, as most installations do beside Postfix. */
export const startOpendkim = async (folder: string, domain: string): Promise<Signer> => {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const key = join(folder, "key.pem");
  const settings = join(folder, "opendkim.conf");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  writeFileSync(key, privateKey.export({ type: "pkcs1", format: "pem" }), { mode: 0o600 });
  writeFileSync(
    settings,
    `Mode s
Domain ${domain}
Selector bench
KeyFile ${key}
RequireSafeKeys no
Canonicalization relaxed/simple
Socket inet:${port}@127.0.0.1
Syslog no
`,
  );
  const signer = spawn("opendkim", ["-f", "-x", settings], { stdio: ["ignore", "ignore", "inherit"] });
  await until("OpenDKIM runs", () => accepts(port), 20_000);
  return { port, pid: signer.pid ?? 0, stop: () => signer.kill() };
};
