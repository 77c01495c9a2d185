import { expect } from "chai";
import { sql } from "kysely";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { createLeaseHolders, type LeaseHolders } from "../../../../server/delivery/queue/leaseHolders.ts";
import { enqueue, leaseDueMails } from "../../../../server/delivery/queue/queueQueries.ts";
import type { Database } from "../../../../server/platform/store/database.ts";
import { beatIntervalMs } from "../../../../server/platform/store/signsOfLife.ts";
import { usePostgresql } from "../../support/databases.ts";

const content = Buffer.from("Subject: Hello\r\n\r\n");
const mail = { userId: null, maskId: null, envelopeSender: "", recipient: "a@b.example", content };

describe("The leases of processes on one PostgreSQL", () => {
  const { database, another } = usePostgresql();
  /** The clock of the database. */
  let now: number;
  beforeEach(() => {
    now = 1_700_000_000_000;
  });

  /** A process that forgets everything whenever it gives a sign of life, as if it started anew each time. */
  const processOn = (store: Database, id: string): LeaseHolders => {
    const fresh = () => createLeaseHolders(store, id, sql<number>`cast(${now} as bigint)`);
    return {
      enter: () => fresh().enter(),
      beat: () => fresh().beat(),
      touch: () => fresh().touch(),
      leave: () => fresh().leave(),
    };
  };
  const leaseOneAs = async (id: string): Promise<void> => {
    await enqueue(database().db, mail, { now: 1_000, random: cryptoRandom });
    expect(await takenBy(id)).to.equal(1);
  };
  const takenBy = async (id: string): Promise<number> =>
    (await leaseDueMails(database(), { count: 10, lease: id, now: 2_000 })).length;

  it("end 40 to 50 seconds after a process is killed, however often others start anew", async () => {
    for (const restartEachMs of [5_000, 15_000, 40_000]) {
      const dead = `dead ${restartEachMs}`;
      await processOn(database(), dead).enter();
      await leaseOneAs(dead);
      const killedAt = now;
      let taken = 0;
      for (let runs = 0; taken === 0; runs += 1) {
        const id = `run ${runs} of ${restartEachMs}`;
        const run = processOn(await another(), id);
        await run.enter();
        for (let age = 0; age < restartEachMs && taken === 0; age += 5_000) {
          if (age > 0 && age % beatIntervalMs === 0) await run.beat();
          taken = await takenBy(id);
          if (taken === 0) now += 5_000;
        }
      }
      expect(now - killedAt, `restarts each ${restartEachMs} ms`).to.be.within(40_000, 50_000);
    }
  });

  it("last while the process gives signs of life, also one of the version before", async () => {
    const watching = processOn(await another(), "watching");
    await watching.enter();
    await database().db.insertInto("lease_holders").values({ id: "earlier", beat: 0 }).execute();
    await leaseOneAs("earlier");
    for (let beats = 0; beats < 12; beats += 1) {
      now += beatIntervalMs;
      await sql`update lease_holders set beat = beat + 1 where id = ${"earlier"}`.execute(database().db);
      await watching.beat();
      expect(await takenBy("watching")).to.equal(0);
    }
  });

  it("outlast an outage of the database and a change of its clock", async () => {
    const [living, watching] = [processOn(database(), "living"), processOn(await another(), "watching")];
    await living.enter();
    await watching.enter();
    await leaseOneAs("living");
    for (const change of [600_000, -3_600_000, 86_400_000]) {
      now += change;
      await watching.beat();
      expect(await takenBy("watching"), `a change of ${change} ms`).to.equal(0);
      await living.beat();
    }
    for (let beats = 0; beats < 4; beats += 1) {
      expect(await takenBy("watching"), `after ${beats} missed beats`).to.equal(0);
      now += beatIntervalMs;
      await watching.beat();
    }
    expect(await takenBy("watching")).to.equal(1);
  });
});
