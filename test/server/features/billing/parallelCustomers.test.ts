import { expect } from "chai";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import { ensureCustomer } from "../../../../server/features/billing/customerQueries.ts";
import { newId } from "../../../../server/platform/store/id.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { addOwner } from "../../support/owners.ts";

describe("The customer of an account", () => {
  onEachDatabase(({ database }) => {
    it("is one, whichever of many parallel requests makes it", async () => {
      const { db } = database();
      for (let round = 0; round < 40; round += 1) {
        const { id } = await addOwner(db);
        const payer = { emailKey: mailboxKey(`payer${round}@example.org`), userId: id };
        const made = await Promise.all(
          Array.from({ length: 8 }, () => ensureCustomer(db, payer, { id: newId(cryptoRandom), now: 1 })),
        );
        expect(new Set(made.map((one) => one.id)).size).to.equal(1);
        expect(made.every((one) => one.user_id === id)).to.equal(true);
      }
    });
  });
});
