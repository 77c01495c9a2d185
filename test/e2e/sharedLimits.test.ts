import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { createClient } from "../server/support/client.ts";
import { databaseUrl, hasPostgresql, runStatement } from "../server/support/postgresql.ts";
import { until } from "../server/support/until.ts";
import { skipWithout } from "../support/missing.ts";
import { type RunningServer, startServer } from "./support/server.ts";

describe("two processes on one PostgreSQL", () => {
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

  it("refuse a client together", async () => {
    servers = [await startServer(settings), await startServer(settings)];
    for (let n = 0; n < 30; n += 1) expect(await request(0)).to.equal(400);
    expect(await request(0)).to.equal(429);
    let allowed = 0;
    await until("the other process refuses it too", async () => {
      const status = await request(1);
      if (status !== 429) allowed += 1;
      return status === 429;
    });
    expect(allowed, "requests that it has allowed of itself").to.be.below(30);
  });
});
