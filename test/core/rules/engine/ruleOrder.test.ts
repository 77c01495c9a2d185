import { expect } from "chai";
import fc from "fast-check";
import type { ParsedMail } from "../../../../core/mail/parsedMail.ts";
import { evaluate, explain, joinRules, prepareRules } from "../../../../core/rules/engine/evaluate.ts";
import type { Facts } from "../../../../core/rules/engine/facts.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import type { RuleLists } from "../../../../core/rules/model/rulePlace.ts";
import { anyRules } from "../anyRule.ts";

const facts: Facts = {
  mask: {
    maskEmail: "shop@masks.example",
    labels: ["Shops", "Café"],
    forwardTo: "ada@example.org",
    lastMailAt: null,
    receivedThisMonth: 0,
    received: 0,
    forwarded: 0,
  },
  account: { confirmed: ["ada@example.org"], ownDomains: ["masks.example"] },
  category: null,
  size: 100,
  proof: null,
  now: Date.UTC(2026, 10, 20),
};
const mail: ParsedMail = {
  from: { name: "Bob", address: "bob@example.net" },
  to: ["shop@masks.example"],
  subject: "Your order",
  headers: [],
  text: "Thank you.",
  htmlText: null,
  isTextCut: false,
  attachments: [],
};

/** What a rule of the property does, which its words decide. */
interface Kind {
  readonly enabled: boolean;
  readonly matches: boolean;
  readonly blocks: boolean;
  readonly stops: boolean;
}

const toRule = ({ enabled, matches, blocks, stops }: Kind, id: string): Rule => ({
  id,
  name: id,
  type: "content_filter",
  enabled,
  conditions: [{ field: "subject", operator: "contains", value: [matches ? "order" : "sale"] }],
  actions: [
    blocks ? { type: "block", params: { silentBlock: false } } : { type: "tag", params: { tag: id } },
  ],
  ...(stops ? { metadata: { stop: true } } : {}),
});

const join = ({ before, mask, after }: RuleLists<readonly Rule[]>) =>
  joinRules({
    before: prepareRules(before, undefined, "before"),
    mask: prepareRules(mask),
    after: prepareRules(after, undefined, "after"),
  });

/** The order as the guide states it, rule by rule. */
const expected = (kinds: readonly (readonly [string, Kind])[]) => {
  const tags: string[] = [];
  for (const [id, kind] of kinds) {
    if (!kind.enabled || !kind.matches) continue;
    if (kind.blocks) return { blockedBy: id, tags: [] };
    tags.push(id);
    if (kind.stops) break;
  }
  return { blockedBy: null, tags };
};

const anyKinds = fc.array(
  fc.record({ enabled: fc.boolean(), matches: fc.boolean(), blocks: fc.boolean(), stops: fc.boolean() }),
  { maxLength: 4 },
);

describe("The rules before and after those of a mask", () => {
  it("are asked in the order before, mask, after, until one blocks or ends the list", () => {
    fc.assert(
      fc.property(anyKinds, anyKinds, anyKinds, (before, mask, after) => {
        const named = (place: string, kinds: readonly Kind[]) =>
          kinds.map((kind, n): readonly [string, Kind] => [`${place}${n}`, kind]);
        const [b, m, a] = [named("before", before), named("mask", mask), named("after", after)];
        const rulesOf = (kinds: typeof b) => kinds.map(([id, kind]) => toRule(kind, id));
        const { decision } = evaluate(
          join({ before: rulesOf(b), mask: rulesOf(m), after: rulesOf(a) }),
          mail,
          facts,
        );
        expect({
          blockedBy: decision.block?.by === "rule" ? decision.block.ruleId : null,
          tags: decision.tags,
        }).to.deep.equal(expected([...b, ...m, ...a]));
      }),
    );
  });

  it("decide as one list with the same rules does, and are named in what was applied", () => {
    fc.assert(
      fc.property(anyRules(4), anyRules(4), anyRules(4), (before, mask, after) => {
        const lists = evaluate(join({ before, mask, after }), mail, facts);
        const one = evaluate(prepareRules([...before, ...mask, ...after]), mail, facts);
        const applied = lists.decision.applied.map(({ place: _, ...rest }) => rest);
        expect({ ...lists.decision, applied }).to.deep.equal(one.decision);
        const places = explain(lists).map(({ place }) => place ?? "mask");
        expect(places).to.deep.equal([
          ...before.map(() => "before"),
          ...mask.map(() => "mask"),
          ...after.map(() => "after"),
        ]);
      }),
    );
  });

  it("compare the mask itself: its address and each of its labels, without case", () => {
    const isBlocked = (condition: Rule["conditions"][number]): boolean =>
      evaluate(
        prepareRules([
          {
            ...toRule({ enabled: true, matches: true, blocks: true, stops: false }, "r"),
            conditions: [condition],
          },
        ]),
        mail,
        facts,
      ).decision.block !== null;
    expect(isBlocked({ field: "maskLabel", operator: "equals", value: "shops" })).to.equal(true);
    expect(isBlocked({ field: "maskLabel", operator: "in_list", value: ["News", "café"] })).to.equal(true);
    expect(isBlocked({ field: "maskLabel", operator: "equals", value: "Shop" })).to.equal(false);
    expect(isBlocked({ field: "maskLabel", operator: "not_in_list", value: ["Shops"] })).to.equal(false);
    expect(isBlocked({ field: "mask", operator: "equals", value: "SHOP@masks.example" })).to.equal(true);
    expect(isBlocked({ field: "mask", operator: "ends_with", value: "other.example" })).to.equal(false);
  });
});
