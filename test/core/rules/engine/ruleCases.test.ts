import { expect } from "chai";
import PostalMime, { decodeWords } from "postal-mime";
import { loadRe2Patterns } from "../../../../adapters/re2/re2Patterns.ts";
import { type ParsedMail, toParsedMail } from "../../../../core/mail/parsedMail.ts";
import { evaluate, explain, prepareRules } from "../../../../core/rules/engine/evaluate.ts";
import type { Facts } from "../../../../core/rules/engine/facts.ts";
import { comparable, type RuleCase, ruleCases } from "./ruleCases.ts";

const places = {
  mask: "shop.k3v9@masks.example",
  owner: "ada@example.org",
  second: "ada.second@example.org",
  maskDomain: "masks.example",
};
const now = Date.UTC(2026, 10, 20, 9, 0);

const factsOf = ({ facts, category, ...one }: RuleCase): Facts => ({
  size: Buffer.byteLength(one.mail),
  proof: null,
  mask: {
    maskEmail: places.mask,
    labels: [],
    forwardTo: places.owner,
    receivedThisMonth: 0,
    received: 0,
    forwarded: 0,
    ...facts,
    lastMailAt: facts?.lastMailAt ? Date.parse(facts.lastMailAt) : null,
  },
  account: { confirmed: [places.owner, places.second], ownDomains: [places.maskDomain] },
  category,
  now: one.now === null ? now : Date.parse(one.now),
});
const read = async ({ mail }: RuleCase): Promise<ParsedMail> =>
  toParsedMail(await PostalMime.parse(mail), decodeWords);

describe("Rules evaluated on mails of the case file", () => {
  const cases = ruleCases(places);

  it("has at least 150 cases with unique names", () => {
    expect(cases.length).to.be.at.least(150);
    expect(new Set(cases.map(({ name }) => name)).size).to.equal(cases.length);
  });

  for (const one of cases)
    it(one.name, async () => {
      const compile = await loadRe2Patterns();
      const { decision } = evaluate(prepareRules(one.rules, compile), await read(one), factsOf(one));
      expect(comparable(decision)).to.deep.equal(one.expected);
    });

  it("matches exactly what its reasons say it matched", async () => {
    const compile = await loadRe2Patterns();
    for (const one of cases) {
      const evaluation = evaluate(prepareRules(one.rules, compile), await read(one), factsOf(one));
      const explanation = explain(evaluation);
      const matched = explanation.filter(({ outcome }) => outcome === "matched").map(({ ruleId }) => ruleId);
      for (const { id } of evaluation.decision.applied) expect(matched, one.name).to.include(id);
      for (const { outcome, conditions, reason } of explanation) {
        expect(reason === null, one.name).to.equal(outcome !== "not-looked-at");
        const all = conditions.length > 0 && conditions.every(({ matched }) => matched);
        expect(outcome === "matched", one.name).to.equal(all);
      }
    }
  });
});
