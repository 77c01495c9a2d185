import { expect } from "chai";
import { sql } from "kysely";
import { afterCommit } from "../../../../server/platform/store/afterCommit.ts";
import type { Database, Db } from "../../../../server/platform/store/database.ts";
import { GroupCommit } from "../../../../server/platform/store/groupCommit.ts";
import { bystander } from "../../support/bystander.ts";
import { usePostgresql } from "../../support/databases.ts";
import { addOwner } from "../../support/owners.ts";

/** Resolves both promises when both are waited for. */
const createMeeting = () => {
  let arrived = 0;
  let open = (): void => {};
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  return async (): Promise<void> => {
    arrived += 1;
    if (arrived === 2) open();
    await all;
  };
};

describe("Transactions of two processes on PostgreSQL that conflict", () => {
  const { database, another } = usePostgresql();
  let other: Database;
  let ids: readonly [string, string];

  beforeEach(async () => {
    other = await another();
    ids = [(await addOwner(database().db)).id, (await addOwner(database().db)).id];
  });

  const count = (db: Db, id: string): Promise<unknown> =>
    db
      .updateTable("users")
      .set((eb) => ({ mask_count: eb("mask_count", "+", 1) }))
      .where("id", "=", id)
      .execute();
  const counts = async (): Promise<readonly number[]> => {
    const rows = await database()
      .db.selectFrom("users")
      .where("id", "!=", bystander.id)
      .select(["id", "mask_count"])
      .execute();
    return ids.map((id) => rows.find((row) => row.id === id)?.mask_count ?? -1);
  };
  /** Counts one user and then the other, in opposite orders in the two processes. */
  const inOrder = (meet: () => Promise<void>, order: readonly string[], runs: { number: number }) => {
    return async (db: Db): Promise<void> => {
      runs.number += 1;
      const [first = "", second = ""] = order;
      await count(db, first);
      await meet();
      await count(db, second);
    };
  };

  it("are both stored after a deadlock, each once", async () => {
    const meet = createMeeting();
    const runs = { number: 0 };
    const [one, two] = ids;
    await Promise.all([
      database().transaction(inOrder(meet, [one, two], runs)),
      other.transaction(inOrder(meet, [two, one], runs)),
    ]);
    expect(await counts()).to.deep.equal([2, 2]);
    expect(runs.number).to.be.at.least(3);
  });

  it("are both stored after a serialization failure, each once", async () => {
    const meet = createMeeting();
    const runs = { number: 0 };
    const [one] = ids;
    const work = async (db: Db): Promise<void> => {
      runs.number += 1;
      await sql`set transaction isolation level repeatable read`.execute(db);
      await db.selectFrom("users").select("mask_count").where("id", "=", one).execute();
      await meet();
      await count(db, one);
    };
    await Promise.all([database().transaction(work), other.transaction(work)]);
    expect((await counts())[0]).to.equal(2);
    expect(runs.number).to.equal(3);
  });

  it("are both stored after a deadlock of group commits, without dividing the groups", async () => {
    const meet = createMeeting();
    const runs = { number: 0 };
    const [one, two] = ids;
    const groups: number[] = [];
    const submitOn = (on: Database, order: readonly string[]) =>
      new GroupCommit(on, { items: 10, weight: 10 }).kind(
        async (db, items: readonly string[]) => {
          groups.push(items.length);
          await inOrder(meet, order, runs)(db);
          return items;
        },
        { weightOf: () => 1 },
      );
    const [submit, submitOther] = [submitOn(database(), [one, two]), submitOn(other, [two, one])];
    const results = Promise.all([submit("a"), submit("b"), submitOther("c"), submitOther("d")]);
    expect(await results).to.deep.equal(["a", "b", "c", "d"]);
    // On a busy machine the repeated one may meet the other once more.
    expect(groups.length).to.be.at.least(3);
    expect(groups.every((items) => items === 2)).to.equal(true);
    expect(await counts()).to.deep.equal([2, 2]);
  });

  it("fail with the conflict after six attempts", async () => {
    let attempts = 0;
    const conflict = database().transaction(async (db) => {
      attempts += 1;
      await count(db, ids[0]);
      await sql`do $$ begin raise exception 'a conflict' using errcode = '40001'; end $$`.execute(db);
    });
    const error = await conflict.catch((reason: unknown) => reason);
    expect(error).to.have.property("code", "40001");
    expect(attempts).to.equal(6);
    expect(await counts()).to.deep.equal([0, 0]);
  });

  it("run what they ask for after the commit once, however often they are repeated", async () => {
    let attempts = 0;
    let ran = 0;
    await database().transaction(async (db) => {
      attempts += 1;
      afterCommit(db, () => {
        ran += 1;
      });
      if (attempts < 3)
        await sql`do $$ begin raise exception 'a conflict' using errcode = '40001'; end $$`.execute(db);
    });
    expect([attempts, ran]).to.deep.equal([3, 1]);
  });

  it("run no more than once after another failure", async () => {
    let attempts = 0;
    const failure = database().transaction(async (db) => {
      attempts += 1;
      await count(db, ids[0]);
      throw new Error("something else");
    });
    expect(await failure.catch((reason: unknown) => String(reason))).to.equal("Error: something else");
    expect(attempts).to.equal(1);
  });
});
