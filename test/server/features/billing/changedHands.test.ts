import { expect } from "chai";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import {
  ensureCustomer,
  savePaidPlan,
  setCustomerUser,
} from "../../../../server/features/billing/customerQueries.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { addOwner } from "../../support/owners.ts";

const plan = { subscriptionId: "sub_1", tier: "pro", status: "active", endsAt: null };

describe("A customer who gets another account while the provider is asked", () => {
  onEachDatabase(({ database }) => {
    for (const was of ["another account", "none"])
      it(`after ${was} keeps the plan: the answer is stored for nobody and asked for again`, async () => {
        const { db } = database();
        const [first, second] = [await addOwner(db), await addOwner(db)];
        const payer = { emailKey: mailboxKey("payer@example.org"), userId: was === "none" ? null : first.id };
        const before = await ensureCustomer(db, payer, { id: "customer", now: 1 });
        await setCustomerUser(db, payer.emailKey, second.id);
        expect(await savePaidPlan(db, before, 1, plan)).to.equal("changed");
        const now = await ensureCustomer(db, { ...payer, userId: second.id }, { id: "unused", now: 1 });
        expect({ user: now.user_id, tier: now.tier, known: Number(now.known) }).to.deep.equal({
          user: second.id,
          tier: null,
          known: 0,
        });
        expect(await savePaidPlan(db, now, 1, plan)).to.equal("written");
        expect(await savePaidPlan(db, now, 1, plan), "an answer that came before").to.equal("older");
      });
  });
});
