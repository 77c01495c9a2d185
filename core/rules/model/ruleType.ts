import * as t from "io-ts";

/** The purposes that an owner can give to a rule; they do not affect how it runs (RU4). */
export const ruleTypes = [
  "content_filter",
  "sender_filter",
  "domain_filter",
  "time_based",
  "forwarding",
  "auto_response",
  "priority",
  "limit",
  "categorization",
  "expiry",
] as const;

export type RuleType = (typeof ruleTypes)[number];

/** The labels in the badge and the select. */
export const ruleTypeLabels: Readonly<Record<RuleType, string>> = {
  content_filter: "Content filter",
  sender_filter: "Sender filter",
  domain_filter: "Domain filter",
  time_based: "Time based",
  forwarding: "Forwarding",
  auto_response: "Auto response",
  priority: "Priority",
  limit: "Limit",
  categorization: "Categorization",
  expiry: "Expiry",
};

/** Accepted spellings and the type each stands for (D21). */
const spellings = new Map<unknown, RuleType>([
  ...ruleTypes.map((type): [string, RuleType] => [type, type]),
  ["time-based", "time_based"],
  ["auto-response", "auto_response"],
]);

export const RuleType: t.Type<RuleType, string, unknown> = new t.Type(
  "rule type",
  (u): u is RuleType => (ruleTypes as readonly unknown[]).includes(u),
  (u, context) => {
    const type = spellings.get(u);
    if (type !== undefined) return t.success(type);
    return t.failure(u, context, u ? "Choose one of the rule types" : "Rule type is required");
  },
  (type) => type,
);
