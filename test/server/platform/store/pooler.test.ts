import { expect } from "chai";
import { VirtualTimeScheduler } from "rxjs";
import { cryptoRandom, systemClock } from "../../../../adapters/system/clockAndRandom.ts";
import type { Clock } from "../../../../core/ports/clock.ts";
import { type Database, openDatabase } from "../../../../server/platform/store/database.ts";
import { EventFeed } from "../../../../server/platform/store/eventFeed.ts";
import { appendEvent } from "../../../../server/platform/store/events.ts";
import { type PostgresqlOptions, postgresqlEngine } from "../../../../server/platform/store/postgresql.ts";
import { skipWithout } from "../../../support/missing.ts";
import { hasPgbouncer, type Pooler, startPgbouncer } from "../../../support/pgbouncer.ts";
import { bystander } from "../../support/bystander.ts";
import {
  hasPostgresql,
  newEmptyPostgresqlDatabase,
  newPostgresqlDatabase,
  runStatement,
} from "../../support/postgresql.ts";
import { createTestClock } from "../../support/testClock.ts";
import { until } from "../../support/until.ts";

/** Fewer than a process opens, so that transactions change places. */
const serverConnections = 3;

const standing = (): Clock => createTestClock(new VirtualTimeScheduler());

describe("A PostgreSQL", () => {
  let ends: (() => unknown)[] = [];
  let reported: string[] = [];

  before(function () {
    if (!hasPostgresql()) skipWithout(this, "PostgreSQL");
  });
  beforeEach(() => {
    ends = [];
    reported = [];
  });
  afterEach(async () => {
    for (const end of ends.reverse()) await end();
  });

  const open = async (url: string, options: PostgresqlOptions = {}): Promise<Database> => {
    const deps = { clock: systemClock, random: cryptoRandom, report: (line: string) => reported.push(line) };
    const database = await openDatabase(postgresqlEngine(url, deps, options));
    ends.push(database.close);
    return database;
  };

  /** Follows a user in one process; returns what it has heard, once it has begun. */
  const follow = async (database: Database, clock: Clock = createTestClock()): Promise<readonly string[]> => {
    const feed = new EventFeed(database, clock);
    const heard: string[] = [];
    feed.changes$.subscribe(({ resourceId }) => heard.push(resourceId ?? ""));
    feed.follow("ada");
    ends.push(feed.start());
    await feed.catchUp();
    return heard;
  };

  /** Changes something of the user in a process that follows nobody, and announces it. */
  const change = async (database: Database, resourceId: string): Promise<void> => {
    const ofAda = {
      userId: "ada",
      resource: "masks",
      resourceId,
      action: "updated",
      clientId: null,
    } as const;
    await database.transaction((db) => appendEvent(db, ofAda, systemClock.now()));
    new EventFeed(database, standing()).wake();
  };

  const listeners = async (url: string): Promise<number> =>
    (
      await runStatement(
        url,
        "select 1 from pg_stat_activity where query like 'listen%' and datname = current_database()",
      )
    ).length;

  describe("behind PgBouncer in transaction mode", () => {
    let direct: string;
    let pooler: Pooler;

    before(function () {
      if (!hasPgbouncer()) skipWithout(this, "PgBouncer");
    });
    beforeEach(async () => {
      direct = await newPostgresqlDatabase();
      pooler = await startPgbouncer(direct, serverConnections);
      ends.push(pooler.stop);
    });

    it("answers every read right, and tells the operator once that no prepared statements are kept", async () => {
      const processes = await Promise.all([1, 2, 3].map(() => open(pooler.url)));
      const ask = async ({ engine }: Database, n: number): Promise<void> => {
        const text = `select $1::int * 1000 + ${n % 40} as answer`;
        const [row] = await engine.read<{ answer: number }>(text, [n]);
        expect(row?.answer).to.equal(n * 1000 + (n % 40));
      };
      const change = ({ transaction }: Database): Promise<unknown> =>
        transaction((db) => db.selectFrom("users").where("id", "!=", bystander.id).select("id").execute());
      const asked = Array.from({ length: 300 }, (_, n) => processes.map((one) => ask(one, n)));
      const changed = Array.from({ length: 60 }, () => processes.map(change));
      await Promise.all([...asked, ...changed].flat());
      const lines = reported.filter((line) => line.includes("prepared statements"));
      expect(lines.length).to.be.within(1, processes.length);
    });

    it("passes changes on at once where the server itself is named", async () => {
      const heard = await follow(await open(pooler.url, { directUrl: direct }), standing());
      await until("it listens", async () => (await listeners(direct)) > 0);
      const other = await open(pooler.url, { directUrl: direct });
      await until("it was told", async () => {
        await change(other, "mask");
        return heard.includes("mask");
      });
      expect(reported.filter((line) => line.includes("NOTIFY"))).to.deep.equal([]);
    });

    it("passes changes on twice a second where it is not, and tells the operator once", async () => {
      const heard = await follow(await open(pooler.url));
      await change(await open(pooler.url), "mask");
      await until("it was told", () => heard.includes("mask"));
      await until("the operator was told", () => reported.some((line) => line.includes("NOTIFY")));
      expect(reported.filter((line) => line.includes("NOTIFY"))).to.have.lengthOf(1);
    });

    it("is made by the server itself where that is named", async () => {
      const empty = await newEmptyPostgresqlDatabase();
      const before = await startPgbouncer(empty, serverConnections);
      ends.push(before.stop);
      const database = await open(before.url, { directUrl: empty });
      expect(
        await database.db.selectFrom("users").where("id", "!=", bystander.id).select("id").execute(),
      ).to.deep.equal([]);
    });
  });

  describe("without NOTIFY", () => {
    it("passes changes on twice a second, those of the same process at once, and nobody listens", async () => {
      const url = await newPostgresqlDatabase();
      const own = await open(url, { notifies: false });
      const heard = await follow(own, standing());
      const polling = await follow(await open(url, { notifies: false }));
      await change(own, "mask");
      await until("the other process was told", () => polling.includes("mask"));
      const feed = new EventFeed(own, standing());
      ends.push(feed.start());
      feed.wake();
      await change(own, "again");
      await until("the same process was told at once", () => heard.includes("again"));
      expect(await listeners(url)).to.equal(0);
    });
  });
});
