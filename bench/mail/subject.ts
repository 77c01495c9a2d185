import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Database, openDatabase } from "../../server/platform/store/database.ts";
import { sqliteEngine } from "../../server/platform/store/sqlite.ts";
import { type RunningServer, startServer } from "../../test/e2e/support/server.ts";
import { addMask, addOwner, type Owner, type TestMask } from "../../test/server/support/owners.ts";
import { connectPostgresql } from "../../test/server/support/postgresql.ts";
import { freePort } from "../../test/support/freePort.ts";
import { ticksOf } from "./process.ts";

/** A server to be measured. */
export interface Subject {
  readonly name: string;
  readonly port: number;
  /** Addresses that it forwards. */
  readonly recipients: readonly string[];
  /** The processor time it has used, in clock ticks of 10 ms. */
  readonly cpuTicks: () => number;
  readonly stop: () => Promise<void>;
}

const users = 20;
const masksOfUser = 100;

/** The next hop of a subject, which takes every mail and counts it. */
export interface Sink {
  readonly port: number;
  /** Mails received so far. */
  readonly count: () => number;
  readonly stop: () => void;
}

/** Starts Postfix's own test server as a next hop, on a port that is free unless one is given. */
export const startSink = async (at?: number): Promise<Sink> => {
  const port = at ?? (await freePort());
  const args = ["-c", "-u", "postfix", "-m", "1000", `127.0.0.1:${port}`, "1000"];
  const sink: ChildProcess = spawn("/usr/sbin/smtp-sink", args, { stdio: ["ignore", "pipe", "ignore"] });
  let count = 0;
  let rest = "";
  sink.stdout?.setEncoding("latin1").on("data", (text: string) => {
    rest = `${rest}${text}`.slice(-400);
    count = Number([...rest.matchAll(/mesg=(\d+)[ \r]/g)].at(-1)?.[1] ?? count);
  });
  await sleep(500);
  return { port, count: () => count, stop: () => sink.kill() };
};

/** How a measured product differs from one with its defaults. */
export interface Variant {
  readonly name: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** Changes the accounts and masks before the server starts. */
  readonly prepare?: (
    database: Database,
    owners: readonly Owner[],
    masks: readonly TestMask[],
  ) => Promise<void>;
}

/** The product as it runs, so that it can be started again. */
export interface RunningSubject extends Subject {
  readonly server: RunningServer;
}

const asSubject = (name: string, server: RunningServer, recipients: readonly string[]): RunningSubject => ({
  name,
  server,
  port: server.smtpPort,
  recipients,
  cpuTicks: () => ticksOf(server.pid),
  stop: async () => {
    await server.stop();
    await server.removeData();
  },
});

/** Starts the whole product, with masks of twenty users. */
export const startOurs = async (nextHop: number, variant: Variant): Promise<RunningSubject> => {
  const { name, environment, prepare } = variant;
  const server = await startServer({
    NEXT_HOP: `smtp://127.0.0.1:${nextHop}`,
    LOG_LEVEL: "error",
    ...environment,
  });
  await server.stop();
  const url = environment?.["DATABASE_URL"];
  const engine = url === undefined ? sqliteEngine(join(server.dataDir, "bauta.db")) : connectPostgresql(url);
  const database = await openDatabase(engine);
  const [owners, masks]: [Owner[], TestMask[]] = [[], []];
  for (let user = 0; user < users; user += 1) {
    const owner = await addOwner(database.db, "business");
    owners.push(owner);
    for (let n = 0; n < masksOfUser; n += 1)
      masks.push(await addMask(database.db, owner, { email: `mask${user}-${n}@masks.localhost` }));
  }
  await prepare?.(database, owners, masks);
  await database.close();
  return asSubject(
    name,
    await server.restart(),
    masks.map(({ email }) => email),
  );
};

/** Starts a stopped subject again, with the same data. */
export const restart = async ({ name, server, recipients }: RunningSubject): Promise<RunningSubject> =>
  asSubject(name, await server.restart(), recipients);
