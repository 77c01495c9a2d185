import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { lockDataDir } from "../../../../server/platform/config/dataDirLock.ts";
import { openDatabase } from "../../../../server/platform/store/database.ts";
import { sqliteEngine } from "../../../../server/platform/store/sqlite.ts";
import { outboxOf, type RunningServer, startServer } from "../../../e2e/support/server.ts";
import { hungMs } from "../../../support/limits.ts";
import { builtServer } from "../../../support/programs.ts";
import { bauta } from "../../cli/support.ts";
import { bystander } from "../../support/bystander.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";

const root = join(import.meta.dirname, "../../../..");

const failingStart = async (environment: NodeJS.ProcessEnv) => {
  const child = spawn(process.execPath, [builtServer], {
    cwd: root,
    env: { ...process.env, PORT: "0", SMTP_PORT: "0", LOG_LEVEL: "silent", ...environment },
    timeout: hungMs,
  });
  const complaint = text(child.stderr);
  await once(child, "exit");
  return { code: child.exitCode, complaint: await complaint };
};

describe("The data folder of a SQLite installation", () => {
  const folder = useTemporaryFolder();
  let server: RunningServer | undefined;
  afterEach(async () => {
    await server?.stop("SIGKILL");
    await server?.removeData();
    server = undefined;
  });

  it("has one server: a second one ends with one line and 78, and takes nothing of the first", async () => {
    server = await startServer();
    const second = await failingStart({ DATA_DIR: server.dataDir });
    expect(second.code).to.equal(78);
    expect(second.complaint).to.match(
      /^DATA_DIR is ".+"; expected a folder that no other server uses; .+\.\n$/,
    );
    expect((await fetch(`${server.url}/healthz`)).status).to.equal(200);
    const database = await openDatabase(sqliteEngine(join(server.dataDir, "bauta.db")), {
      keepVersion: true,
    });
    expect(await database.db.selectFrom("lease_holders").select("id").execute()).to.have.length(1);
    await database.close();
  });

  it("is free at once after its server was killed", async () => {
    server = await startServer();
    await server.stop("SIGKILL");
    server = await server.restart();
    expect((await fetch(`${server.url}/healthz`)).status).to.equal(200);
  });

  it("waits for a server that is ending", async () => {
    const unlock = await lockDataDir(folder(), 0);
    const refusal = await lockDataDir(folder(), 0).catch(String);
    expect(refusal).to.contain("no other server uses");
    unlock();
    (await lockDataDir(folder(), 0))();
  });

  it("is not restored into while a server uses it", async () => {
    const unlock = await lockDataDir(folder(), 0);
    const backup = join(folder(), "backup.gz");
    writeFileSync(backup, gzipSync(""));
    const { code, errors } = await bauta({ DATA_DIR: folder() }, "restore", backup);
    unlock();
    expect(errors).to.contain("no other server uses");
    expect(code).to.equal(78);
    expect(readdirSync(folder())).not.to.include("bauta.db");
  });

  it("keeps its mail when a server cannot have its ports", async () => {
    server = await startServer();
    await fetch(`${server.url}/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "owner@example.org" }),
    });
    await server.stop("SIGKILL");
    const sent = (await outboxOf(server)).length;
    const database = await openDatabase(sqliteEngine(join(server.dataDir, "bauta.db")));
    await database.db
      .updateTable("queue")
      .where("user_id", "is distinct from", bystander.id)
      .set({ status: "waiting", content: Buffer.from("Subject: x\r\n\r\n") })
      .execute();
    await database.close();
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const { code, complaint } = await failingStart({ DATA_DIR: server.dataDir, PORT: String(port) });
    taken.close();
    expect(complaint).to.contain("PORT is");
    expect(code).to.equal(78);
    expect(await outboxOf(server)).to.have.length(sent);
  });
});
