import { expect } from "chai";
import fc from "fast-check";
import {
  genericTips,
  type ScoreFacts,
  scoreFactsOf,
  scoreOf,
  tipsFor,
} from "../../../core/score/securiScore.ts";
import type { Account } from "../../../core/session/user.ts";
import { tiers } from "../../../core/tiers/tier.ts";
import { createUser } from "../../fakes/productServer.ts";

const nothing: ScoreFacts = {
  hasTwoFactor: false,
  isEncrypted: false,
  activeMasks: 0,
  contentAccess: false,
  isAboveBasic: false,
  mostMasks: null,
  sellsPlans: true,
};
const points = (more: Partial<ScoreFacts>): number => scoreOf({ ...nothing, ...more }).points;

/** Pairs of facts in which `better` is at least as good as `worse` in every fact. */
const anyFacts = (
  isKnown: boolean,
): fc.Arbitrary<{ readonly worse: ScoreFacts; readonly better: ScoreFacts }> => {
  const pair = fc.constantFrom([false, false], [false, true], [true, true]) as fc.Arbitrary<
    [boolean, boolean]
  >;
  const masks = fc.tuple(fc.nat(20), fc.nat(20)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  const unless = <A>(known: A): A | null => (isKnown ? known : null);
  return fc
    .record({
      second: pair,
      key: pair,
      masks,
      access: pair,
      above: pair,
      most: fc.option(fc.nat(30)),
      sells: fc.boolean(),
    })
    .map(({ second, key, masks: counts, access, above, most, sells }) => {
      const at = (i: 0 | 1): ScoreFacts => ({
        hasTwoFactor: second[i],
        isEncrypted: key[i],
        activeMasks: unless(counts[i]),
        contentAccess: unless(access[i]),
        isAboveBasic: above[i],
        mostMasks: most,
        sellsPlans: sells,
      });
      return { worse: at(0), better: at(1) };
    });
};

describe("The SecuriScore", () => {
  it("is 50 at least, with 15 for a second factor and 15 for a key on top (AC2)", () => {
    expect(points({})).to.equal(50);
    expect(points({ hasTwoFactor: true })).to.equal(65);
    expect(points({ isEncrypted: true })).to.equal(65);
    expect(points({ hasTwoFactor: true, isEncrypted: true })).to.equal(80);
  });

  it("counts no plan and no content access where no plans are sold, and still goes to 100", () => {
    const here = { sellsPlans: false, hasTwoFactor: true, isEncrypted: true, activeMasks: 5 };
    expect(points({ ...here, isAboveBasic: true, contentAccess: true })).to.equal(100);
    expect(points(here)).to.equal(100);
    expect(points({ ...here, hasTwoFactor: false })).to.equal(80);
    expect(points({ ...here, isEncrypted: false })).to.equal(80);
    expect(
      tipsFor({ ...nothing, sellsPlans: false }).map(({ about, points }) => [about, points]),
    ).to.deep.equal([
      ["twoFactor", 20],
      ["encryption", 20],
      ["masks", 10],
    ]);
  });

  it("rises with active masks: by 2 for 1 and 2, by 5 for 3 and 4, by 10 for 5 and more (AC2)", () => {
    const won = [0, 1, 2, 3, 4, 5, 6, 1_000].map((activeMasks) => points({ activeMasks }) - 50);
    expect(won).to.deep.equal([0, 2, 2, 5, 5, 10, 10, 10]);
  });

  it("rises by 5 for a plan above Basic, and by 5 more with content access (AC2)", () => {
    expect(points({ isAboveBasic: true })).to.equal(55);
    expect(points({ isAboveBasic: true, contentAccess: true })).to.equal(60);
    expect(points({ contentAccess: true })).to.equal(50);
  });

  it("is 100 when all points are reached", () => {
    const all = {
      hasTwoFactor: true,
      isEncrypted: true,
      activeMasks: 5,
      contentAccess: true,
      isAboveBasic: true,
    };
    expect(points(all)).to.equal(100);
    expect(tipsFor({ ...nothing, ...all })).to.deep.equal([]);
  });

  it("is between 50 and 100 and never falls when a fact improves", () => {
    fc.assert(
      fc.property(fc.boolean().chain(anyFacts), ({ worse, better }) => {
        const [low, high] = [scoreOf(worse).points, scoreOf(better).points];
        expect(low).to.be.within(50, 100);
        expect(high).to.be.within(low, 100);
      }),
    );
  });
});

describe("The tips of a SecuriScore", () => {
  const texts = (facts: Partial<ScoreFacts>): string[] =>
    tipsFor({ ...nothing, ...facts }).map(({ text, points: won }) => `${text} +${won}`);

  it("show the points that can be added: with 1 or 2 masks 8, with 3 or 4 masks 5, with none 10 (D13)", () => {
    const toWin = [0, 1, 2, 3, 4, 5].map(
      (activeMasks) => tipsFor({ ...nothing, activeMasks }).find(({ about }) => about === "masks")?.points,
    );
    expect(toWin).to.deep.equal([10, 8, 8, 5, 5, undefined]);
  });

  it("start with the one that adds most", () => {
    expect(texts({ activeMasks: 2, mostMasks: 2 })).to.deep.equal([
      "Switch on two-factor authentication +15",
      "Set up email encryption +15",
      "Use 5 or more active masks (your plan has 2) +8",
      "Switch on AI content access (Pro plan or above) +5",
      "Upgrade to the Pro plan or above +5",
    ]);
    expect(texts({ isAboveBasic: true, hasTwoFactor: true, isEncrypted: true, mostMasks: 25 })).to.deep.equal(
      ["Use 5 or more active masks +10", "Switch on AI content access +5"],
    );
  });

  it("add up to 100 with the score when all facts are known, each with points, the highest first", () => {
    fc.assert(
      fc.property(anyFacts(true), ({ worse }) => {
        const tips = tipsFor(worse).map(({ points: won }) => won ?? 0);
        expect(tips.reduce((sum, won) => sum + won, scoreOf(worse).points)).to.equal(100);
        expect(tips.every((won) => won > 0)).to.equal(true);
        expect(tips).to.deep.equal([...tips].sort((a, b) => b - a));
      }),
    );
  });

  it("add the announced points when they are followed", () => {
    const done: Readonly<Record<string, Partial<ScoreFacts>>> = {
      twoFactor: { hasTwoFactor: true },
      encryption: { isEncrypted: true },
      masks: { activeMasks: 5 },
      contentAccess: { contentAccess: true, isAboveBasic: true },
      plan: { isAboveBasic: true },
    };
    fc.assert(
      fc.property(anyFacts(true), ({ worse: facts }) => {
        for (const { about, points: won } of tipsFor(facts)) {
          const gained = scoreOf({ ...facts, ...done[about] }).points - scoreOf(facts).points;
          expect(gained, about).to.be.at.least(won ?? 0);
        }
      }),
    );
  });

  it("do not mention unknown facts", () => {
    const about = tipsFor({ ...nothing, activeMasks: null, contentAccess: null }).map((tip) => tip.about);
    expect(about).to.deep.equal(["twoFactor", "encryption", "plan"]);
  });

  it("are general ones, without points, for an account without known facts", () => {
    expect(genericTips.map((tip) => tip.points)).to.deep.equal([null, null, null]);
  });
});

describe("The input of a SecuriScore", () => {
  const account = (more: Partial<Account> = {}): Account => ({
    ...createUser("ada@example.org", { keyStatus: "not-configured" }),
    ...more,
  });

  it("comes from the account; facts that it lacks are unknown", () => {
    expect(scoreFactsOf(account(), true)).to.deep.equal({
      ...nothing,
      activeMasks: null,
      contentAccess: null,
    });
    expect(
      scoreFactsOf(
        account({
          keyStatus: "configured",
          twoFactor: { enabled: true },
          subscription: { tier: "pro", status: "active" },
          settings: { contentAccessEnabled: true },
          usage: { masks: { active: 3, total: 4 }, emails: { thisMonth: 0, forwarded: 0, blocked: 0 } },
          limits: { maxMasks: 25, emailsPerMonth: 2_000, storageLimit: "20MB", historyRetention: "1 year" },
        }),
        true,
      ),
    ).to.deep.equal({
      hasTwoFactor: true,
      isEncrypted: true,
      activeMasks: 3,
      contentAccess: true,
      isAboveBasic: true,
      mostMasks: 25,
      sellsPlans: true,
    });
  });

  it("counts Pro, Pro Premium, Business and a server that sells no plans as above Basic", () => {
    const above = tiers.filter(
      (tier) => scoreFactsOf(account({ subscription: { tier, status: "active" } }), true).isAboveBasic,
    );
    expect(above).to.deep.equal(["pro", "pro_premium", "business", "self_hosted"]);
  });
});
