import { expect } from "chai";
import { VirtualTimeScheduler } from "rxjs";
import type { Clock } from "../../../../core/ports/clock.ts";
import type { Database } from "../../../../server/platform/store/database.ts";
import {
  appendEvent,
  type ChangeEvent,
  createEventFeed,
  type EventFeed,
} from "../../../../server/platform/store/events.ts";
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

    const follow = async (
      on: Database,
      time: Clock = clock,
    ): Promise<{ readonly received: ChangeEvent[]; readonly feed: EventFeed }> => {
      const feed = createEventFeed(on, time);
      const received: ChangeEvent[] = [];
      feed.changes$.subscribe((event) => received.push(event));
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
      const { received, feed } = await follow(database(), createTestClock(new VirtualTimeScheduler()));
      await append(database(), "a");
      feed.wake();
      await until("it was told", () => received.length > 0);
      expect(received).to.deep.equal([change("a")]);
    });

    it("reports within a second or so what another process has committed", async () => {
      const { received } = await follow(database());
      await append(await another(), "b");
      await until("it was told", () => received.length > 0);
      expect(received).to.deep.equal([change("b")]);
    });

    it("reports nothing that was rolled back, and nothing from before its start", async () => {
      await append(database(), "before");
      const { received, feed } = await follow(database());
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
      const { received, feed } = await follow(database());
      const burst = Array.from({ length: 2_500 }, (_, index) => `u${index}`);
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

    it("reports nothing after it was stopped", async () => {
      const { received, feed } = await follow(database());
      for (const end of ends.splice(0)) end();
      const other = await follow(database());
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
      const feed = createEventFeed(database(), clock);
      const received: string[] = [];
      feed.changes$.subscribe(({ userId }) => received.push(userId));
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
  });
});
