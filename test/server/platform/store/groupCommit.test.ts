import { setImmediate as turn } from "node:timers/promises";
import { expect } from "chai";
import type { Database, Db } from "../../../../server/platform/store/database.ts";
import { GroupCommit, NotStored } from "../../../../server/platform/store/groupCommit.ts";

/** A database without storage, whose transactions run their work and then `onCommit`. */
const createDatabase = (onCommit: () => Promise<void> = async () => {}): Pick<Database, "transaction"> => ({
  transaction: async (work) => {
    const result = await work({} as Db);
    await onCommit();
    return result;
  },
});

const recordGroups = () => {
  const groups: (readonly number[])[] = [];
  const commit = async (_db: Db, items: readonly number[]): Promise<readonly number[]> => {
    groups.push(items);
    await turn();
    return items.map((item) => item * 10);
  };
  return { groups, commit };
};

describe("A group commit", () => {
  it("puts the items that arrive during a commit together into the next, and answers each separately", async () => {
    const group = new GroupCommit(createDatabase(), { items: 100, weight: 1_000 });
    const { groups, commit } = recordGroups();
    const submit = group.kind(commit, { weightOf: () => 1 });
    const first = submit(1);
    await turn();
    await turn();
    const rest = Promise.all([submit(2), submit(3), submit(4)]);
    expect(await first).to.equal(10);
    expect(await rest).to.deep.equal([20, 30, 40]);
    expect(groups).to.deep.equal([[1], [2, 3, 4]]);
    expect(group.commits()).to.equal(2);
  });

  it("commits items of all kinds together, one kind after the other", async () => {
    const group = new GroupCommit(createDatabase(), { items: 100, weight: 1_000 });
    const order: string[] = [];
    const kind = (name: string) =>
      group.kind(
        async (_db, items: readonly number[]) => {
          order.push(`${name} ${items.join(" ")}`);
          return items;
        },
        { weightOf: () => 1 },
      );
    const [mails, results] = [kind("mails"), kind("results")];
    expect(await Promise.all([results(1), mails(2), results(3), mails(4)])).to.deep.equal([1, 2, 3, 4]);
    expect(order).to.deep.equal(["mails 2 4", "results 1 3"]);
    expect(group.commits()).to.equal(1);
  });

  it("lets an item that can wait share the commit of the next that cannot, and commits it without one soon", async () => {
    const group = new GroupCommit(createDatabase(), { items: 100, weight: 100 });
    const [mails, results] = [recordGroups(), recordGroups()];
    const submitMail = group.kind(mails.commit, { weightOf: () => 1 });
    const submitResult = group.kind(results.commit, { weightOf: () => 1, canWait: true });
    const result = submitResult(1);
    await turn();
    await turn();
    expect(results.groups).to.deep.equal([]);
    expect(await Promise.all([submitMail(2), result])).to.deep.equal([20, 10]);
    expect(group.commits()).to.equal(1);
    expect(await submitResult(3)).to.equal(30);
    expect(group.commits()).to.equal(2);
  });

  it("takes no more than its size at a time, except for a single larger item", async () => {
    const group = new GroupCommit(createDatabase(), { items: 3, weight: 10 });
    const { groups, commit } = recordGroups();
    const submit = group.kind(commit, { weightOf: (item) => item });
    await Promise.all([1, 1, 1, 1, 5, 5, 50, 2].map((item) => submit(item)));
    expect(groups).to.deep.equal([[1, 1, 1], [1, 5], [5], [50], [2]]);
  });

  it("fails only the item that cannot be stored, and stores the others of its group", async () => {
    const group = new GroupCommit(createDatabase(), { items: 100, weight: 100 });
    const submit = group.kind(
      async (_db, items: readonly number[]) => {
        if (items.includes(13)) throw new Error("no such mask");
        return items;
      },
      { weightOf: () => 1 },
    );
    const results = await Promise.allSettled([1, 13, 2, 3, 4].map((item) => submit(item)));
    expect(results.map(({ status }) => status)).to.deep.equal([
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
      "fulfilled",
    ]);
    await group.whenIdle();
    expect(await submit(5)).to.equal(5);
  });

  it("gives an item that may not be stored the result that says why", async () => {
    const group = new GroupCommit(createDatabase(), { items: 100, weight: 100 });
    const submit = group.kind(
      async (_db, items: readonly number[]) => {
        if (items.includes(13)) throw new NotStored("limit");
        return items.map(() => "stored");
      },
      { weightOf: () => 1 },
    );
    expect(await Promise.all([submit(1), submit(13), submit(2)])).to.deep.equal([
      "stored",
      "limit",
      "stored",
    ]);
  });

  it("does not store again when the commit itself fails, because it may have succeeded", async () => {
    let stored = 0;
    const group = new GroupCommit(
      createDatabase(async () => {
        throw new Error("connection lost");
      }),
      { items: 100, weight: 100 },
    );
    const submit = group.kind(
      async (_db, items: readonly number[]) => {
        stored += items.length;
        return items;
      },
      { weightOf: () => 1 },
    );
    const results = await Promise.allSettled([submit(1), submit(2), submit(3)]);
    expect(results.map(({ status }) => status)).to.deep.equal(["rejected", "rejected", "rejected"]);
    expect(stored).to.equal(3);
  });

  it("is idle once everything is answered", async () => {
    let done = 0;
    const group = new GroupCommit(createDatabase(), { items: 1, weight: 1 });
    const submit = group.kind(
      async (_db, items: readonly number[]) => {
        await turn();
        done += items.length;
        return items;
      },
      { weightOf: () => 1 },
    );
    for (const item of [1, 2, 3]) submit(item).catch(() => {});
    await group.whenIdle();
    expect(done).to.equal(3);
  });
});
