import { expect } from "chai";
import { insightsLimits, lastDays } from "../../../core/insights/figures.ts";
import type { Account } from "../../../core/session/user.ts";
import { createUser } from "../../fakes/productServer.ts";
import { startsAt } from "../../fakes/virtualClock.ts";

describe("The limits of the stats block", () => {
  const account: Account = createUser("ada@example.org", {
    subscription: { tier: "pro", status: "active" },
  });
  const limits = { maxMasks: 25, emailsPerMonth: 2_000, storageLimit: "20MB", historyRetention: "1 year" };

  it("are those of the account, whatever plan the answer names (D10)", () => {
    expect(insightsLimits({ ...account, limits }, "free")).to.deep.equal({ emails: 2_000, masks: 25 });
    expect(insightsLimits({ ...account, limits: { ...limits, maxMasks: null } }, "pro").masks).to.equal(null);
  });

  for (const [plan, emails, masks] of [
    ["free", 100, 2],
    ["premium", 1_000, 10],
    ["pro", 5_000, 50],
    ["PRO", 5_000, 50],
  ] as const)
    it(`are ${emails} e-mails and ${masks} masks for the plan ${plan} where the account has none (D10)`, () => {
      expect(insightsLimits(account, plan)).to.deep.equal({ emails, masks });
      expect(insightsLimits(null, plan)).to.deep.equal({ emails, masks });
    });

  it("are those of the tier where no plan is given, and a missing tier counts as pro_premium (D18)", () => {
    expect(insightsLimits(account, undefined)).to.deep.equal({ emails: 2_000, masks: 25 });
    expect(insightsLimits(null, "toString")).to.deep.equal({ emails: 5_000, masks: null });
  });
});

describe("The figures of the last days", () => {
  const flow = { received: 3, forwarded: 2, blocked: 1 };
  const none = { received: 0, forwarded: 0, blocked: 0 };

  it("end today, and include days without mail", () => {
    expect(lastDays([{ day: "2026-11-19", ...flow }], 3, startsAt)).to.deep.equal([
      { day: "2026-11-18", ...none },
      { day: "2026-11-19", ...flow },
      { day: "2026-11-20", ...none },
    ]);
  });

  it("are all there, whenever the first mail came", () => {
    expect(lastDays([{ day: "2026-11-20", ...flow }], 30, startsAt)).to.have.length(30);
  });
});
