import { expect } from "chai";
import { hourMs } from "../../../../core/kernel/durations.ts";
import { claimAutomaticAnswer } from "../../../../server/relay/decision/automaticAnswerQueries.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { addMask, addOwner } from "../../support/owners.ts";

/** In an hour, for all masks of an account. */
const most = 20;

describe("Automatic answers", () => {
  onEachDatabase(({ database }) => {
    it("are limited for each account in an hour, whatever other accounts send", async () => {
      const { db } = database();
      const [busy, quiet] = [await addOwner(db), await addOwner(db)];
      const maskOf = new Map([
        [busy, await addMask(db, busy)],
        [quiet, await addMask(db, quiet)],
      ]);
      const now = 30 * hourMs;
      const claim = (owner: typeof busy, senderHash: string, at: number): Promise<boolean> =>
        claimAutomaticAnswer(db, { userId: owner.id, maskId: maskOf.get(owner)?.id ?? "", senderHash }, at);
      for (let n = 0; n < most; n += 1) expect(await claim(busy, `sender ${n}`, now)).to.equal(true);
      expect(await claim(busy, "one more", now)).to.equal(false);
      expect(await claim(quiet, "sender 0", now)).to.equal(true);
      expect(await claim(busy, "one more", now + hourMs)).to.equal(true);
    });
  });
});
