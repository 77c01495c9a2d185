import { expect } from "chai";
import { sql } from "kysely";
import { VirtualTimeScheduler } from "rxjs";
import { minuteMs } from "../../../../core/kernel/durations.ts";
import { createServerFeatures } from "../../../../server/app/features.ts";
import { pruneJobsOf } from "../../../../server/app/pruneJobs.ts";
import type { Database } from "../../../../server/platform/store/database.ts";
import { SharedTasks, type Task } from "../../../../server/platform/store/sharedTasks.ts";
import { beatIntervalMs } from "../../../../server/platform/store/signsOfLife.ts";
import { usePostgresql, useSqlite } from "../../support/databases.ts";
import { createTestContext } from "../../support/serverContext.ts";
import { until } from "../../support/until.ts";

const everyMs = 10 * minuteMs;

/** Work that ends when the test says so. */
const createLongWork = () => {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => ended, end: () => end() };
};

describe("The tasks of processes on one PostgreSQL", () => {
  const { database, another } = usePostgresql();
  /** The clock of the database. */
  let now: number;
  let scheduler: VirtualTimeScheduler;
  let ran: string[];
  beforeEach(() => {
    now = 1_700_000_000_000;
    scheduler = new VirtualTimeScheduler();
    ran = [];
  });

  const processOn = (store: Database): SharedTasks =>
    new SharedTasks(store, { scheduler }, () => sql<number>`cast(${now} as bigint)`);
  const task = (name: string, run: Task["run"] = async () => {}): Task => ({
    name,
    everyMs,
    run: async () => {
      ran.push(name);
      await run();
    },
  });
  const holderOf = async (name: string): Promise<string | null | undefined> =>
    (await database().db.selectFrom("tasks").where("name", "=", name).select("holder").executeTakeFirst())
      ?.holder;

  it("are shared: each runs once, whoever of two that come together takes it", async () => {
    const names = Array.from({ length: 20 }, (_, n) => `task ${n}`);
    const by: string[][] = [[], []];
    const stores = [database(), await another()];
    const shares = stores.map((store, n) => {
      const tasks = names.map((name) => task(name, async () => void by[n]?.push(name)));
      return processOn(store).runAll(tasks);
    });
    await Promise.all(shares);
    expect(ran.toSorted()).to.deep.equal(names.toSorted());
    expect(by.every((share) => share.length > 0)).to.equal(true);
  });

  it("run in one process at a time, and in no other until half of their interval has passed", async () => {
    const [here, there] = [processOn(database()), processOn(await another())];
    await here.run(
      task("one", async () => {
        await there.run(task("one"));
        await there.run(task("another"));
      }),
    );
    expect(ran).to.deep.equal(["one", "another"]);
    now += everyMs / 2 - 1;
    await there.run(task("one"));
    expect(ran).to.have.length(2);
    now += 1;
    await there.run(task("one"));
    expect(ran).to.deep.equal(["one", "another", "one"]);
  });

  it("are taken over 40 s after their process was killed, and not while it renews its claim", async () => {
    const { run, end } = createLongWork();
    const running = processOn(database()).run(task("long", run));
    await until("it is claimed", async () => typeof (await holderOf("long")) === "string");
    const other = processOn(await another());
    const held = () => database().db.selectFrom("tasks").select("held_until").executeTakeFirstOrThrow();
    for (let renewals = 0; renewals < 6; renewals += 1) {
      now += beatIntervalMs;
      scheduler.maxFrames = scheduler.frame + beatIntervalMs;
      scheduler.flush();
      await until("it is renewed", async () => (await held()).held_until === now + 40_000);
      await other.run(task("long"));
    }
    expect(ran).to.deep.equal(["long"]);

    now += 40_000 - 1;
    await other.run(task("long"));
    expect(ran).to.have.length(1);
    now += 1;
    await other.run(task("long"));
    expect(ran).to.have.length(2);

    // Whoever has lost its claim ends nothing of the one after it.
    const finished = await database().db.selectFrom("tasks").selectAll().executeTakeFirstOrThrow();
    now += 1;
    end();
    await running;
    expect(await database().db.selectFrom("tasks").selectAll().executeTakeFirstOrThrow()).to.deep.equal(
      finished,
    );
  });

  it("are left to a process of an earlier version, which claims them for a minute", async () => {
    const process = processOn(database());
    await process.run(task("one"));
    now += everyMs;
    await database()
      .db.updateTable("tasks")
      .set({ holder: "earlier", held_until: now + minuteMs })
      .execute();
    await process.run(task("one"));
    expect(ran).to.deep.equal(["one"]);
    expect(await holderOf("one")).to.equal("earlier");
  });

  it("that fail are due at once for the next process, and keep no other from running", async () => {
    const failing = task("failing", () => Promise.reject(new Error("no room")));
    const rejected = await processOn(database())
      .runAll([failing, task("fine")])
      .then(
        () => "",
        (error: unknown) => String(error),
      );
    expect(rejected).to.contain("no room");
    expect(ran).to.deep.equal(["failing", "fine"]);
    await processOn(await another()).runAll([task("failing"), task("fine")]);
    expect(ran).to.deep.equal(["failing", "fine", "failing"]);
  });

  it("go on when the clock of the database is set back or ahead", async () => {
    const process = processOn(database());
    for (const change of [0, -3_600_000, 86_400_000, -86_400_000 * 400]) {
      now += change;
      await process.run(task("one"));
    }
    expect(ran).to.have.length(4);
    const { run, end } = createLongWork();
    now += everyMs;
    const running = process.run(task("one", run));
    await until("it is claimed", async () => typeof (await holderOf("one")) === "string");
    now -= 86_400_000;
    await processOn(await another()).run(task("one"));
    expect(ran).to.have.length(6);
    end();
    await running;
  });
});

describe("The tasks of the process on SQLite", () => {
  const { database } = useSqlite();

  it("run whenever they are asked for", async () => {
    let runs = 0;
    const run = async (): Promise<void> => {
      runs += 1;
    };
    const tasks = new SharedTasks(database(), { scheduler: new VirtualTimeScheduler() });
    for (const _ of [1, 2, 3]) await tasks.run({ name: "one", everyMs, run });
    expect(runs).to.equal(3);
  });

  it("of housekeeping have names of their own, so that none is taken for another", async () => {
    const { all } = await createServerFeatures(createTestContext({ database: database() }));
    const jobs = pruneJobsOf(all);
    const names = jobs.map(({ name }) => name);
    expect(new Set(names).size).to.equal(names.length);
    expect(names.length).to.be.greaterThan(20);
  });
});
