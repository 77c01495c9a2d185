import { loadavg } from "node:os";
import { sql } from "kysely";
import { cryptoRandom } from "../../adapters/system/clockAndRandom.ts";
import { dayOf } from "../../core/kernel/calendarDay.ts";
import { dayMs, hourMs, minuteMs } from "../../core/kernel/durations.ts";
import { makeQueueDays, pruneFinishedMails } from "../../server/delivery/queue/finishedMails.ts";
import { deleteUnusedBodies } from "../../server/delivery/queue/queueBodies.ts";
import { monthOf } from "../../server/delivery/usageQueries.ts";
import { countNewMails, recordNewMails } from "../../server/features/insights/newMails.ts";
import { deleteExpiredFigures } from "../../server/features/insights/retention.ts";
import { seedAccounts } from "../../server/features/operator/seed.ts";
import { type Database, openDatabase } from "../../server/platform/store/database.ts";
import { firstQueueIdAt } from "../../server/platform/store/id.ts";
import { pruneEvents } from "../../server/platform/store/oldEvents.ts";
import { connectPostgresql, databaseUrl, runStatement } from "../../test/server/support/postgresql.ts";
import { pruneAll } from "../../test/server/support/serverContext.ts";
import { postgresqlPrograms, startPostgresqlIn } from "../../test/support/postgresqlServer.ts";
import { measureInTurn, printSpeed } from "./speed.ts";
import { printSizes } from "./tableSizes.ts";

/**
 * YEAR_DAYS makes it shorter. YEAR_MAILS changes the finished mails of a day; 100,000 are a hundredth of those of a million
 * users.
 */
const days = Number(process.env["YEAR_DAYS"] ?? 365);
const mailsADay = Number(process.env["YEAR_MAILS"] ?? 20_000);
const users = 2_000;
const masksEach = 10;
/** Mails of a day that are counted as the server does; the other counters are written by SQL. */
const countedADay = 40;
const reportEachDays = 30;
/** When the speed is measured: after the first report, in the middle and at the end. */
const measuredDays = [reportEachDays, 6 * reportEachDays, days];
const finishedRetentionMs = 7 * dayMs;

const seed = async (database: Database, now: number): Promise<void> => {
  await seedAccounts(database, {
    accounts: users,
    masksEach,
    maskDomain: "masks.example",
    tier: "free",
    random: cryptoRandom,
    now,
    onProgress: () => {},
  });
  // Of ten users seven have the plan with a week of history, two that with a month and one that with a year.
  await sql`update users set mail_log = 'address', tier = case
      when n % 10 < 7 then 'free' when n % 10 < 9 then 'basic' else 'pro' end
    from (select id as of, row_number() over (order by id) as n from users) numbered where users.id = of`.execute(
    database.db,
  );
  await sql`create schema bench`.execute(database.db);
  await sql`create table bench.masks as
    select row_number() over (order by masks.id) - 1 as n, masks.id, user_id, tier from masks
    join users on users.id = user_id`.execute(database.db);
  await sql`create unique index on bench.masks (n)`.execute(database.db);
  await sql`analyze`.execute(database.db);
};

/** Writes the mails of a day with what belongs to them: a third of them logged, and the events of the last two hours. */
const addDay = async ({ db }: Database, start: number): Promise<void> => {
  const minutes = Array.from({ length: dayMs / minuteMs }, (_, n) => start + n * minuteMs);
  const each = Math.ceil(mailsADay / minutes.length);
  const moments = sql`unnest(${minutes}::bigint[], ${minutes.map(firstQueueIdAt)}::text[]) with ordinality
    as minute (at, prefix, number) cross join generate_series(1, ${each}) as mail (n)
    join bench.masks on masks.n = (minute.number * 7919 + mail.n * 104729 + ${start / dayMs}) % ${users * masksEach}`;
  const id = sql`minute.prefix || lpad(to_hex(mail.n), 4, '0') || substr(md5(minute.prefix || mail.n), 1, 12)`;
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`insert into queue (id, user_id, mask_id, envelope_sender, recipient, size, status, attempts,
        next_attempt_at, leased_until, created_at, finished_at, last_answer, log_id)
      select ${id}, masks.user_id, masks.id, 'shop@shop.example', 'owner@home.example', 75000,
        case when mail.n = 1 and minute.number % 100 = 0 then 'held' when mail.n = 1 then 'failed' else 'delivered' end,
        1, at, 0, at, at + 900, '250 2.0.0 OK', case when mail.n % 3 = 0 then ${id} end from ${moments}`.execute(
      tx,
    );
    await sql`insert into log_entries (id, user_id, mask_id, at, direction, result, detail, sealed)
      select ${id}, masks.user_id, masks.id, at, 'received', 'delivered', '{"from":"shop@shop.example"}', 0
      from ${moments} where mail.n % 3 = 0`.execute(tx);
    await sql`insert into log_steps (entry_id, copy_id, state, at, times, detail, sealed)
      select ${id}, ${id}, 'delivered', at + 900, 1, null, 0 from ${moments} where mail.n % 3 = 0`.execute(
      tx,
    );
    await sql`insert into events (user_id, resource, resource_id, action, created_at)
      select masks.user_id, kind, masks.id, 'updated', at from ${moments} cross join unnest(array['masks', 'log']) as kind
      where at >= ${start + dayMs - 2 * hourMs}`.execute(tx);
    await sql`insert into account_counts (user_id, kind, period, key, n, last_at)
      select user_id, kind, case when kind = 'day' or min(tier) <> 'pro' then ${dayOf(start)} else ${monthOf(start)} end,
        'received', 10, ${start}
      from bench.masks cross join unnest(array['flow', 'day']) as kind
      group by user_id, kind
      on conflict (user_id, kind, period, key) do update set n = account_counts.n + 10`.execute(tx);
  });
};

/** Counts some mails as the server does, with their senders and the newest of each user. */
const countSome = async (database: Database, start: number): Promise<void> => {
  const { rows } = await sql<{ id: string; user_id: string; tier: string }>`
    select id, user_id, tier from bench.masks
    where n in (select (${start / dayMs} * 31 + k * 97) % ${users * masksEach} from generate_series(1, ${countedADay}) k)`.execute(
    database.db,
  );
  const facts = rows.map(({ id: maskId, user_id: userId, tier }) => ({
    userId,
    maskId,
    period: tier === "pro" ? monthOf(start) : dayOf(start),
    flow: ["received", "forwarded"],
    outcome: "forwarded" as const,
    senderDomain: "shop.example",
    category: null,
    tags: [],
    actions: [],
    types: [],
    rules: [],
    threatLevel: null,
    reason: null,
    verdicts: ["spf=pass", "dkim=pass", "dmarc=pass"],
  }));
  await database.transaction((db) => recordNewMails(database, db, facts, start + dayMs - 1));
  await countNewMails(database);
};

/** What the tasks of a server do at a time, but for the retention of figures, which is done once a week here. */
const keepHouse = async (database: Database, now: number): Promise<void> => {
  await makeQueueDays(database, now);
  await pruneFinishedMails(database, now - finishedRetentionMs);
  await deleteUnusedBodies(database.db);
  await pruneEvents(database, now);
  await pruneAll(database, now);
};

const timed = async (
  times: Map<string, number>,
  name: string,
  work: () => Promise<unknown>,
): Promise<void> => {
  const began = performance.now();
  await work();
  times.set(name, (times.get(name) ?? 0) + performance.now() - began);
};

const printTimes = (times: ReadonlyMap<string, number>): void => {
  const load = loadavg().map((one) => one.toFixed(1));
  const texts = Array.from(times, ([name, ms]) => `${name} ${(ms / 1_000).toFixed(1)} s`);
  console.log(`  time since the start: ${texts.join(", ")}; load of the machine ${load.join(" ")}`);
};

/**
 * Lives a year of an installation in virtual time on a throw-away PostgreSQL: finished mails with log, events and counters
 * each day, and the real housekeeping. Every 30 days it prints what the tables take, and three times the speed beside an
 * installation of the same accounts that has had no mail, in turns on the same server.
 */
export const run = async (): Promise<void> => {
  const bin = postgresqlPrograms();
  if (bin === null) return console.log("PostgreSQL is not installed: nothing is measured.");
  const server = await startPostgresqlIn(bin);
  const begin = Date.parse("2026-01-01T00:00:00Z");
  const opened: Database[] = [];
  const open = async (name: string): Promise<Database> => {
    const database = await openDatabase(connectPostgresql(databaseUrl(server.url, name)));
    opened.push(database);
    return database;
  };
  try {
    await runStatement(server.url, "create database seeded");
    const seeded = await openDatabase(connectPostgresql(databaseUrl(server.url, "seeded")));
    await seed(seeded, begin);
    await seeded.close();
    for (const name of ["lived", "empty"])
      await runStatement(server.url, `create database ${name} template seeded`);
    const lived = await open("lived");
    const empty = await open("empty");
    console.log(
      `${days} days of ${mailsADay.toLocaleString("en-US")} mails, ${users.toLocaleString("en-US")} accounts`,
    );
    const times = new Map<string, number>();
    await keepHouse(lived, begin);
    for (let day = 1; day <= days; day += 1) {
      const start = begin + (day - 1) * dayMs;
      const end = start + dayMs;
      // The task of the events runs every ten minutes; what it would have dropped meanwhile is not written.
      await timed(times, "housekeeping", () => pruneEvents(lived, end - 2 * hourMs));
      await timed(times, "writing mails", () => addDay(lived, start));
      await timed(times, "counting", () => countSome(lived, start));
      await timed(times, "housekeeping", () => keepHouse(lived, end + minuteMs));
      if (day % 7 === 0) {
        await timed(times, "housekeeping", () => deleteExpiredFigures(lived, end + minuteMs));
        await timed(times, "vacuum", () => sql`vacuum (analyze)`.execute(lived.db));
      }
      if (day % reportEachDays !== 0 && day !== days) continue;
      console.log(`\nafter ${day} days`);
      await printSizes(lived.db);
      printTimes(times);
      if (!measuredDays.includes(day)) continue;
      await keepHouse(empty, end + minuteMs);
      await timed(times, "measuring", async () =>
        printSpeed(await measureInTurn(lived, empty, end + 2 * minuteMs)),
      );
    }
  } finally {
    for (const database of opened) await database.close();
    await server.stop();
  }
};
