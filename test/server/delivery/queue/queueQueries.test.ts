import { expect } from "chai";
import { sql } from "kysely";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { pruneFinishedMails } from "../../../../server/delivery/queue/finishedMails.ts";
import {
  enqueue,
  finishMails,
  leaseDueMails,
  postponeMail,
  type QueuedMail,
  releaseLeases,
} from "../../../../server/delivery/queue/queueQueries.ts";
import type { Database, Db } from "../../../../server/platform/store/database.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase, usePostgresql } from "../../support/databases.ts";
import { readQueue } from "../../support/queue.ts";
import { until } from "../../support/until.ts";

const content = Uint8Array.from({ length: 256 }, (_, byte) => byte);

const put = (db: Db, now = 1_000) =>
  enqueue(
    db,
    { userId: null, maskId: null, envelopeSender: "", recipient: "a@b.example", content },
    { now, random: cryptoRandom },
  );

const lease = (on: Database, name: string, now = 2_000, count = 100) =>
  leaseDueMails(on, { count, lease: name, now });

/** What the queue knows of a mail that does not count as kept. */
const uncounted = { userId: null, size: 0, network: null, isCounted: false };

const finish = (
  on: Database,
  status: "delivered" | "failed",
  mail: Pick<QueuedMail, "id" | "bodyId" | "bodyHead">,
  { lease: name, answer, now }: { readonly lease: string; readonly answer: string; readonly now: number },
): Promise<boolean> =>
  on.transaction(async (db) => {
    const { ids } = await finishMails(
      on,
      db,
      status,
      [{ mail: { ...uncounted, ...mail }, lease: name, answer }],
      now,
    );
    return ids.has(mail.id);
  });

describe("The queue", () => {
  onEachDatabase(({ database, another }) => {
    const row = (id: string) =>
      database().db.selectFrom("queue").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const runs = async (...names: readonly string[]): Promise<void> => {
      const rows = names.map((id) => ({ id, beat: 0 }));
      await database().db.insertInto("lease_holders").values(rows).execute();
    };
    const ends = (name: string) => database().db.deleteFrom("lease_holders").where("id", "=", name).execute();

    it("stores the bytes of a mail unchanged", async () => {
      await put(database().db);
      const [stored] = await readQueue(database().db);
      expect(stored?.content.equals(Buffer.from(content))).to.equal(true);
    });

    it("leases each mail to only one of several concurrent processes", async () => {
      const ids = [];
      for (let count = 0; count < 60; count += 1) ids.push(await put(database().db));
      await runs("process 0", "process 1");
      const second = await another();
      const leases = Array.from({ length: 12 }, (_, index) =>
        lease(index % 2 ? database() : second, `process ${index % 2}`, 2_000, 10),
      );
      const given = (await Promise.all(leases)).flat().map(({ id }) => id);
      expect(new Set(given).size).to.equal(given.length);
      const rest = (await lease(second, "another")).map(({ id }) => id);
      expect([...given, ...rest].sort()).to.deep.equal(ids.sort());
    });

    it("leases the mail that is due longest first, and none before its time", async () => {
      const late = await put(database().db, 1_500);
      const early = await put(database().db, 1_000);
      await put(database().db, 9_000);
      expect((await lease(database(), "a")).map(({ id }) => id)).to.deep.equal([early, late]);
    });

    it("leases a mail again once its process has ended, and counts the attempts", async () => {
      await runs("a", "b");
      const id = await put(database().db);
      expect((await lease(database(), "a", 2_000))[0]?.attempts).to.equal(1);
      expect(await lease(database(), "b", 9_999_999_999)).to.deep.equal([]);
      await ends("a");
      const [again] = await lease(database(), "b", 2_000);
      expect(again).to.include({ id, attempts: 2 });
    });

    it("ignores a result from a process whose lease has passed to another process", async () => {
      await runs("quick");
      const id = await put(database().db);
      const mail = { ...uncounted, id, bodyId: null, bodyHead: 0 };
      await lease(database(), "slow", 2_000);
      await lease(database(), "quick", 2_000);
      const late = { lease: "slow", answer: "250", now: 62_001 };
      expect(await finish(database(), "delivered", mail, late)).to.equal(false);
      expect(await finish(database(), "failed", mail, late)).to.equal(false);
      await postponeMail(
        database().db,
        { mail, lease: "slow", answer: "450" },
        { at: 99_999, isAttempt: true },
      );
      expect(await row(id)).to.include({ status: "waiting", next_attempt_at: 1_000, lease: "quick" });
      await postponeMail(
        database().db,
        { mail, lease: "quick", answer: "" },
        { at: 1_500, isAttempt: false },
      );
      expect(await row(id), "no attempt is not counted").to.include({
        next_attempt_at: 1_500,
        attempts: 1,
        last_answer: null,
        lease: null,
      });
      await lease(database(), "quick", 2_500);
      const inTime = { lease: "quick", answer: "250 OK", now: 62_002 };
      expect(await finish(database(), "delivered", mail, inTime)).to.equal(true);
    });

    it("deletes the content of a delivered or failed mail at once, and its row after 7 days", async () => {
      const [delivered, failed, waiting] = [
        await put(database().db),
        await put(database().db),
        await put(database().db),
      ];
      await lease(database(), "a");
      const at = { lease: "a", now: 3_000 };
      await finish(
        database(),
        "delivered",
        { id: delivered, bodyId: null, bodyHead: 0 },
        { ...at, answer: "250 OK" },
      );
      await finish(
        database(),
        "failed",
        { id: failed, bodyId: null, bodyHead: 0 },
        { ...at, answer: "550 no" },
      );
      expect(await row(delivered)).to.include({ status: "delivered", content: null, last_answer: "250 OK" });
      expect(await row(failed)).to.include({ status: "failed", content: null, last_answer: "550 no" });
      await pruneFinishedMails(database(), 3_000);
      expect(await row(delivered)).to.include({ status: "delivered" });
      await pruneFinishedMails(database(), 3_001);
      const left = await database()
        .db.selectFrom("queue")
        .where("user_id", "is distinct from", bystander.id)
        .select("id")
        .execute();
      expect(left).to.deep.equal([{ id: waiting }]);
    });

    it("makes a mail due at once when its lease is returned, and does not count the attempt", async () => {
      const id = await put(database().db);
      await lease(database(), "a");
      await releaseLeases(database().db, "a", [id]);
      expect((await lease(database(), "b"))[0]).to.include({ id, attempts: 1 });
    });
  });

  describe("on PostgreSQL", () => {
    const { database, another } = usePostgresql();

    it("leases what nobody else is leasing, without waiting for those that are", async () => {
      const first = await put(database().db, 1_000);
      const second = await put(database().db, 1_100);
      const other = await another();
      await other.db.insertInto("lease_holders").values({ id: "b", beat: 0 }).execute();
      await database().transaction(async (db) => {
        await db.selectFrom("queue").where("id", "=", first).select("id").forUpdate().execute();
        expect((await lease(other, "b")).map(({ id }) => id)).to.deep.equal([second]);
      });
      expect((await lease(other, "b")).map(({ id }) => id)).to.deep.equal([first]);
    });

    it("deletes a content of two copies that two processes finish at the same time", async () => {
      const bodies = [-2, -1, 0].map((part) => ({ id: "shared", part, content: Buffer.from("x") }));
      await database().db.insertInto("bodies").values(bodies).execute();
      const copies = [-1, -2].map((bodyHead) => ({ bodyId: "shared", bodyHead }));
      const queued: Pick<QueuedMail, "id" | "bodyId" | "bodyHead">[] = [];
      for (const { bodyId, bodyHead } of copies) {
        const id = await put(database().db);
        const change = { body_id: bodyId, body_head: bodyHead, lease: "a" };
        await database().db.updateTable("queue").set(change).where("id", "=", id).execute();
        queued.push({ id, bodyId, bodyHead });
      }
      const other = await another();
      const finishIn = (on: Database, db: Db, n: number) =>
        finishMails(
          on,
          db,
          "delivered",
          queued
            .slice(n, n + 1)
            .map((mail) => ({ mail: { ...uncounted, ...mail }, lease: "a", answer: "250" })),
          3_000,
        );
      let second: Promise<unknown> = Promise.resolve();
      await database().transaction(async (db) => {
        await finishIn(database(), db, 0);
        second = other.transaction((tx) => finishIn(other, tx, 1));
        await until("the second waits for the first", async () => {
          const { rows } = await sql`select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(database().db);
          return rows.length > 0;
        });
      });
      await second;
      expect(await database().db.selectFrom("bodies").selectAll().execute()).to.deep.equal([]);
    });
  });
});
