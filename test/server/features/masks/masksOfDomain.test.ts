import { expect } from "chai";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import { releaseDomainAddresses, trashMasksAt } from "../../../../server/features/masks/masksOfDomain.ts";
import { named } from "../../../support/domainNames.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { addDomain, addMask, addOwner } from "../../support/owners.ts";

describe("The masks of two accounts at one domain", () => {
  onEachDatabase(({ database }) => {
    const addBoth = async () => {
      const { db } = database();
      const [former, owner] = [await addOwner(db), await addOwner(db)];
      await addDomain(db, owner);
      const lost = await addMask(db, former, { email: "Shop@own.example" });
      const kept = await addMask(db, owner, { email: "news@own.example" });
      return { db, former, owner, lost, kept };
    };

    it("go to the trash for the account alone that loses the domain", async () => {
      const { db, former, owner, lost, kept } = await addBoth();
      await db.updateTable("users").where("id", "in", [former.id, owner.id]).set({ mask_count: 1 }).execute();
      expect(await trashMasksAt(db, { userId: former.id, domain: named("own.example") }, 7)).to.equal(1);
      const rows = await db
        .selectFrom("masks")
        .where("id", "in", [lost.id, kept.id])
        .select(["id", "active", "deleted_at"])
        .execute();
      expect(new Map(rows.map(({ id, active, deleted_at }) => [id, [active, deleted_at]]))).to.deep.equal(
        new Map([
          [lost.id, [0, 7]],
          [kept.id, [1, null]],
        ]),
      );
    });

    it("lose their addresses, but for those of the account that has proven the domain", async () => {
      const { db, owner, kept } = await addBoth();
      await releaseDomainAddresses(db, { userId: owner.id, domain: named("own.example") });
      const rows = await db
        .selectFrom("mask_addresses")
        .where("email_key", "like", mailboxKey("%@own.example"))
        .select("mask_id")
        .execute();
      expect(rows.map(({ mask_id }) => mask_id)).to.deep.equal([kept.id]);
    });
  });
});
