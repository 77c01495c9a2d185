import { expect } from "chai";
import type { RuleAction } from "../../../../core/rules/model/action.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { useListener } from "../../support/listener.ts";
import { addMask, addOwner, type Owner } from "../../support/owners.ts";
import { plainMail as mail } from "../../support/plainMail.ts";
import { addRuledMask } from "../../support/ruledMask.ts";

const refuse: RuleAction = { type: "block", params: { silentBlock: false } };
const drop: RuleAction = { type: "block", params: { silentBlock: true } };

describe("A mail that rules block", () => {
  onEachDatabase(({ database }) => {
    let owner: Owner;
    const relay = useListener(database);
    beforeEach(async () => {
      owner = await addOwner(database().db);
    });

    const send = async (masks: readonly { readonly email: string }[], content = mail): Promise<string> =>
      (await relay.connect()).mail(
        "orders@shop.example",
        masks.map(({ email }) => email),
        content,
      );
    const queued = async () =>
      (
        await database()
          .db.selectFrom("queue")
          .where("user_id", "is distinct from", bystander.id)
          .select("mask_id")
          .execute()
      ).length;
    const usage = () =>
      database()
        .db.selectFrom("monthly_usage")
        .where("user_id", "!=", bystander.id)
        .select(["received", "forwarded", "blocked", "announced"])
        .executeTakeFirst();

    it("is refused with 550 5.7.1 when every recipient's rules refuse it, and counted", async () => {
      const masks = [
        await addRuledMask(database().db, owner, refuse),
        await addRuledMask(database().db, owner, refuse),
      ];
      expect(await send(masks)).to.match(/^550 5\.7\.1 /);
      expect(await queued()).to.equal(0);
      const counted = await database()
        .db.selectFrom("mask_statistics")
        .where("user_id", "!=", bystander.id)
        .select(["total_received", "total_forwarded", "spam_blocked"])
        .execute();
      const once = { total_received: 1, total_forwarded: 0, spam_blocked: 1 };
      expect(counted).to.deep.equal([once, once]);
    });

    it("is dropped after a 250 where a rule blocks silently", async () => {
      expect(await send([await addRuledMask(database().db, owner, drop)])).to.match(/^250/);
      expect(await queued()).to.equal(0);
    });

    it("is accepted where one recipient accepts it, and counted as blocked for the others", async () => {
      const masks = [
        await addRuledMask(database().db, owner, refuse),
        await addMask(database().db, owner),
        await addRuledMask(database().db, owner, drop),
      ];
      expect(await send(masks)).to.match(/^250/);
      const rows = await database()
        .db.selectFrom("queue")
        .where("user_id", "is distinct from", bystander.id)
        .select("mask_id")
        .execute();
      expect(rows).to.deep.equal([{ mask_id: masks[1]?.id }]);
      expect(await usage()).to.deep.equal({ received: 1, forwarded: 1, blocked: 2, announced: 0 });
    });

    it("is accepted where the postmaster is a recipient, too", async () => {
      const masks = [await addRuledMask(database().db, owner, refuse), { email: "postmaster@masks.example" }];
      expect(await send(masks)).to.match(/^250/);
    });

    it("does not count against the plan: of 120 mails to a blocking mask none counts against the 100", async () => {
      const blocking = await addRuledMask(database().db, owner, drop);
      const client = await relay.connect();
      for (let n = 0; n < 120; n += 1)
        expect(await client.mail("orders@shop.example", [blocking.email], mail)).to.match(/^250/);
      expect(await usage()).to.deep.equal({ received: 0, forwarded: 0, blocked: 120, announced: 0 });
      expect(await send([await addMask(database().db, owner)])).to.match(/^250/);
      expect(await usage()).to.deep.include({ received: 1 });
    });

    it("causes no notification, no tag and no automatic answer", async () => {
      const tell: RuleAction = { type: "notify", params: { message: "" } };
      await send([await addRuledMask(database().db, owner, tell, drop)]);
      expect(
        await database()
          .db.selectFrom("notifications")
          .where("user_id", "!=", bystander.id)
          .selectAll()
          .execute(),
      ).to.deep.equal([]);
    });
  });
});
