import { expect } from "chai";
import { type MaskSummary, type SuggestionInput, suggest } from "../../../core/insights/suggest.ts";
import { RuleList } from "../../../core/rules/model/ruleList.ts";

const day = 86_400_000;
const now = 1_000 * day;
const safe = { twoFactor: true, hasKey: true, since: "1972-07-01" };

const mask = (known: Partial<MaskSummary>): MaskSummary => ({
  id: "m1",
  description: "Shop",
  forwardTo: "me@example.org",
  active: true,
  spamFilter: false,
  createdAt: now - 10 * day,
  lastMailAt: now,
  received: 0,
  promotions: 0,
  checked: 0,
  dmarcFailed: 0,
  hasPromotionRule: false,
  senders: [],
  ...known,
});
const keysOf = (picture: SuggestionInput): readonly string[] =>
  suggest(picture, now).map(({ actionKey }) => actionKey);
const forMask = (known: Partial<MaskSummary>): readonly string[] => keysOf({ ...safe, masks: [mask(known)] });

describe("suggestions", () => {
  it("are none for a protected account whose masks have no problems", () => {
    expect(forMask({ received: 50, promotions: 10 })).to.deep.equal([]);
  });

  it("propose a second factor and a key to users without them", () => {
    expect(keysOf({ ...safe, twoFactor: false, hasKey: false, masks: [mask({})] })).to.deep.equal([
      "two-factor",
      "encryption",
    ]);
  });

  it("propose a rule where 6 of 10 mails are promotions, and not below that or below 10 mails", () => {
    expect(forMask({ received: 10, promotions: 6 })).to.deep.equal(["promotions:m1"]);
    expect(forMask({ received: 10, promotions: 5 })).to.deep.equal([]);
    expect(forMask({ received: 9, promotions: 9 })).to.deep.equal([]);
    expect(forMask({ received: 10, promotions: 6, hasPromotionRule: true })).to.deep.equal([]);
  });

  it("contain the figures that they are based on", () => {
    const [first] = suggest({ ...safe, masks: [mask({ received: 40, promotions: 30 })] }, now);
    expect(first?.description).to.contain("30 of its 40 emails").and.to.contain("75 %");
  });

  it("propose to switch off a mask without mail for 90 days since its last mail or its creation", () => {
    expect(forMask({ lastMailAt: now - 90 * day })).to.deep.equal(["idle:m1"]);
    expect(forMask({ lastMailAt: now - 89 * day })).to.deep.equal([]);
    expect(forMask({ lastMailAt: null, createdAt: now - 91 * day })).to.deep.equal(["idle:m1"]);
    expect(forMask({ active: false, lastMailAt: now - 200 * day })).to.deep.equal([]);
  });

  it("propose the spam filter where a fifth fails DMARC, unless it is on", () => {
    expect(forMask({ received: 200, checked: 20, dmarcFailed: 5 })).to.deep.equal(["forged:m1"]);
    expect(forMask({ received: 200, checked: 26, dmarcFailed: 5 })).to.deep.equal([]);
    expect(forMask({ received: 20, checked: 20, dmarcFailed: 5, spamFilter: true })).to.deep.equal([]);
  });

  it("name a sender that reaches 3 masks, with a rule that blocks it", () => {
    const senders = [{ domain: "ads.example", received: 1 }];
    const masks = ["a", "b", "c"].map((id) => mask({ id, description: id, senders }));
    const [leak] = suggest({ ...safe, masks }, now);
    expect(leak).to.include({ actionKey: "leak:ads.example", action: "createBlockRule" });
    expect(keysOf({ ...safe, masks: masks.slice(1) })).to.deep.equal([]);
  });

  it("propose separate masks where 5 senders with 3 mails each share one", () => {
    const senders = [1, 2, 3, 4, 5].map((n) => ({ domain: `s${n}.example`, received: 3 }));
    expect(forMask({ received: 15, senders })).to.deep.equal(["split:m1"]);
    expect(forMask({ received: 12, senders: senders.slice(1) })).to.deep.equal([]);
  });

  it("are at most three of each kind", () => {
    const masks = Array.from({ length: 9 }, (_, n) => mask({ id: `m${n}`, lastMailAt: 0 }));
    expect(keysOf({ ...safe, masks })).to.have.length(3);
  });

  it("prefill rules that can be saved unchanged", () => {
    const senders = [{ domain: "ads.example", received: 1 }];
    const masks = ["a", "b", "c"].map((id) => mask({ id, senders, received: 10, promotions: 9 }));
    const rules = suggest({ ...safe, masks }, now).flatMap(({ rule, maskId }, n) =>
      rule
        ? [
            {
              id: `rule_${n}_1`,
              maskId,
              enabled: true,
              createdAt: new Date(now).toISOString(),
              updatedAt: new Date(now).toISOString(),
              ...rule,
            },
          ]
        : [],
    );
    expect(rules).to.have.length(4);
    expect(RuleList.decode(rules)._tag).to.equal("Right");
  });
});
