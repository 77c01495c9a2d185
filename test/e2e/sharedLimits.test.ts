import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { createClient } from "../server/support/client.ts";
import { databaseUrl, hasPostgresql, runStatement } from "../server/support/postgresql.ts";
import { useRedis } from "../server/support/redis.ts";
import { until } from "../server/support/until.ts";
import { skipWithout } from "../support/missing.ts";
import { type RunningServer, startServer } from "./support/server.ts";

describe("two processes that share limits by Redis", () => {
  const redis = useRedis();
  let servers: readonly RunningServer[] = [];
  let settings: Readonly<Record<string, string>>;

  before(async function () {
    if (!hasPostgresql()) skipWithout(this, "PostgreSQL");
    const url = process.env["TEST_POSTGRESQL"] ?? "";
    const name = `limits_${randomBytes(6).toString("hex")}`;
    await runStatement(url, `create database ${name} template template0`);
    const folder = await mkdtemp(join(tmpdir(), "bauta-limits-"));
    settings = { DATABASE_URL: databaseUrl(url, name), DATA_DIR: folder };
  });
  after(async () => {
    for (const server of servers) {
      await server.stop();
      await server.removeData();
    }
    if (settings) await rm(settings["DATA_DIR"] ?? "", { recursive: true, force: true });
  });

  const request = async (index: number): Promise<number> => {
    const headers = { "x-forwarded-for": "203.0.113.7" };
    const client = createClient(servers[index]?.url ?? "");
    return (await client.call("POST", "/login", { body: {}, headers })).status;
  };

  it("refuse a client together, go on alone without it, and log no password", async () => {
    const all = { ...settings, REDIS_URL: redis().url };
    servers = [await startServer(all), await startServer(all)];
    for (let n = 0; n < 30; n += 1) expect(await request(0)).to.equal(400);
    expect(await request(0)).to.equal(429);
    let allowed = 0;
    await until("the other process refuses it too", async () => {
      const status = await request(1);
      if (status !== 429) allowed += 1;
      return status === 429;
    });
    expect(allowed, "requests that it has allowed of itself").to.be.below(30);
    await redis().stop();
    await until("it counts alone", () => servers[1]?.output().includes("by this process alone") === true);
    expect(await request(1)).to.equal(429);
    await redis().start();
    await until(
      "it counts together",
      () => servers[1]?.output().includes("with the other processes again") === true,
    );
    expect(servers.map(({ output }) => output()).join("")).to.not.contain(redis().password);
  });

  it("do not start with a wrong password, and say which setting it is", async () => {
    const wrong = redis().url.replace(redis().password, "hunter2");
    const refused = await startServer({ ...settings, REDIS_URL: wrong }).then(
      () => "started",
      (error: unknown) => String(error),
    );
    expect(refused).to.contain(
      "REDIS_URL is set; expected a Redis or Valkey server that can be reached with it",
    );
    expect(refused).to.contain("WRONGPASS").and.not.contain("hunter2");
  });
});
