import { expect } from "chai";
import PostalMime from "postal-mime";
import { loadRe2Patterns } from "../../../../adapters/re2/re2Patterns.ts";
import { type ParsedMail, toParsedMail } from "../../../../core/mail/parsedMail.ts";
import { evaluate, prepareRules } from "../../../../core/rules/engine/evaluate.ts";
import type { AccountFacts, MaskFacts } from "../../../../core/rules/engine/facts.ts";
import { comparable, type RuleCase, ruleCases } from "./ruleCases.ts";

const places = {
  mask: "shop.k3v9@masks.example",
  owner: "ada@example.org",
  second: "ada.second@example.org",
  maskDomain: "masks.example",
};
const account: AccountFacts = { confirmed: [places.owner, places.second], ownDomains: [places.maskDomain] };
const now = Date.UTC(2026, 10, 20, 9, 0);

const maskFor = ({ facts }: RuleCase): MaskFacts => ({
  maskEmail: places.mask,
  forwardTo: places.owner,
  receivedThisMonth: 0,
  received: 0,
  forwarded: 0,
  ...facts,
  lastMailAt: facts?.lastMailAt ? Date.parse(facts.lastMailAt) : null,
});
const read = async ({ mail, category }: RuleCase): Promise<ParsedMail> =>
  toParsedMail(await PostalMime.parse(mail), category);
const at = (one: RuleCase): number => (one.now === null ? now : Date.parse(one.now));

describe("Rules on mails, decided as the file of cases says", () => {
  const cases = ruleCases(places);

  it("has at least 150 cases, each with a name of its own", () => {
    expect(cases.length).to.be.at.least(150);
    expect(new Set(cases.map(({ name }) => name)).size).to.equal(cases.length);
  });

  for (const one of cases)
    it(one.name, async () => {
      const compile = await loadRe2Patterns();
      const message = await read(one);
      const decision = evaluate(message, maskFor(one), one.rules, account, at(one), compile);
      expect(comparable(decision)).to.deep.equal(one.expected);
    });

  it("is decided alike with and without the reasons, and matches what it says it matched", async () => {
    const compile = await loadRe2Patterns();
    for (const one of cases) {
      const circumstances = { mail: await read(one), mask: maskFor(one), account };
      const prepared = prepareRules(one.rules, compile);
      const { explanation, ...decision } = prepared.explain(circumstances, at(one));
      expect(prepared.decide(circumstances, at(one)), one.name).to.deep.equal(decision);
      for (const { outcome, conditions, reason } of explanation) {
        expect(reason === null, one.name).to.equal(outcome !== "not-looked-at");
        const all = conditions.length > 0 && conditions.every(({ matched }) => matched);
        expect(outcome === "matched", one.name).to.equal(all);
      }
    }
  });
});
