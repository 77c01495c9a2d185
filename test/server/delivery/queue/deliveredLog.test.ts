import { readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { systemClock } from "../../../../adapters/system/clockAndRandom.ts";
import { openDeliveredLog } from "../../../../server/delivery/queue/deliveredLog.ts";
import { createFileBodies } from "../../../../server/delivery/queue/fileBodies.ts";
import type { Transport } from "../../../../server/delivery/transport.ts";
import { createSpool } from "../../../../server/platform/spool/spoolFile.ts";
import { type Database, openDatabase } from "../../../../server/platform/store/database.ts";
import { sqliteEngine } from "../../../../server/platform/store/sqlite.ts";
import { queueMail, startDelivery } from "../../support/runningDelivery.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";
import { until } from "../../support/until.ts";

describe("A mail that the next hop has accepted", () => {
  const folder = useTemporaryFolder();
  const path = (): string => join(folder(), "delivered.log");
  let database: Database;
  beforeEach(async () => {
    database = await openDatabase(sqliteEngine(join(folder(), "bauta.db")));
  });
  afterEach(() => database.close());

  const transportWith = (sent: string[]): Transport => ({
    send: async ({ id }) => {
      sent.push(id);
      return { kind: "delivered", answer: "250 ok" };
    },
    abort: () => {},
  });
  const statusOf = async (id: string): Promise<string | undefined> =>
    (await database.db.selectFrom("queue").where("id", "=", id).select("status").executeTakeFirst())?.status;

  it("is not sent again by the next start when the process was killed before it was recorded", async () => {
    const [known, unknown] = [
      await queueMail(database.db, {}, systemClock.now()),
      await queueMail(database.db, {}, systemClock.now()),
    ];
    const killed = openDeliveredLog(path());
    killed.add(known, false);
    await until("the file names it", () => readFileSync(path(), "utf8") === `${known}\n`);

    const sent: string[] = [];
    const deliveredLog = openDeliveredLog(path());
    const { stop } = startDelivery(database, transportWith(sent), systemClock, 4, { deliveredLog });
    await until("the other was sent", async () => (await statusOf(unknown)) === "delivered");
    expect(await statusOf(known)).to.equal("delivered");
    await stop();
    expect(sent).to.deep.equal([unknown]);
  });

  it("leaves no file of its content when its process was killed before it was recorded", async () => {
    const spool = createSpool(folder(), true);
    const file = await spool.create();
    await file.append([Buffer.from("Subject: large\r\n\r\n")]);
    await file.persist();
    await file.close();
    // The sweep at the start leaves files that are younger than it.
    utimesSync(join(folder(), "spool", file.id), new Date("2100-01-01"), new Date("2100-01-01"));
    const id = await queueMail(database.db, {}, systemClock.now());
    await database.db
      .insertInto("bodies")
      .values({ id: file.id, part: 0, content: null, file_key: file.key })
      .execute();
    await database.db
      .updateTable("queue")
      .set({ content: null, body_id: file.id })
      .where("id", "=", id)
      .execute();
    openDeliveredLog(path()).add(id, false);
    await until("the log names it", () => readFileSync(path(), "utf8") === `${id}\n`);

    const sent: string[] = [];
    const deliveredLog = openDeliveredLog(path());
    const { stop } = startDelivery(database, transportWith(sent), systemClock, 4, {
      deliveredLog,
      bodies: createFileBodies(database, spool),
    });
    await until("it is recorded", async () => (await statusOf(id)) === "delivered");
    await until("its file is gone", () => readdirSync(join(folder(), "spool")).length === 0, 10_000);
    await stop();
    expect(sent).to.deep.equal([]);
  });

  it("is forgotten once it is recorded", async () => {
    const deliveredLog = openDeliveredLog(path());
    const { stop } = startDelivery(database, transportWith([]), systemClock, 4, { deliveredLog });
    const id = await queueMail(database.db, {}, systemClock.now());
    await until("it was sent", async () => (await statusOf(id)) === "delivered");
    await stop();
    expect(readFileSync(path(), "utf8")).to.equal("");
  });

  it("stays known while the file is written anew, which bounds it to 20,000 lines", async () => {
    const log = openDeliveredLog(path());
    const ids = Array.from({ length: 45_000 }, (_, n) => `id${n}`);
    for (const [n, id] of ids.entries()) {
      log.add(id, false);
      if (n > 0) log.remove(ids[n - 1] ?? "");
      if (n % 100 === 99) await new Promise<void>((resolve) => queueMicrotask(resolve));
    }
    await until("the last is written", () => readFileSync(path(), "utf8").endsWith("id44999\n"));
    expect(readFileSync(path(), "utf8").split("\n").length).to.be.at.most(20_100);
    const recovered: string[] = [];
    await openDeliveredLog(path()).recover(async (left) => {
      recovered.push(...left);
    });
    expect(recovered).to.include("id44999");
  });
});
