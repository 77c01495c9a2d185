import { execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./freePort.ts";
import { answers, ended, unprivileged } from "./postgresqlServer.ts";

/** PgBouncer in transaction mode before a database. */
export interface Pooler {
  /** The database through the pooler. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Whether PgBouncer is installed. */
export const hasPgbouncer = (): boolean => {
  try {
    execFileSync("pgbouncer", ["--version"], { stdio: "ignore", env: searched() });
    return true;
  } catch {
    return false;
  }
};

/** Debian has it where programs of administrators are. */
const searched = (): NodeJS.ProcessEnv => ({ ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin` });

/** Starts PgBouncer in transaction mode before the server of a database, with this many connections to it. */
export const startPgbouncer = async (database: string, connections: number): Promise<Pooler> => {
  const user = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), "bauta-pgbouncer-"));
  const port = await freePort();
  const { searchParams, hostname, port: serverPort, pathname, username, password } = new URL(database);
  const secret = password === "" ? "" : ` password=${decodeURIComponent(password)}`;
  const settings = [
    "[databases]",
    `* = host=${searchParams.get("host") ?? hostname} port=${serverPort || 5432} user=${username}${secret}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    `default_pool_size = ${connections}`,
    "max_client_conn = 200",
    // As docs/scaling.md asks for: a client does not wait for two minutes while the server is gone.
    "query_wait_timeout = 10",
    "server_login_retry = 1",
    "ignore_startup_parameters = extra_float_digits",
  ];
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, `${settings.join("\n")}\n`);
  if (user.uid !== undefined && user.gid !== undefined)
    for (const path of [folder, file]) chownSync(path, user.uid, user.gid);
  const child = spawn("pgbouncer", ["--quiet", file], {
    ...user,
    cwd: folder,
    env: searched(),
    stdio: "ignore",
  });
  const url = `postgresql://${username}@127.0.0.1:${port}${pathname}`;
  for (let tries = 0; !(await answers(url)); tries += 1) {
    if (tries === 100 || child.exitCode !== null) throw new Error("PgBouncer does not start");
    await sleep(50);
  }
  return {
    url,
    stop: async () => {
      child.kill("SIGKILL");
      await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
