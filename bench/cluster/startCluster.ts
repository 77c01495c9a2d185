import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../../test/support/freePort.ts";
import { builtServer } from "../../test/support/programs.ts";
import { type DatabaseNodes, startDatabaseNodes } from "./databaseNodes.ts";
import type { ClusterPrograms } from "./programs.ts";
import { type Supervised, supervise } from "./supervised.ts";

const processCount = 3;
const startsWithinMs = 60_000;
const haproxyFile = join(import.meta.dirname, "../../deploy/cluster/haproxy.cfg");

/** Three Bauta processes and HAProxy before three PostgreSQL under Patroni with three members of etcd. */
export interface Cluster {
  /** The app through HAProxy. */
  readonly url: string;
  /** The port of HAProxy for mail. */
  readonly smtpPort: number;
  readonly databases: DatabaseNodes;
  readonly balancer: Supervised;
  readonly processes: readonly Supervised[];
  /** The folder of data and logs. */
  readonly folder: string;
  readonly stop: () => Promise<void>;
}

export interface ClusterOptions {
  readonly programs: ClusterPrograms;
  /** The folder in which that of the cluster is made. */
  readonly place: string;
  /** Settings of Bauta beside those that make the cluster. */
  readonly settings: NodeJS.ProcessEnv;
  readonly onStep?: (step: string) => void;
}

const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  const end = performance.now() + startsWithinMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what} in vain for ${startsWithinMs} ms`);
    await sleep(200);
  }
};

/** Makes the database of Bauta, on the primary. */
const createDatabase = async (databases: DatabaseNodes): Promise<void> => {
  const client = (await databases.primary())?.connect();
  if (client === undefined) throw new Error("there is no primary");
  await client.connect();
  try {
    await client.query(`create role bauta login password ${pg.escapeLiteral(databases.password)}`);
    await client.query("create database bauta owner bauta");
  } finally {
    await client.end();
  }
};

/** Starts all of it and waits until it is ready. Rejects, with nothing left running, when it does not become so. */
export const startCluster = async ({
  programs,
  place,
  settings,
  onStep = () => {},
}: ClusterOptions): Promise<Cluster> => {
  const folder = mkdtempSync(join(place, "bauta-cluster-"));
  chmodSync(folder, 0o711);
  const dataDir = join(folder, "bauta");
  mkdirSync(dataDir, { mode: 0o700 });
  const running: { readonly stop: () => Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    for (const one of running.toReversed()) await one.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    onStep("three PostgreSQL under Patroni, with three members of etcd");
    const databases = await startDatabaseNodes(programs, folder);
    running.push(databases);
    await databases.untilWhole();
    await createDatabase(databases);

    const web = await freePort();
    const mail = await freePort();
    const database = await freePort();
    const standby = await freePort();
    const ports = await Promise.all(
      Array.from({ length: processCount }, async () => ({ web: await freePort(), mail: await freePort() })),
    );
    onStep("HAProxy");
    const balancer = supervise({
      words: [programs.haproxy, "-db", "-f", haproxyFile],
      environment: {
        WEB_LISTEN: `127.0.0.1:${web}`,
        WEB_SCHEME: "http",
        MAIL_LISTEN: `127.0.0.1:${mail}`,
        DATABASE_LISTEN: `127.0.0.1:${database}`,
        STANDBY_LISTEN: `127.0.0.1:${standby}`,
        ...Object.fromEntries(
          ports.flatMap((port, n) => [
            [`BAUTA${n + 1}_WEB`, `127.0.0.1:${port.web}`],
            [`BAUTA${n + 1}_MAIL`, `127.0.0.1:${port.mail}`],
          ]),
        ),
        ...Object.fromEntries(
          databases.nodes.flatMap(({ host, port, checkPort }, n) => [
            [`DATABASE${n + 1}`, `${host}:${port}`],
            [`DATABASE${n + 1}_CHECK`, String(checkPort)],
          ]),
        ),
      },
      folder,
      log: join(folder, "haproxy.log"),
      againAfterMs: 1_000,
    });
    running.push(balancer);
    balancer.start();

    onStep("three Bauta processes");
    const processes = ports.map((port, n) =>
      supervise({
        words: [process.execPath, builtServer],
        environment: {
          ...process.env,
          PORT: String(port.web),
          SMTP_PORT: String(port.mail),
          PUBLIC_URL: `http://127.0.0.1:${web}`,
          DATA_DIR: dataDir,
          DATABASE_URL: `postgresql://bauta:${databases.password}@127.0.0.1:${database}/bauta`,
          SMTP_PROXY_PROTOCOL_FROM: "loopback",
          ...settings,
        },
        folder,
        log: join(folder, `bauta${n + 1}.log`),
        againAfterMs: 1_000,
      }),
    );
    running.push(...processes);
    for (const one of processes) one.start();
    for (const port of ports)
      await until("waited for a Bauta process", () =>
        fetch(`http://127.0.0.1:${port.web}/readyz`).then(
          ({ status }) => status === 200,
          () => false,
        ),
      );
    await until("waited for HAProxy", () =>
      fetch(`http://127.0.0.1:${web}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    return { url: `http://127.0.0.1:${web}`, smtpPort: mail, databases, balancer, processes, folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
