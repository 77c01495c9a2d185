import { expect } from "chai";
import { dayMs } from "../../../../core/kernel/durations.ts";
import type { Expiry } from "../../../../core/masks/maskExpiry.ts";
import { expiryText } from "../../../../web/features/masks/expiryText.ts";

const now = 1_000 * dayMs;
const ending = (conditions: object): Expiry =>
  // biome-ignore lint/suspicious/noThenProperty: the contract's name
  ({ ...conditions, then: "hold" });

describe("The card of a mask that expires", () => {
  it("says what is left by each condition", () => {
    for (const [conditions, text] of [
      [{ at: now + 2.5 * dayMs }, "Expires in 3 days"],
      [{ at: now + dayMs }, "Expires within a day"],
      [{ at: now - dayMs }, "Expires within a day"],
      [{ mails: 5, mailsLeft: 1 }, "Expires after 1 more email"],
      [
        { mails: 5, mailsLeft: 2, idleDays: 9, idleAt: now + 4 * dayMs },
        "Expires after 2 more emails or in 4 days without mail",
      ],
      [{ firstSender: true }, "Locks to the first sender"],
      [{ at: now + 9 * dayMs, firstSender: true }, "Expires in 9 days. Locks to the first sender"],
    ] as const)
      expect(expiryText(ending(conditions), now)).to.equal(text);
  });

  it("says nothing of a mask that never expires", () => {
    expect([expiryText(null, now), expiryText(undefined, now)]).to.deep.equal(["", ""]);
  });
});
