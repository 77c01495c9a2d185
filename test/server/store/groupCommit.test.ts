import { setImmediate as turn } from "node:timers/promises";
import { expect } from "chai";
import { createGroupCommit } from "../../../server/store/groupCommit.ts";

const sized = (items: number, weight: number) => ({ items, weight, weightOf: (item: number) => item });

describe("A group commit", () => {
  it("takes what comes while one is under way together into the next, and answers each for itself", async () => {
    const groups: (readonly number[])[] = [];
    const group = createGroupCommit(
      async (items: readonly number[]) => {
        groups.push(items);
        await turn();
        return items.map((item) => item * 10);
      },
      sized(100, 1_000),
    );
    const first = group.submit(1);
    await turn();
    await turn();
    const rest = Promise.all([group.submit(2), group.submit(3), group.submit(4)]);
    expect(await first).to.equal(10);
    expect(await rest).to.deep.equal([20, 30, 40]);
    expect(groups).to.deep.equal([[1], [2, 3, 4]]);
    expect(group.commits()).to.equal(2);
  });

  it("takes no more than its size at a time, but one that is larger alone", async () => {
    const groups: (readonly number[])[] = [];
    const group = createGroupCommit(
      async (items: readonly number[]) => {
        groups.push(items);
        return items;
      },
      sized(3, 10),
    );
    await Promise.all([1, 1, 1, 1, 5, 5, 50, 2].map((item) => group.submit(item)));
    expect(groups).to.deep.equal([[1, 1, 1], [1, 5], [5], [50], [2]]);
  });

  it("fails those who were in a commit that failed, and goes on with the others", async () => {
    const group = createGroupCommit(
      async (items: readonly number[]) => {
        if (items.includes(13)) throw new Error("the disk is full");
        return items;
      },
      sized(2, 100),
    );
    const results = await Promise.allSettled([13, 1, 2, 3].map((item) => group.submit(item)));
    expect(results.map(({ status }) => status)).to.deep.equal([
      "rejected",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    await group.whenIdle();
    expect(await group.submit(4)).to.equal(4);
  });

  it("is idle once all was answered", async () => {
    let done = 0;
    const group = createGroupCommit(
      async (items: readonly number[]) => {
        await turn();
        done += items.length;
        return items;
      },
      sized(1, 1),
    );
    for (const item of [1, 2, 3]) group.submit(item).catch(() => {});
    await group.whenIdle();
    expect(done).to.equal(3);
  });
});
