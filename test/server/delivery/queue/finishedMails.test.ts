import { join } from "node:path";
import { expect } from "chai";
import { sql } from "kysely";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { dayMs, hourMs } from "../../../../core/kernel/durations.ts";
import {
  makeQueueDays,
  pruneFinishedMails,
  queueDays,
} from "../../../../server/delivery/queue/finishedMails.ts";
import {
  enqueue,
  finishMails,
  leaseDueMails,
  prepareRestoredQueue,
} from "../../../../server/delivery/queue/queueQueries.ts";
import type { QueueStatus } from "../../../../server/delivery/queue/queueTables.ts";
import { openBackup } from "../../../../server/platform/backup/readBackup.ts";
import { restoreBackup } from "../../../../server/platform/backup/restoreBackup.ts";
import { writeBackup } from "../../../../server/platform/backup/writeBackup.ts";
import { type Database, openDatabase } from "../../../../server/platform/store/database.ts";
import type { Engine } from "../../../../server/platform/store/engine.ts";
import { appendEvent } from "../../../../server/platform/store/events.ts";
import { eventHours, pruneEvents } from "../../../../server/platform/store/oldEvents.ts";
import { listPartitions } from "../../../../server/platform/store/partitions.ts";
import { sqliteEngine } from "../../../../server/platform/store/sqlite.ts";
import { skipWithout } from "../../../support/missing.ts";
import { bystander } from "../../support/bystander.ts";
import { usePostgresql } from "../../support/databases.ts";
import { addOwner } from "../../support/owners.ts";
import {
  connectPostgresql,
  hasPostgresql,
  newEmptyPostgresqlDatabase,
  newPostgresqlDatabase,
} from "../../support/postgresql.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";

const today = Date.parse("2026-11-20T00:00:00Z");
const retentionMs = 7 * dayMs;
const statuses = ["waiting", "delivered", "failed", "held", "unsent"] as const;

/** Queues a mail at a time, as a process whose clock shows it does. */
const queueAt = async (
  { db }: Pick<Database, "db">,
  at: number,
  status: QueueStatus = "delivered",
  { userId = null, finishedAt = at }: { readonly userId?: string | null; readonly finishedAt?: number } = {},
): Promise<string> => {
  const mail = {
    userId,
    maskId: null,
    envelopeSender: "",
    recipient: "a@b.example",
    content: Buffer.from("A"),
  };
  const id = await enqueue(db, mail, { now: at, random: cryptoRandom });
  const isFinished = status === "delivered" || status === "failed";
  await db
    .updateTable("queue")
    .set({ status, ...(isFinished ? { content: null, finished_at: finishedAt } : {}) })
    .where("id", "=", id)
    .execute();
  return id;
};

const idsOf = async ({ db }: Pick<Database, "db">): Promise<readonly string[]> =>
  (
    await db
      .selectFrom("queue")
      .where("user_id", "is distinct from", bystander.id)
      .select("id")
      .orderBy("id")
      .execute()
  ).map(({ id }) => id);

describe("The queue by days on PostgreSQL", () => {
  const { database, another } = usePostgresql();

  const partOf = async (id: string): Promise<string | undefined> => {
    const { rows } = await sql<{ part: string }>`
      select tableoid::regclass::text as part from queue where id = ${id}`.execute(database().db);
    return rows[0]?.part;
  };
  const days = async (): Promise<readonly string[]> =>
    (await listPartitions(database().db, queueDays)).map(({ name }) => name);
  /** Makes days and deletes what is old, as at a time. */
  const keepHouse = async (now: number): Promise<void> => {
    await makeQueueDays(database(), now);
    await pruneFinishedMails(database(), now - retentionMs);
  };

  it("is made three days ahead, and dropped a week after a day has ended", async () => {
    await keepHouse(today + hourMs);
    expect(await days()).to.deep.equal(["20", "21", "22", "23"].map((day) => `queue_2026_11_${day}_00`));
    await keepHouse(today + dayMs);
    expect(await days()).to.have.length(5);
    await keepHouse(today + 8 * dayMs - 1);
    expect((await days())[0]).to.equal("queue_2026_11_20_00");
    await keepHouse(today + 8 * dayMs);
    expect((await days())[0]).to.equal("queue_2026_11_21_00");
    expect((await days()).at(-1)).to.equal("queue_2026_12_01_00");
  });

  it("loses a whole day but what waits, is held, was not sent or finished later, which can be finished then", async () => {
    await makeQueueDays(database(), today);
    const ids = new Map<string, string>();
    for (const status of statuses) ids.set(status, await queueAt(database(), today + hourMs, status));
    const late = await queueAt(database(), today + hourMs, "failed", { finishedAt: today + 2 * dayMs });
    const later = await queueAt(database(), today + dayMs);
    expect(await partOf(late)).to.equal("queue_2026_11_20_00");
    const before = await database()
      .db.selectFrom("queue")
      .where("user_id", "is distinct from", bystander.id)
      .selectAll()
      .execute();

    await keepHouse(today + 8 * dayMs);
    expect(await days()).not.to.include("queue_2026_11_20_00");
    const kept = [ids.get("waiting"), ids.get("held"), ids.get("unsent"), late, later];
    const after = await database()
      .db.selectFrom("queue")
      .where("user_id", "is distinct from", bystander.id)
      .selectAll()
      .execute();
    expect(after).to.have.deep.members(before.filter(({ id }) => kept.includes(id)));
    expect(await partOf(late)).to.equal("queue_default");

    await database().db.insertInto("lease_holders").values({ id: "a", beat: 0 }).execute();
    const [mail] = await leaseDueMails(database(), { count: 10, lease: "a", now: today + 8 * dayMs });
    expect(mail?.id).to.equal(ids.get("waiting"));
    if (!mail) return;
    const at = today + 8 * dayMs;
    await database().transaction((db) =>
      finishMails(database(), db, "delivered", [{ mail, lease: "a", answer: "250 OK" }], at),
    );
    await keepHouse(today + 16 * dayMs);
    expect(await idsOf(database())).to.deep.equal([ids.get("held"), ids.get("unsent")].toSorted());
  });

  it("keeps mail of processes whose clocks are ahead or behind, also when their day is made later", async () => {
    await makeQueueDays(database(), today);
    const skewed = [-400, -9, -1, 1, 4, 5, 400].map((days) => today + days * dayMs + hourMs);
    const ids: string[] = [];
    for (const at of skewed) ids.push(await queueAt(database(), at, "waiting"));
    const ahead = ids[4] ?? "";
    expect(await partOf(ahead)).to.equal("queue_default");
    await keepHouse(today + dayMs);
    expect(await partOf(ahead)).to.equal("queue_2026_11_24_00");
    await keepHouse(today + 100 * dayMs);
    expect((await idsOf(database())).toSorted()).to.deep.equal(ids.toSorted());
  });

  it("loses all mail of a user with the account, on every day", async () => {
    await makeQueueDays(database(), today);
    const [one, other] = [await addOwner(database().db), await addOwner(database().db)];
    for (const { id: userId } of [one, other])
      for (const day of [-1, 0, 1, 2, 9]) await queueAt(database(), today + day * dayMs, "held", { userId });
    await keepHouse(today + 8 * dayMs);
    await database().db.deleteFrom("users").where("id", "=", one.id).execute();
    const left = await database()
      .db.selectFrom("queue")
      .where("user_id", "is distinct from", bystander.id)
      .select("user_id")
      .execute();
    expect(left).to.deep.equal(Array.from({ length: 5 }, () => ({ user_id: other.id })));
  });

  it("keeps a day that somebody reads for longer than others may wait, and drops it the next time", async () => {
    await makeQueueDays(database(), today);
    await queueAt(database(), today);
    const other = await another();
    await other.transaction(async (db) => {
      await db.selectFrom("queue").where("user_id", "is distinct from", bystander.id).select("id").execute();
      await keepHouse(today + 8 * dayMs);
      expect(await idsOf(database())).to.have.length(1);
    });
    await keepHouse(today + 8 * dayMs);
    expect(await idsOf(database())).to.have.length(0);
  });

  it("takes, delivers and keeps all mail of two processes while days are made and dropped", async () => {
    const other = await another();
    const { id: userId } = await addOwner(database().db);
    await database().db.insertInto("lease_holders").values({ id: "a", beat: 0 }).execute();
    let now = today;
    let isOver = false;
    const held: string[] = [];
    let [leased, delivered] = [0, 0];
    const work = async (store: Database): Promise<void> => {
      // A clock that is ahead queues mail for which there is no day yet, so that it moves when the day is made.
      for (let ahead = 0; !isOver; ahead = 4 * dayMs - ahead) {
        const at = now + ahead;
        held.push(await store.transaction((db) => queueAt({ db }, at, "held", { userId })));
        await queueAt(store, at, "waiting", { userId });
        for (const mail of await leaseDueMails(store, { count: 1, lease: "a", now: at })) {
          leased += 1;
          await store.transaction(async (db) => {
            await db.updateTable("users").set({ mask_count: 1 }).where("id", "=", userId).execute();
            const { ids } = await finishMails(
              store,
              db,
              "delivered",
              [{ mail, lease: "a", answer: "250" }],
              now,
            );
            delivered += ids.size;
          });
        }
      }
    };
    const working = [database(), database(), other].map(work);
    for (; now < today + 10 * dayMs; now += dayMs / 2) {
      await makeQueueDays(other, now);
      await pruneFinishedMails(other, now - retentionMs);
    }
    isOver = true;
    await Promise.all(working);
    const left = await database().db.selectFrom("queue").where("status", "=", "held").select("id").execute();
    expect(left.map(({ id }) => id).toSorted()).to.deep.equal(held.toSorted());
    expect(delivered).to.be.greaterThan(0);
    expect(delivered).to.equal(leased);
    expect((await days()).length).to.be.greaterThan(4);
  });

  it("deletes finished mail row by row on a day with more mail to keep than can be moved shortly", async () => {
    await makeQueueDays(database(), today);
    await sql`insert into queue (id, envelope_sender, recipient, size, status, attempts, next_attempt_at, leased_until,
        created_at)
      select ${today.toString(36)} || n, '', 'a@b.example', 1, 'held', 0, 0, 0, 0 from generate_series(1, 20001) n`.execute(
      database().db,
    );
    const finished = await queueAt(database(), today + hourMs);
    await keepHouse(today + 8 * dayMs);
    const left = await idsOf(database());
    expect(left).to.have.length(20_001);
    expect(left).not.to.include(finished);
    expect(await partOf(left[0] ?? "")).to.equal("queue_2026_11_20_00");
  });
});

describe("The events by hours on PostgreSQL", () => {
  const { database } = usePostgresql();

  it("are dropped together, but for the last that is old, and count on", async () => {
    const append = (at: number) =>
      appendEvent(database().db, { userId: "u", resource: "masks", resourceId: null, action: "updated" }, at);
    const ids = async () =>
      (
        await database()
          .db.selectFrom("events")
          .where("user_id", "!=", bystander.id)
          .select("id")
          .orderBy("id")
          .execute()
      ).map(({ id }) => id);
    await append(today - dayMs);
    await append(today);
    await pruneEvents(database(), today);
    const hours = await listPartitions(database().db, eventHours);
    expect(hours.map(({ start }) => (start - today) / hourMs)).to.deep.equal([0, 2, 4, 6]);
    expect(await ids()).to.deep.equal([1, 2]);
    await append(today + hourMs);
    await append(today + 2 * hourMs - 1);
    await append(today - 400 * dayMs);
    await pruneEvents(database(), today + 3 * hourMs - 1);
    expect(await ids()).to.deep.equal([2, 3, 4, 5]);
    await pruneEvents(database(), today + 3 * hourMs);
    expect(await ids()).to.deep.equal([5]);
    await append(today + 3 * hourMs);
    expect(await ids()).to.deep.equal([5, 6]);
  });
});

describe("A PostgreSQL database whose queue is kept by days", () => {
  const folder = useTemporaryFolder();
  before(function () {
    if (!hasPostgresql()) skipWithout(this, "PostgreSQL");
  });

  it("is backed up with all days while one is dropped, and restored into SQLite and back", async () => {
    const open = async (engine: Engine) => openDatabase(engine);
    const source = await open(connectPostgresql(await newPostgresqlDatabase()));
    const [first, second] = [join(folder(), "first.gz"), join(folder(), "second.gz")];
    const restore = async (file: string, engine: Engine): Promise<void> => {
      using from = openBackup(file);
      await restoreBackup({
        from,
        engine,
        dataDir: null,
        afterRestore: (db) => prepareRestoredQueue(db, today),
      });
    };
    try {
      await makeQueueDays(source, today);
      await pruneEvents(source, today);
      for (const status of statuses)
        for (const day of [-1, 0, 1, 9]) await queueAt(source, today + day * dayMs, status);
      await sql`insert into events (user_id, resource, action, created_at)
        select 'u', 'masks', 'updated', ${today} from generate_series(1, 1500)`.execute(source.db);
      const all = await idsOf(source);
      let pruning: Promise<void> | undefined;
      const onProgress = (): void => {
        pruning ??= pruneFinishedMails(source, today + 5 * dayMs);
      };
      await writeBackup({ database: source, dataDir: folder(), to: first, now: today, onProgress });
      await pruning;

      await restore(first, sqliteEngine(join(folder(), "restored.db")));
      const restored = await open(sqliteEngine(join(folder(), "restored.db")));
      expect((await idsOf(restored)).toSorted()).to.deep.equal(all.toSorted());
      await writeBackup({ database: restored, dataDir: join(folder()), to: second, now: today });
      await restored.close();

      const url = await newEmptyPostgresqlDatabase();
      await restore(second, connectPostgresql(url));
      const back = await open(connectPostgresql(url));
      await makeQueueDays(back, today);
      await pruneEvents(back, today);
      expect((await idsOf(back)).toSorted()).to.deep.equal(all.toSorted());
      await appendEvent(back.db, { userId: "u", resource: "x", resourceId: null, action: "y" }, today);
      const { newest } = await back.db
        .selectFrom("events")
        .where("user_id", "!=", bystander.id)
        .select(({ fn }) => fn.max("id").as("newest"))
        .executeTakeFirstOrThrow();
      expect(newest).to.equal(1_501);
      await back.close();
    } finally {
      await source.close();
    }
  });
});
