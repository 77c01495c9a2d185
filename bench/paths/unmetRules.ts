import type { Condition } from "../../core/rules/model/condition.ts";
import type { Rule } from "../../core/rules/model/rule.ts";

const madeAt = Date.UTC(2026, 10, 20, 9, 0);

/** The part of a mail that the rules use. */
type Kind = "header" | "text" | "pattern";

const conditions: Readonly<Record<Kind, (n: number) => readonly Condition[]>> = {
  header: (n) => [
    { field: "subject", operator: "contains", value: [`offer ${n}`, `sale ${n}`] },
    { field: "sender", operator: "ends_with", value: `shop${n}.example.net` },
  ],
  text: (n) => [{ field: "body", operator: "contains", value: [`voucher ${n} expires`] }],
  pattern: (n) => [{ field: "body", operator: "matches_regex", value: `invoice\\s+no\\.?\\s*${n}\\d{4}` }],
};

/** Returns rules of which none applies, so that all are evaluated. */
export const unmetRules = (kind: Kind, count: number): readonly Rule[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `rule_${madeAt}_${n}`,
    name: `Rule ${n}`,
    type: "content_filter",
    enabled: true,
    conditions: conditions[kind](n),
    actions: [{ type: "tag", params: { tag: `Tag ${n}` } }],
  }));
