import { execFileSync, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { skipWithout } from "../../support/missing.ts";

/** The ports of Pebble, and those on which it looks for answers to its challenges. */
export interface PebblePorts {
  readonly acme: number;
  readonly management: number;
  readonly http: number;
  readonly https: number;
}

/** An ACME authority for tests. */
export interface Pebble {
  readonly directoryUrl: string;
  /** The certificate of its own HTTPS, which ACME clients must trust. */
  readonly caFile: string;
  /** Returns the root of the certificates that it issues. */
  readonly issuingRoot: () => Promise<string>;
  readonly stop: () => void;
}

/** Skips a suite where Pebble or openssl is missing. */
export const requirePebble = (context: Mocha.Context): void => {
  for (const program of ["pebble", "openssl"])
    if (spawnSync(program, ["-version"]).error) skipWithout(context, program);
};

/** Starts Pebble with files in a folder; this process trusts its HTTPS afterwards. */
export const startPebble = async (folder: string, ports: PebblePorts, dnsServer: string): Promise<Pebble> => {
  const [caFile = "", key = "", config = ""] = ["ca.pem", "ca.key", "pebble.json"].map((name) =>
    join(folder, name),
  );
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  execFileSync("openssl", ["req", "-x509", ...curve, "-keyout", key, "-out", caFile, ...subject], {
    stdio: "ignore",
  });
  const settings = {
    listenAddress: `127.0.0.1:${ports.acme}`,
    managementListenAddress: `127.0.0.1:${ports.management}`,
    certificate: caFile,
    privateKey: key,
    httpPort: ports.http,
    tlsPort: ports.https,
  };
  writeFileSync(config, JSON.stringify({ pebble: settings }));
  setDefaultCACertificates([...getCACertificates("default"), readFileSync(caFile, "utf8")]);
  const pebble = spawn("pebble", ["-config", config, "-dnsserver", dnsServer, "-strict"], {
    env: { ...process.env, PEBBLE_VA_NOSLEEP: "1", PEBBLE_WFE_NONCEREJECT: "20" },
    stdio: "ignore",
  });
  const directoryUrl = `https://localhost:${ports.acme}/dir`;
  for (let tries = 0; !(await fetch(directoryUrl).catch(() => null))?.ok; tries++) {
    if (tries === 300) throw new Error("Pebble does not start");
    await sleep(50);
  }
  return {
    directoryUrl,
    caFile,
    issuingRoot: async () => (await fetch(`https://localhost:${ports.management}/roots/0`)).text(),
    stop: () => void pebble.kill("SIGKILL"),
  };
};
