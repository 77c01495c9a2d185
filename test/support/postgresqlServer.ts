import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { openDatabase } from "../../server/platform/store/database.ts";
import {
  completeTemplate,
  connectPostgresql,
  databaseUrl,
  runStatement,
  templateDatabase,
} from "../server/support/postgresql.ts";
import { quickFolder } from "./quickFolder.ts";
import type { TestService } from "./testService.ts";

const versions = "/usr/lib/postgresql";

/** Returns the folder of the newest PostgreSQL programs as Debian installs them; null without any. */
export const postgresqlPrograms = (): string | null => {
  const newest = existsSync(versions)
    ? readdirSync(versions)
        .sort((a, b) => Number(a) - Number(b))
        .at(-1)
    : undefined;
  const folder = newest ? join(versions, newest, "bin") : "";
  return newest && existsSync(join(folder, "initdb")) ? folder : null;
};

const idOf = (flag: "-u" | "-g"): number => Number(execFileSync("id", [flag, "nobody"]));

/** Returns the user "nobody" when this process is root, since PostgreSQL refuses to run as root. */
export const unprivileged = (): { readonly uid?: number; readonly gid?: number } =>
  process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};

export const ended = (server: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) resolve();
    else server.once("exit", () => resolve());
  });

export const answers = async (connectionString: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
};

/** Starts a server in a temporary folder, reached through a socket there; a durable one syncs its commits. */
export const startPostgresqlIn = async (
  bin: string,
  durable = false,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> => {
  const user = unprivileged();
  const folder = mkdtempSync(join(durable ? tmpdir() : quickFolder, "bauta-postgresql-"));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const options = { ...user, cwd: folder, stdio: "ignore" } as const;
  const initdb = ["-D", data, "-U", "bauta", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  execFileSync(join(bin, "initdb"), initdb, options);
  const settings = [
    "listen_addresses=",
    `fsync=${durable ? "on" : "off"}`,
    `full_page_writes=${durable ? "on" : "off"}`,
    "max_connections=200",
    // The data may lie in memory.
    "min_wal_size=32MB",
    `max_wal_size=${durable ? "1GB" : "64MB"}`,
  ].flatMap((one) => ["-c", one]);
  const postgres = spawn(join(bin, "postgres"), ["-D", data, "-k", folder, ...settings], options);
  const url = `postgresql://bauta@localhost/postgres?host=${encodeURIComponent(folder)}`;
  for (let tries = 0; !(await answers(url)); tries += 1) {
    if (tries === 100 || postgres.exitCode !== null) throw new Error("PostgreSQL does not start");
    await sleep(100);
  }
  return {
    url,
    stop: async () => {
      // The data is not needed again, so the server stops without writing it to disk.
      postgres.kill("SIGQUIT");
      await ended(postgres);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const createTemplate = async (server: string): Promise<void> => {
  await runStatement(server, `drop database if exists ${templateDatabase}`);
  await runStatement(server, `create database ${templateDatabase}`);
  const template = await openDatabase(connectPostgresql(databaseUrl(server, templateDatabase)));
  await completeTemplate(template);
  await template.close();
};

/**
 * Starts PostgreSQL with a migrated template database: the server that `DATABASE_URL` names, else one in a temporary
 * folder. Sets no variable where neither is available: tests that need PostgreSQL are skipped then.
 */
export const startPostgresqlServer = async (): Promise<TestService> => {
  const named = process.env["DATABASE_URL"];
  const bin = postgresqlPrograms();
  if (named === undefined && bin === null) return { variables: {}, stop: async () => {} };
  const { url, stop } =
    named === undefined ? await startPostgresqlIn(bin ?? "") : { url: named, stop: async () => {} };
  await createTemplate(url);
  return { variables: { TEST_POSTGRESQL: url }, stop };
};
