import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { enqueue } from "../../../../server/delivery/queue/queueQueries.ts";
import { openDatabase } from "../../../../server/platform/store/database.ts";
import { sqliteEngine } from "../../../../server/platform/store/sqlite.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";

const endings = ["", "-wal", "-shm"];

describe("The database file on the disk", () => {
  const folder = useTemporaryFolder();
  const file = () => join(folder(), "bauta.db");

  const onDisk = (text: string): boolean =>
    endings
      .map((ending) => `${file()}${ending}`)
      .some((path) => existsSync(path) && readFileSync(path).includes(text));

  it("is readable by its owner alone, also when it was created with other permissions", async () => {
    for (const isOld of [false, true]) {
      if (isOld) chmodSync(file(), 0o644);
      const database = await openDatabase(sqliteEngine(file()));
      await database.db.deleteFrom("events").execute();
      for (const ending of endings)
        expect(statSync(`${file()}${ending}`).mode & 0o777, `bauta.db${ending}`).to.equal(0o600);
      await database.close();
    }
  });

  it("contains nothing of a mail that has left", async () => {
    const secret = "the secret of the seventh paragraph";
    const database = await openDatabase(sqliteEngine(file()));
    const mail = { userId: null, maskId: null, envelopeSender: "", recipient: "a@home.example" };
    const content = Buffer.from(`${"x".repeat(20_000)}${secret}${"y".repeat(20_000)}`);
    await enqueue(database.db, { ...mail, content }, { now: 0, random: cryptoRandom });
    await database.engine.purgeDeleted();
    expect(onDisk(secret), "while it waits").to.equal(true);
    await database.db.updateTable("queue").set({ content: null, status: "delivered" }).execute();
    await database.engine.purgeDeleted();
    expect(onDisk(secret), "once it has left").to.equal(false);
    await database.close();
  });

  it("is refused when it is not a database", async () => {
    writeFileSync(file(), "this is no database, but it is long enough to be read as one".repeat(100));
    expect(() => sqliteEngine(file())).to.throw("not a database");
  });
});
