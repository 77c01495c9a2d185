import fc from "fast-check";
import { isLeft } from "fp-ts/lib/Either.js";
import { Rule } from "../../../../core/rules/model/rule.ts";
import { nodeTest } from "../../../../core/rules/sieve/sieveTest.ts";
import { anyNode } from "../anyRule.ts";

/** Words that occur in mails and in rules, some with a meaning in Sieve. */
export const shopWords = fc.constantFrom(
  "sale",
  "a*b",
  "50 %",
  'say "x"',
  "back\\slash",
  "shop.example",
  "?",
  "Order",
);

/** Decodes a rule; without more it tags mail whose subject contains "sale". */
export const ruleOf = (more: object): Rule => {
  const decoded = Rule.decode({
    id: "r",
    name: "Rule",
    type: "content_filter",
    conditions: [{ field: "subject", operator: "contains", value: ["sale"] }],
    actions: [{ type: "tag", params: { tag: "Hit" } }],
    ...more,
  });
  if (isLeft(decoded)) throw new Error(decoded.left[0]?.message);
  return decoded.right;
};

/** Replaces the texts that conditions compare with, and leaves numbers, days and expressions. */
const withWord = (conditions: unknown, word: string): unknown =>
  JSON.parse(JSON.stringify(conditions), (key, inner) =>
    key === "value" &&
    (Array.isArray(inner) || typeof inner === "string") &&
    !/^\d|^\^|\+|\(/.test(String(inner))
      ? [word]
      : inner,
  );

/** Conditions that Sieve can say, on words that occur in mails. */
const comparableConditions = fc
  .tuple(fc.array(anyNode, { minLength: 1, maxLength: 3 }), shopWords)
  .map(([nodes, word]) => [nodes.filter((node) => nodeTest(node) !== null), word] as const)
  .filter(([nodes]) => nodes.length > 0)
  .map(([nodes, word]) => withWord(nodes, word));

/** Rules whose conditions Sieve can say; each adds a tag of its own, "T0", "T1" and so on. */
export const comparableRules = (maxLength: number): fc.Arbitrary<readonly Rule[]> =>
  fc.array(fc.tuple(comparableConditions, fc.boolean()), { minLength: 1, maxLength }).map((list) =>
    list.map(([conditions, enabled], n) =>
      ruleOf({
        id: `r${n}`,
        name: `Rule ${n}`,
        enabled,
        conditions,
        actions: [{ type: "tag", params: { tag: `T${n}` } }],
      }),
    ),
  );
