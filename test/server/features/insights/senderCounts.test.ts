import { expect } from "chai";
import { addCounts } from "../../../../server/features/insights/countQueries.ts";
import { pruneSenderCounts } from "../../../../server/features/insights/retention.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { addMask, addOwner } from "../../support/owners.ts";

describe("The senders that figures keep", () => {
  onEachDatabase(({ database }) => {
    it("are those of an account that have written last, however many domains mail names", async () => {
      const { db, engine } = database();
      const owner = await addOwner(db, "self_hosted");
      const other = await addOwner(db, "self_hosted");
      const mask = await addMask(db, owner);
      const ofAda = { userId: owner.id, period: "2026-11", n: 1 };
      const senders = Array.from({ length: 12 }, (_, n) => ({ key: `d${n}.example`, lastAt: n }));
      await addCounts(
        db,
        engine,
        [
          ...senders.flatMap((sender) =>
            [null, mask.id].map((maskId) => ({ ...ofAda, ...sender, maskId, kind: "sender" as const })),
          ),
          { ...ofAda, maskId: null, kind: "flow", key: "received", lastAt: 0 },
          { ...ofAda, userId: other.id, maskId: null, kind: "sender", key: "d0.example", lastAt: 0 },
        ],
        0,
      );
      await pruneSenderCounts(db, 10);
      const left = async (table: "account_counts" | "mask_counts") =>
        (await db.selectFrom(table).where("user_id", "=", owner.id).select("key").execute())
          .map(({ key }) => key)
          .toSorted();
      const newest = senders.slice(2).map(({ key }) => key);
      expect(await left("account_counts")).to.deep.equal([...newest, "received"].toSorted());
      expect(await left("mask_counts")).to.deep.equal(newest.toSorted());
      const ofOther = await db
        .selectFrom("account_counts")
        .where("user_id", "=", other.id)
        .select("key")
        .execute();
      expect(ofOther).to.have.lengthOf(1);
    });
  });
});
