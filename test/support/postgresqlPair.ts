import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { answers, ended, unprivileged } from "./postgresqlServer.ts";

/** Two PostgreSQL servers, a primary and its standby with synchronous replication, behind one address that moves. */
export interface PostgresqlPair {
  /** The address of the present primary, as an operator's virtual address is. */
  readonly url: string;
  /** The standby itself. */
  readonly standbyUrl: string;
  /** Stops the standby for a time, in which no commit is answered; returns what starts it again. */
  readonly stopStandby: () => Promise<() => Promise<void>>;
  /** Ends all connections and starts the primary again. */
  readonly restart: () => Promise<void>;
  /** Kills the primary, promotes the standby and moves the address to it. */
  readonly failOver: () => Promise<void>;
  /** Takes no connections and ends all, for a time. */
  readonly cutOff: () => () => void;
  readonly stop: () => Promise<void>;
}

interface Server {
  readonly folder: string;
  readonly url: string;
  readonly stop: (signal: "SIGINT" | "SIGKILL") => Promise<void>;
}

const connectionString = (folder: string): string =>
  `postgresql://bauta@localhost/postgres?host=${encodeURIComponent(folder)}`;

const start = async (bin: string, folder: string): Promise<Server> => {
  const settings = [
    "listen_addresses=",
    "fsync=off",
    "max_connections=100",
    "wal_retrieve_retry_interval=500ms",
  ].flatMap((one) => ["-c", one]);
  const child: ChildProcess = spawn(
    join(bin, "postgres"),
    ["-D", join(folder, "data"), "-k", folder, ...settings],
    {
      ...unprivileged(),
      cwd: folder,
      stdio: "ignore",
    },
  );
  const url = connectionString(folder);
  for (let tries = 0; !(await answers(url)); tries += 1) {
    if (tries === 300 || child.exitCode !== null) throw new Error("PostgreSQL does not start");
    await sleep(100);
  }
  return {
    folder,
    url,
    stop: async (signal) => {
      // Its other processes end by themselves when the first one is gone.
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await ended(child);
    },
  };
};

/** Forwards connections to the socket of a server; `to` null refuses them. */
const startForwarder = async () => {
  const sockets = new Set<Socket>();
  let target: string | null = null;
  const server = createServer((socket) => {
    if (target === null) return socket.destroy();
    const onward = connect(join(target, ".s.PGSQL.5432"));
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
    return undefined;
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    moveTo: (folder: string | null): void => {
      target = folder;
      if (folder === null) for (const socket of sockets) socket.destroy();
    },
    close: () => server.close(),
  };
};

/** Starts the pair with the programs of a folder such as /usr/lib/postgresql/15/bin. */
export const startPostgresqlPair = async (bin: string): Promise<PostgresqlPair> => {
  const user = unprivileged();
  const makeFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), "bauta-pair-"));
    if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
    return folder;
  };
  const [first, second] = [makeFolder(), makeFolder()];
  const run = (program: string, words: readonly string[]): void => {
    execFileSync(join(bin, program), words, { ...user, cwd: first, stdio: "ignore" });
  };
  run("initdb", [
    "-D",
    join(first, "data"),
    "-U",
    "bauta",
    "-A",
    "trust",
    "-E",
    "UTF8",
    "--locale=C",
    "--no-sync",
  ]);
  let primary = await start(bin, first);
  run("pg_basebackup", [
    "-h",
    first,
    "-U",
    "bauta",
    "-D",
    join(second, "data"),
    "-R",
    "-X",
    "stream",
    "--no-sync",
    "-c",
    "fast",
  ]);
  let standby = await start(bin, second);
  const sql = (server: Server, statement: string): void =>
    run("psql", ["-h", server.folder, "-U", "bauta", "-d", "postgres", "-c", statement]);
  // A commit is answered once the standby has it, so that a failover loses none.
  sql(primary, "alter system set synchronous_standby_names = '*'");
  sql(primary, "select pg_reload_conf()");
  const forwarder = await startForwarder();
  forwarder.moveTo(first);
  let hasFailedOver = false;
  return {
    url: `postgresql://bauta@127.0.0.1:${forwarder.port}/postgres`,
    standbyUrl: standby.url,
    stopStandby: async () => {
      await standby.stop("SIGINT");
      return async () => {
        standby = await start(bin, second);
      };
    },
    restart: async () => {
      await primary.stop("SIGINT");
      primary = await start(bin, first);
    },
    failOver: async () => {
      hasFailedOver = true;
      await primary.stop("SIGKILL");
      forwarder.moveTo(null);
      sql(standby, "alter system set synchronous_standby_names = ''");
      sql(standby, "select pg_promote()");
      sql(standby, "select pg_reload_conf()");
      forwarder.moveTo(second);
    },
    cutOff: () => {
      forwarder.moveTo(null);
      return () => forwarder.moveTo(hasFailedOver ? second : first);
    },
    stop: async () => {
      forwarder.moveTo(null);
      forwarder.close();
      await standby.stop("SIGINT");
      await primary.stop("SIGKILL");
      for (const folder of [first, second]) rmSync(folder, { recursive: true, force: true });
    },
  };
};
