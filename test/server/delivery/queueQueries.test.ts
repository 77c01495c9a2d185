import { expect } from "chai";
import { cryptoRandom } from "../../../adapters/system/clockAndRandom.ts";
import {
  enqueue,
  leaseDueMails,
  markDelivered,
  markFailed,
  postponeMail,
  pruneFinishedMails,
  readQueuedContent,
  releaseLeases,
  renewLeases,
} from "../../../server/delivery/queueQueries.ts";
import type { Db } from "../../../server/store/database.ts";
import { onEachDatabase } from "../support/databases.ts";

const content = Uint8Array.from({ length: 256 }, (_, byte) => byte);

const put = (db: Db, now = 1_000) =>
  enqueue(
    db,
    { userId: null, maskId: null, envelopeSender: "", recipient: "a@b.example", content },
    { now, random: cryptoRandom },
  );

const lease = (db: Db, name: string, now = 2_000, count = 100) =>
  leaseDueMails(db, { count, lease: name, now, until: now + 60_000 });

describe("The queue", () => {
  onEachDatabase(({ database, another }) => {
    const row = (id: string) =>
      database().db.selectFrom("queue").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

    it("keeps the bytes of a mail as they are", async () => {
      const id = await put(database().db);
      expect(
        Buffer.from((await readQueuedContent(database().db, id)) ?? []).equals(Buffer.from(content)),
      ).to.equal(true);
    });

    it("gives each mail to one process alone, however many ask", async () => {
      const ids = [];
      for (let count = 0; count < 60; count += 1) ids.push(await put(database().db));
      const second = await another();
      const leases = Array.from({ length: 12 }, (_, index) =>
        lease(index % 2 ? database().db : second.db, `process ${index % 2}`, 2_000, 10),
      );
      const given = (await Promise.all(leases)).flat().map(({ id }) => id);
      expect(new Set(given).size).to.equal(given.length);
      const rest = (await lease(second.db, "another")).map(({ id }) => id);
      expect([...given, ...rest].sort()).to.deep.equal(ids.sort());
    });

    it("gives the longest due first, and nothing before its time", async () => {
      const late = await put(database().db, 1_500);
      const early = await put(database().db, 1_000);
      await put(database().db, 9_000);
      expect((await lease(database().db, "a")).map(({ id }) => id)).to.deep.equal([early, late]);
    });

    it("gives a mail again once its lease has ended, and counts the tries", async () => {
      const id = await put(database().db);
      expect((await lease(database().db, "a", 2_000))[0]?.attempts).to.equal(1);
      expect(await lease(database().db, "b", 61_999)).to.deep.equal([]);
      const [again] = await lease(database().db, "b", 62_000);
      expect(again).to.include({ id, attempts: 2 });
    });

    it("keeps a lease that is renewed, and only that one", async () => {
      const [stored, lost] = [await put(database().db), await put(database().db)];
      await lease(database().db, "a", 2_000);
      await renewLeases(database().db, "a", [stored], 100_000);
      expect((await lease(database().db, "b", 62_000)).map(({ id }) => id)).to.deep.equal([lost]);
      expect(await lease(database().db, "c", 99_999)).to.deep.equal([]);
    });

    it("lets nobody settle a mail whose lease somebody else has by now", async () => {
      const id = await put(database().db);
      await lease(database().db, "slow", 2_000);
      await lease(database().db, "quick", 62_000);
      expect(await markDelivered(database().db, { id, lease: "slow" }, "250", 62_001)).to.equal(false);
      expect(await markFailed(database().db, { id, lease: "slow" }, "550", 62_001)).to.equal(false);
      await postponeMail(database().db, { id, lease: "slow" }, "450", 99_999);
      expect(await row(id)).to.include({ status: "waiting", next_attempt_at: 1_000, lease: "quick" });
      expect(await markDelivered(database().db, { id, lease: "quick" }, "250 OK", 62_002)).to.equal(true);
    });

    it("forgets the content of what was delivered or failed at once, and the row after 7 days", async () => {
      const [delivered, failed, waiting] = [
        await put(database().db),
        await put(database().db),
        await put(database().db),
      ];
      await lease(database().db, "a");
      await markDelivered(database().db, { id: delivered, lease: "a" }, "250 OK", 3_000);
      await markFailed(database().db, { id: failed, lease: "a" }, "550 no", 3_000);
      expect(await row(delivered)).to.include({ status: "delivered", content: null, last_answer: "250 OK" });
      expect(await row(failed)).to.include({ status: "failed", content: null, last_answer: "550 no" });
      await pruneFinishedMails(database().db, 3_000);
      expect(await row(delivered)).to.include({ status: "delivered" });
      await pruneFinishedMails(database().db, 3_001);
      const left = await database().db.selectFrom("queue").select("id").execute();
      expect(left).to.deep.equal([{ id: waiting }]);
    });

    it("has a mail due again at once when its lease is given back, as if it had not been tried", async () => {
      const id = await put(database().db);
      await lease(database().db, "a");
      await releaseLeases(database().db, "a", [id]);
      expect((await lease(database().db, "b"))[0]).to.include({ id, attempts: 1 });
    });
  });
});
