import { expect } from "chai";
import type { KyselyPlugin } from "kysely";
import { VirtualTimeScheduler } from "rxjs";
import type { Clock } from "../../../../core/ports/clock.ts";
import type { Database } from "../../../../server/platform/store/database.ts";
import { EventFeed } from "../../../../server/platform/store/eventFeed.ts";
import { appendEvent, type ChangeEvent, everyProcess } from "../../../../server/platform/store/events.ts";
import { onEachDatabase, usePostgresql } from "../../support/databases.ts";
import { createTestClock, type TestClock } from "../../support/testClock.ts";
import { until } from "../../support/until.ts";

const change = (userId: string): ChangeEvent => ({
  userId,
  resource: "masks",
  resourceId: "m",
  action: "updated",
  clientId: null,
});

describe("The feed of changes", () => {
  onEachDatabase(({ database, another }) => {
    let clock: TestClock;
    let ends: (() => void)[];

    beforeEach(() => {
      clock = createTestClock();
      ends = [];
    });
    afterEach(() => {
      for (const end of ends) end();
    });

    const append = (on: Database, userId: string) => appendEvent(on.db, change(userId), clock.now());

    /** Follows users, and one whose first change says that the feed has begun. */
    const follow = async (
      on: Database,
      users: readonly string[] = [],
      time: Clock = clock,
    ): Promise<{ readonly received: ChangeEvent[]; readonly feed: EventFeed }> => {
      const feed = new EventFeed(on, time);
      const received: ChangeEvent[] = [];
      feed.changes$.subscribe((event) => received.push(event));
      for (const userId of ["begin", ...users]) feed.follow(userId);
      ends.push(feed.start());
      await until("it has begun", async () => {
        await append(on, "begin");
        feed.wake();
        return received.length > 0;
      });
      await feed.catchUp();
      received.length = 0;
      return { received, feed };
    };

    it("reports committed changes immediately when it is woken, before its interval ends", async () => {
      const { received, feed } = await follow(database(), ["a"], createTestClock(new VirtualTimeScheduler()));
      await append(database(), "a");
      feed.wake();
      await until("it was told", () => received.length > 0);
      expect(received).to.deep.equal([change("a")]);
    });

    it("reports within a second or so what another process has committed", async () => {
      const { received } = await follow(database(), ["b"]);
      await append(await another(), "b");
      await until("it was told", () => received.length > 0);
      expect(received).to.deep.equal([change("b")]);
    });

    it("reports nothing that was rolled back, and nothing from before its start", async () => {
      await append(database(), "before");
      const { received, feed } = await follow(database(), ["before", "never", "after"]);
      const rolledBack = database().transaction(async (db) => {
        await appendEvent(db, change("never"), clock.now());
        throw new Error("roll back");
      });
      await rolledBack.catch(() => {});
      await append(database(), "after");
      feed.wake();
      await until("it was told", () => received.length > 0);
      expect(received).to.deep.equal([change("after")]);
    });

    it("reports every change once, also in a burst of thousands", async () => {
      const burst = Array.from({ length: 2_500 }, (_, index) => `u${index}`);
      const { received, feed } = await follow(database(), [...burst, "last"]);
      await database().transaction(async (db) => {
        for (const userId of burst) await appendEvent(db, change(userId), clock.now());
      });
      feed.wake();
      feed.wake();
      await until("all were told", () => received.length >= burst.length);
      feed.wake();
      await append(database(), "last");
      feed.wake();
      await until("the last was told", () => received.some(({ userId }) => userId === "last"));
      expect(received.map(({ userId }) => userId)).to.deep.equal([...burst, "last"]);
    });

    it("reports the changes of followed users alone, and those for every process", async () => {
      const { received, feed } = await follow(database(), ["a"]);
      const unfollow = feed.follow("b");
      const unfollowAgain = feed.follow("b");
      const told = async (...users: readonly string[]) => {
        for (const userId of users) await append(database(), userId);
        await feed.catchUp();
        return received.splice(0).map(({ userId }) => userId);
      };
      expect(await told("a", "stranger", everyProcess, "b")).to.deep.equal(["a", everyProcess, "b"]);
      unfollow();
      unfollow();
      expect(await told("b", "a")).to.deep.equal(["b", "a"]);
      unfollowAgain();
      expect(await told("b", "a")).to.deep.equal(["a"]);
    });

    it("reports nothing after it was stopped", async () => {
      const { received, feed } = await follow(database(), ["late"]);
      for (const end of ends.splice(0)) end();
      const other = await follow(database(), ["late"]);
      await append(database(), "late");
      feed.wake();
      other.feed.wake();
      await until("another feed has told it", () => other.received.length > 0);
      await feed.catchUp();
      expect(received).to.deep.equal([]);
    });
  });

  describe("on PostgreSQL, which assigns ids before it commits", () => {
    const { database, another } = usePostgresql();

    it("reports a change that is committed after one that began later", async () => {
      const clock = createTestClock();
      const feed = new EventFeed(database(), clock);
      const received: string[] = [];
      feed.changes$.subscribe(({ userId }) => received.push(userId));
      for (const userId of ["begin", "slow", "quick"]) feed.follow(userId);
      const end = feed.start();
      await until("it has begun", async () => {
        await appendEvent(database().db, change("begin"), clock.now());
        feed.wake();
        return received.length > 0;
      });
      const second = await another();
      await second.transaction(async (db) => {
        await appendEvent(db, change("slow"), clock.now());
        await appendEvent(database().db, change("quick"), clock.now());
        feed.wake();
        await until("the quick one was told", () => received.includes("quick"));
      });
      await until("the slow one was told", () => received.includes("slow"));
      end();
    });

    /** A process with the sockets of one user; it never polls. */
    const startProcess = async (on: Database, userId: string) => {
      const readRows: unknown[] = [];
      const plugin: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          readRows.push(...result.rows.flatMap((row) => row["userId"] ?? []));
          return result;
        },
      };
      const clock = createTestClock(new VirtualTimeScheduler());
      const feed = new EventFeed({ ...on, db: on.db.withPlugin(plugin) }, clock);
      const received: string[] = [];
      feed.changes$.subscribe(({ action }) => received.push(action));
      feed.follow(userId);
      const stop = feed.start();
      await until("it has begun", async () => {
        await record(on, userId, "begin");
        return received.length > 0;
      });
      await feed.catchUp();
      received.length = 0;
      readRows.length = 0;
      return { feed, received, readRows, stop };
    };
    const record = async (on: Database, userId: string, action: string): Promise<void> => {
      await on.transaction((db) => appendEvent(db, { ...change(userId), action }, Date.now()));
      on.engine.channel?.announce();
    };

    it("reads nothing in a process of what concerns the users of another", async () => {
      const other = await another();
      const ann = await startProcess(database(), "ann");
      const bob = await startProcess(other, "bob");
      const actions = Array.from({ length: 40 }, (_, n) => `${n}`);
      for (const action of actions) await record(database(), "bob", action);
      await until("the process of Bob was told", () => bob.received.length === actions.length);
      await record(other, "ann", "last");
      await until("the process of Ann was told", () => ann.received.length > 0);
      expect(bob.received).to.deep.equal(actions);
      expect(ann.received).to.deep.equal(["last"]);
      expect(new Set(ann.readRows)).to.deep.equal(new Set(["ann"]));
      expect(new Set(bob.readRows)).to.deep.equal(new Set(["bob"]));
      for (const { stop } of [ann, bob]) stop();
    });

    it("misses nothing that was announced while a process had lost the connection on which it listens", async () => {
      const other = await another();
      const ann = await startProcess(database(), "ann");
      await other.engine.read(
        "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()",
        [],
      );
      const actions = Array.from({ length: 5 }, (_, n) => `${n}`);
      for (const action of actions) await record(other, "ann", action);
      await until("the process of Ann was told", () => ann.received.length >= actions.length);
      expect(ann.received).to.deep.equal(actions);
      ann.stop();
    });

    it("reports to a user who connects what is committed from then on", async () => {
      const other = await another();
      const ann = await startProcess(database(), "ann");
      ann.feed.follow("carol");
      await record(other, "carol", "first");
      await until("the process was told", () => ann.received.length > 0);
      expect(ann.received).to.deep.equal(["first"]);
      ann.stop();
    });
  });
});
