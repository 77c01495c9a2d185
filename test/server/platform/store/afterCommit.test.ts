import { expect } from "chai";
import { afterCommit } from "../../../../server/platform/store/afterCommit.ts";
import { onEachDatabase } from "../../support/databases.ts";

describe("What a transaction asks for after its commit", () => {
  onEachDatabase(({ database }) => {
    it("runs once it has committed, and never when it is rolled back", async () => {
      const ran: string[] = [];
      await database().transaction(async (tx) => {
        afterCommit(tx, () => ran.push("after"));
        ran.push("before");
      });
      const refused = database().transaction(async (tx) => {
        afterCommit(tx, () => ran.push("rolled back"));
        throw new Error("refused");
      });
      await refused.catch(() => {});
      expect(ran).to.deep.equal(["before", "after"]);
    });

    it("runs for those of several that commit together", async () => {
      const ran: number[] = [];
      const all = [0, 1, 2, 3, 4, 5].map((n) =>
        database().transaction(async (tx) => {
          afterCommit(tx, () => ran.push(n));
          if (n % 2 === 1) throw new Error("refused");
        }),
      );
      await Promise.allSettled(all);
      expect(ran).to.have.members([0, 2, 4]);
    });
  });
});
