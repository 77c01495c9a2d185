import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

const versions = "/usr/lib/postgresql";

/** The newest server's programs where Debian puts them; null when there are none. */
const programs = (): string | null => {
  const newest = existsSync(versions)
    ? readdirSync(versions)
        .sort((a, b) => Number(a) - Number(b))
        .at(-1)
    : undefined;
  const folder = newest ? join(versions, newest, "bin") : "";
  return newest && existsSync(join(folder, "initdb")) ? folder : null;
};

const idOf = (flag: "-u" | "-g"): number => Number(execFileSync("id", [flag, "nobody"]));

/** PostgreSQL refuses to run as root: then it runs as nobody. */
const unprivileged = (): { readonly uid?: number; readonly gid?: number } =>
  process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};

const ended = (server: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) resolve();
    else server.once("exit", () => resolve());
  });

interface Server {
  /** A connection string to the database of that name. */
  readonly url: (name: string) => string;
  readonly stop: () => Promise<void>;
}

const ofDatabaseUrl = (text: string): Server => ({
  url: (name) => Object.assign(new URL(text), { pathname: `/${name}` }).href,
  stop: async () => {},
});

const runIn = async (server: Server, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: server.url("postgres") });
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end().catch(() => {});
  }
};

/** A server of the tests' own in a temporary folder, reached through a socket there. */
const start = async (bin: string): Promise<Server> => {
  const user = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), "bauta-postgresql-"));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const options = { ...user, cwd: folder, stdio: "ignore" } as const;
  const initdb = ["-D", data, "-U", "bauta", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  execFileSync(join(bin, "initdb"), initdb, options);
  const settings = ["listen_addresses=", "fsync=off", "max_connections=200"].flatMap((one) => ["-c", one]);
  const postgres = spawn(join(bin, "postgres"), ["-D", data, "-k", folder, ...settings], options);
  const server: Server = {
    url: (name) => `postgresql://bauta@localhost/${name}?host=${encodeURIComponent(folder)}`,
    stop: async () => {
      // Nobody will read the data again, so nothing need be written down at the end.
      postgres.kill("SIGQUIT");
      await ended(postgres);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  for (let tries = 0; ; tries += 1)
    try {
      await runIn(server, "select 1");
      return server;
    } catch (error) {
      if (tries === 100 || postgres.exitCode !== null) throw error;
      await sleep(100);
    }
};

/** A PostgreSQL for tests. */
export interface PostgresqlServer {
  /** A connection string to a database that is new and empty. */
  readonly newDatabase: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

const begin = async (): Promise<PostgresqlServer | null> => {
  const url = process.env["DATABASE_URL"];
  const bin = programs();
  if (url === undefined && !bin) return null;
  const server = url === undefined ? await start(bin ?? "") : ofDatabaseUrl(url);
  let stopped: Promise<void> | undefined;
  return {
    newDatabase: async () => {
      const name = `test_${randomBytes(8).toString("hex")}`;
      await runIn(server, `create database ${name}`);
      return server.url(name);
    },
    stop: () => {
      stopped ??= server.stop();
      return stopped;
    },
  };
};

let running: Promise<PostgresqlServer | null> | undefined;

/**
 * The one PostgreSQL of this run: the one `DATABASE_URL` names, or one of its own in a temporary folder that is gone
 * after the run; null when this machine has none.
 */
export const startPostgresql = (): Promise<PostgresqlServer | null> => {
  running ??= begin();
  return running;
};

after(async () => (await running)?.stop());
