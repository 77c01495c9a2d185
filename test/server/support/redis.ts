import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@redis/client";
import { freePort } from "../../support/freePort.ts";
import { skipWithout } from "../../support/missing.ts";
import { ended } from "../../support/postgresqlServer.ts";
import { quickFolder } from "../../support/quickFolder.ts";
import { until } from "./until.ts";

/** A Redis server of a test, which asks for a password. */
export interface TestRedis {
  readonly url: string;
  readonly password: string;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const answers = async (url: string): Promise<boolean> => {
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.ping()) === "PONG";
  } catch {
    return false;
  } finally {
    if (client.isOpen) client.destroy();
  }
};

/** Starts a Redis server for the tests of a `describe`, empty for each test; skips them without the program. */
export const useRedis = (): (() => TestRedis) => {
  let redis: TestRedis | undefined;
  let folder = "";
  before(async function () {
    if (spawnSync("redis-server", ["--version"]).error)
      skipWithout(this, "redis-server (Debian's redis-server)");
    folder = mkdtempSync(join(quickFolder, "bauta-redis-"));
    const port = await freePort();
    const password = randomBytes(12).toString("hex");
    const url = `redis://:${password}@127.0.0.1:${port}`;
    let server: ChildProcess | undefined;
    redis = {
      url,
      password,
      start: async () => {
        const settings = {
          port,
          bind: "127.0.0.1",
          save: "",
          appendonly: "no",
          dir: folder,
          requirepass: password,
        };
        const options = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
        server = spawn("redis-server", options, { stdio: "ignore" });
        await until("Redis answers", () => answers(url));
      },
      stop: async () => {
        server?.kill("SIGKILL");
        if (server) await ended(server);
      },
    };
    await redis.start();
  });
  beforeEach(async () => {
    const client = createClient({ url: redis?.url ?? "" });
    await client.connect();
    await client.flushAll();
    client.destroy();
  });
  after(async () => {
    await redis?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    if (!redis) throw new Error("there is a Redis only while a test runs");
    return redis;
  };
};
