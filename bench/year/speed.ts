import { sql } from "kysely";
import { cryptoRandom } from "../../adapters/system/clockAndRandom.ts";
import { recordEntries, recordSteps } from "../../server/delivery/mailLog/logQueries.ts";
import { insertBodies } from "../../server/delivery/queue/queueBodies.ts";
import {
  finishMails,
  insertQueuedMails,
  leaseDueMails,
  type QueuedMail,
} from "../../server/delivery/queue/queueQueries.ts";
import { findMailRoute } from "../../server/features/masks/findMailRoute.ts";
import type { Database } from "../../server/platform/store/database.ts";
import { appendEvents } from "../../server/platform/store/events.ts";
import { newQueueId } from "../../server/platform/store/id.ts";

const rounds = 300;
/** Rounds before them, which let both have some mail. */
const unmeasured = 20;
/** Mails that are stored, leased and finished in one commit each. */
const group = 20;
const lease = "bench";

const operations = ["route", "store a group", "lease", "finish a group"] as const;
type Operation = (typeof operations)[number];
type Times = Record<Operation, number[]>;

interface Owner {
  readonly userId: string;
  readonly maskId: string;
  readonly email: string;
}

const ownersOf = async ({ db }: Database): Promise<readonly Owner[]> => {
  const { rows } = await sql<Owner>`
    select user_id as "userId", id as "maskId", email from masks order by id limit ${rounds * group}`.execute(
    db,
  );
  return rows;
};

/** One round of the statements in the way of a mail, for a group of mails. */
const measureRound = async (
  database: Database,
  { owners, now, times }: { readonly owners: readonly Owner[]; readonly now: number; readonly times: Times },
): Promise<void> => {
  const timed = async <A>(operation: Operation, work: () => Promise<A>): Promise<A> => {
    const began = performance.now();
    const result = await work();
    times[operation].push(performance.now() - began);
    return result;
  };
  for (const { email } of owners.slice(0, 3))
    await timed("route", () => findMailRoute(database.engine, email));
  const mails = owners.map(({ userId, maskId }): QueuedMail => {
    const id = newQueueId(cryptoRandom, now);
    const body = { bodyId: newQueueId(cryptoRandom, now), bodyHead: 0 };
    const sent = { envelopeSender: "shop@shop.example", recipient: "owner@home.example" };
    return {
      id,
      userId,
      maskId,
      ...body,
      ...sent,
      size: 900,
      attempts: 0,
      reportTo: null,
      logId: id,
      network: null,
      isCounted: false,
      createdAt: now,
    };
  });
  const entries = mails.map(({ id, userId, maskId }) => ({
    id,
    userId: userId ?? "",
    maskId: maskId ?? "",
    at: now,
    direction: "received" as const,
    result: "queued" as const,
    detail: { text: "{}", isSealed: false },
  }));
  await timed("store a group", () =>
    database.transaction(async (db) => {
      const bodies = mails.map(({ bodyId }) => [bodyId, 0, Buffer.alloc(900), null, 0, null, null, null]);
      await insertBodies(database, db, bodies);
      await insertQueuedMails(
        database,
        db,
        mails.map((mail) => ({ ...mail, lease: null })),
      );
      await recordEntries(database, db, { entries, steps: [] }, now);
      const changes = mails.map(({ userId, maskId }) => ({
        userId: userId ?? "",
        resource: "masks",
        resourceId: maskId,
        action: "updated",
      }));
      await appendEvents(database, db, changes, now);
    }),
  );
  const leased = await timed("lease", () => leaseDueMails(database, { count: 100, lease, now }));
  if (leased.length !== group) throw new Error(`${leased.length} mails were leased instead of ${group}`);
  await timed("finish a group", () =>
    database.transaction(async (db) => {
      const answered = leased.map((mail) => ({ mail, lease, answer: "250 2.0.0 OK" }));
      await finishMails(database, db, "delivered", answered, now);
      const steps = leased.map(({ id, userId, logId }) => ({
        entryId: logId ?? "",
        userId: userId ?? "",
        copyId: id,
        state: "delivered" as const,
        detail: null,
      }));
      await recordSteps(database, db, steps, now);
    }),
  );
};

/** Measures two databases in turn, so that what else the machine does meets both. Their first rounds do not count. */
export const measureInTurn = async (
  lived: Database,
  empty: Database,
  now: number,
): Promise<readonly [Times, Times]> => {
  const newTimes = (): Times => ({ route: [], "store a group": [], lease: [], "finish a group": [] });
  const owners = [await ownersOf(lived), await ownersOf(empty)];
  const measured: [Times, Times] = [newTimes(), newTimes()];
  for (const { db } of [lived, empty])
    await db
      .insertInto("lease_holders")
      .values({ id: lease, beat: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  for (let round = 0; round < rounds + unmeasured; round += 1) {
    // As autovacuum does: PostgreSQL plans for the rows that it knows of.
    if (round === unmeasured) for (const { db } of [lived, empty]) await sql`vacuum (analyze)`.execute(db);
    for (const [n, database] of [lived, empty].entries()) {
      const from = (round % rounds) * group;
      const some = owners[n]?.slice(from, from + group) ?? [];
      const times = round < unmeasured ? newTimes() : (measured[n] ?? newTimes());
      await measureRound(database, { owners: some, now, times });
    }
  }
  await sql`truncate queue, bodies, events, log_entries, log_steps`.execute(empty.db);
  return measured;
};

const at = (times: readonly number[], share: number): number =>
  times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) * share)] ?? Number.NaN;

/** Prints medians and 99th percentiles, and how many times those of the empty installation they are. */
export const printSpeed = ([lived, empty]: readonly [Times, Times]): void => {
  const spread = (times: readonly number[]): string =>
    `${at(times, 0.5).toFixed(2)} / ${at(times, 0.99).toFixed(2)} ms`;
  console.log(
    `  ${"median / 99th percentile".padEnd(28)}${["lived", "empty", "ratio"].map((one) => one.padStart(20)).join("")}`,
  );
  for (const operation of operations) {
    const ours = lived[operation];
    const other = empty[operation];
    const ratio = [0.5, 0.99].map((share) => (at(ours, share) / at(other, share)).toFixed(2)).join(" / ");
    console.log(
      `  ${operation.padEnd(28)}${[spread(ours), spread(other), ratio].map((one) => one.padStart(20)).join("")}`,
    );
  }
};
