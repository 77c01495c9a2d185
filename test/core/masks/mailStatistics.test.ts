import { expect } from "chai";
import fc from "fast-check";
import { type CountedMail, countMail, type RuleStatistics } from "../../../core/masks/mailStatistics.ts";

const applied = (id: string) => ({
  id,
  name: id,
  type: "content_filter" as const,
  actions: ["tag" as const],
});

const counted = (more: Partial<CountedMail>, minute = 0): CountedMail => ({
  at: new Date(Date.UTC(2026, 10, 20) + minute * 60_000).toISOString(),
  applied: [],
  tags: [],
  block: null,
  ...more,
});

describe("A mask's statistics", () => {
  it("count mail by rule and tag, whatever their names are", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("__proto__", "constructor", "toString", "a", "b")), (names) => {
        const statistics = names.reduce<RuleStatistics>(
          (all, name) => countMail(all, counted({ tags: [name], applied: [applied(name)] })),
          {},
        );
        const stored = JSON.parse(JSON.stringify(statistics)) as RuleStatistics;
        for (const name of new Set(names)) {
          const times = names.filter((one) => one === name).length;
          expect(Object.entries(stored.tags ?? {}).find(([tag]) => tag === name)?.[1]).to.equal(times);
          expect(Object.entries(stored.rules ?? {}).find(([id]) => id === name)?.[1].appliedCount).to.equal(
            times,
          );
        }
      }),
    );
  });

  it("name at most 200 rules, 200 tags and the 50 newest blocked mails, and count all", () => {
    let statistics: RuleStatistics = {};
    for (let n = 0; n < 300; n += 1)
      statistics = countMail(
        statistics,
        counted(
          {
            tags: [`tag${n}`],
            applied: [applied(`rule${n}`)],
            block: { threatLevel: "low", reason: `reason ${n}` },
          },
          n,
        ),
      );
    expect(Object.keys(statistics.tags ?? {})).to.have.lengthOf(200);
    expect(Object.keys(statistics.rules ?? {}))
      .to.have.lengthOf(200)
      .and.include("rule299")
      .and.not.include("rule0");
    expect(statistics.blockHistory).to.have.lengthOf(50);
    expect(statistics.blockHistory?.[0]?.reason).to.equal("reason 299");
    expect(statistics.rulesSummary?.totalRulesApplied).to.equal(300);
  });
});
