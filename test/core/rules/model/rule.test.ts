import { expect } from "chai";
import fc from "fast-check";
import { isRight } from "fp-ts/lib/Either.js";
import { fieldErrorsOf } from "../../../../core/api/fieldErrors.ts";
import {
  findOperatorChoice,
  findValueKind,
  furtherOperators,
  offeredOperators,
} from "../../../../core/rules/model/conditionField.ts";
import { operators } from "../../../../core/rules/model/conditionOperator.ts";
import { Rule } from "../../../../core/rules/model/rule.ts";
import { newRuleId, templateRuleId, withIds } from "../../../../core/rules/model/ruleId.ts";
import { patternErrors, RuleList, readRules } from "../../../../core/rules/model/ruleList.ts";
import { ruleTypeLabels, ruleTypes } from "../../../../core/rules/model/ruleType.ts";
import { anyRule, anyRules, conditionFields } from "../anyRule.ts";

const written = (more: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> => ({
  id: "rule_1_1",
  name: "Orders",
  type: "content_filter",
  conditions: [{ field: "subject", operator: "contains", value: ["order"] }],
  actions: [{ type: "tag", params: { tag: "Shop" } }],
  ...more,
});
const sentencesFor = (u: unknown): readonly string[] => {
  const decoded = RuleList.decode(u);
  return isRight(decoded) ? [] : fieldErrorsOf(decoded.left).map(({ message }) => message);
};
const ruleFrom = (u: unknown): Rule => {
  const decoded = Rule.decode(u);
  if (isRight(decoded)) return decoded.right;
  throw new Error(
    fieldErrorsOf(decoded.left)
      .map(({ message }) => message)
      .join("; "),
  );
};
const withCondition = (field: string, operator: string, value: unknown): Readonly<Record<string, unknown>> =>
  written({ conditions: [{ field, operator, value }] });
const withAction = (type: string, params?: unknown): Readonly<Record<string, unknown>> =>
  written({ actions: [{ type, params }] });

describe("The rule catalog", () => {
  it("has ten types, fourteen operators and seven actions", () => {
    expect(ruleTypes).to.have.lengthOf(10);
    expect(Object.keys(ruleTypeLabels)).to.have.lengthOf(10);
    expect(operators).to.have.lengthOf(14);
    const used = new Set(
      conditionFields
        .flatMap((field) => [...offeredOperators(field), ...furtherOperators(field)])
        .map((one) => one.operator),
    );
    expect([...used].sort()).to.deep.equal([...operators].sort());
  });

  it("offers for each field the operators of the specification's table, under its labels", () => {
    const labels = (...fields: readonly (typeof conditionFields)[number][]): unknown[] =>
      fields.map((field) => offeredOperators(field).map(({ label }) => label));
    const text = ["contains", "does not contain", "equals", "starts with", "ends with"];
    expect(labels("subject", "body", "text")).to.deep.equal([text, text, text]);
    const address = ["equals", "contains", "ends with (domain)"];
    expect(labels("sender", "email")).to.deep.equal([address, address]);
    expect(labels("category", "time", "date")).to.deep.equal([
      ["equals", "is in list"],
      ["during"],
      ["after", "before"],
    ]);
    const measure = ["more than", "less than"];
    expect(labels("lastActivity", "days", "openRate", "percentage")).to.deep.equal([
      measure,
      measure,
      measure,
      measure,
    ]);
    const count = ["equals", "greater than", "less than"];
    expect(labels("emailCount", "number")).to.deep.equal([count, count]);
  });

  it("has only operators for fields that it supports, and none twice", () => {
    for (const field of conditionFields) {
      const all = [...offeredOperators(field), ...furtherOperators(field)].map(({ operator }) => operator);
      expect(new Set(all).size).to.equal(all.length);
      for (const operator of operators)
        expect(findValueKind(field, operator) !== undefined).to.equal(all.includes(operator));
    }
    expect(findOperatorChoice("time", "contains")).to.equal(undefined);
  });
});

describe("A decoded rule", () => {
  it("round-trips unchanged", () => {
    fc.assert(
      fc.property(anyRule, (rule) => {
        expect(ruleFrom(JSON.parse(JSON.stringify(Rule.encode(rule))))).to.deep.equal(rule);
      }),
      { numRuns: 500 },
    );
  });

  it("is written with underscores when it was read with hyphens", () => {
    expect(ruleFrom(written({ type: "time-based" })).type).to.equal("time_based");
    expect(ruleFrom(written({ type: "auto-response" })).type).to.equal("auto_response");
  });

  it("is enabled by default, and has the default params of its actions", () => {
    const { enabled, actions } = ruleFrom(
      written({ actions: [{ type: "block" }, { type: "forward", params: { email: " ada@example.org " } }] }),
    );
    expect(enabled).to.equal(true);
    expect(actions).to.deep.equal([
      { type: "block", params: { silentBlock: false } },
      { type: "forward", params: { email: "ada@example.org", immediate: true, daily: false } },
    ]);
  });

  it("loses unknown fields, such as a mark that it is local", () => {
    expect(ruleFrom(written({ localOnly: true }))).not.to.have.property("localOnly");
  });

  it("splits text at commas where a list is expected", () => {
    const { conditions } = ruleFrom(withCondition("subject", "contains", "a, b ,,c"));
    expect(conditions[0]).to.have.deep.property("value", ["a", "b", "c"]);
  });

  it("is refused with what to correct, in the order name, type, conditions, actions", () => {
    expect(sentencesFor([written({ name: " ", type: "", conditions: [], actions: [] })])).to.deep.equal([
      "Rule name is required",
      "Rule type is required",
      "At least one valid condition is required",
      "At least one valid action is required",
    ]);
  });

  const refusals: readonly [string, Readonly<Record<string, unknown>>, string][] = [
    ["an unknown type", written({ type: "header_filter" }), "Choose one of the rule types"],
    [
      "a name over 100 characters",
      written({ name: "a".repeat(101) }),
      "Rule name must be 100 characters or less",
    ],
    [
      "an operator that the field does not support",
      withCondition("time", "contains", "x"),
      "Choose how to compare the time of arrival",
    ],
    ["an unknown operator", withCondition("subject", "is", "x"), "Choose how to compare the subject"],
    [
      "an unknown field",
      withCondition("weather", "contains", "x"),
      "Choose which part of the email to look at",
    ],
    ["an empty value", withCondition("subject", "contains", " , "), "Enter what to compare with"],
    ["an empty text", withCondition("subject", "equals", ""), "Enter what to compare with"],
    ["text for a number", withCondition("days", "greater_than", "many"), "Enter a number, such as 30"],
    [
      "a list of 101",
      withCondition("subject", "in_list", Array(101).fill("a")),
      "A list can have at most 100 entries. Put the others into another rule.",
    ],
    ["NaN", withCondition("days", "greater_than", Number.NaN), "Enter a number, such as 30"],
    ["a negative number", withCondition("days", "less_than", -1), "Enter 0 or more"],
    ["more than 100 %", withCondition("openRate", "less_than", 101), "Enter a number between 0 and 100"],
    ["a reversed range", withCondition("days", "between", [2, 1]), "Enter the smaller value first"],
    ["30 February", withCondition("date", "after_date", "2026-02-30"), "Enter a date, such as 2026-12-24"],
    ["text for a date", withCondition("date", "after_date", "tomorrow"), "Enter a date, such as 2026-12-24"],
    [
      "25 o'clock",
      withCondition("time", "during", { startTime: "25:00", endTime: "06:00", timeZone: "UTC" }),
      "Enter both times as hours and minutes, such as 09:00",
    ],
    [
      "an unknown time zone",
      withCondition("time", "during", { startTime: "09:00", endTime: "17:00", timeZone: "Venice" }),
      "Choose a time zone from the list, such as Europe/Paris",
    ],
    [
      "an expression over 256 characters",
      withCondition("subject", "matches_regex", "a".repeat(257)),
      "A regular expression can have at most 256 characters",
    ],
    ["an action without a type", withAction(""), "Choose what to do"],
    ["a forward without an address", withAction("forward", {}), "Enter the address to forward to"],
    [
      "a forward to a malformed address",
      withAction("forward", { email: "ada" }),
      "Please enter a valid email address",
    ],
    ["an empty tag", withAction("tag", { tag: " " }), "Enter the tag"],
    [
      "a tag that would inject a header",
      withAction("tag", { tag: "a\r\nBcc: x@example.org" }),
      "Write this on one line",
    ],
    ["an automatic answer without text", withAction("auto-reply", { subject: "Away" }), "Enter the answer"],
    ["a modify action without a change", withAction("modify", {}), "Choose at least one change to the email"],
    [
      "21 conditions",
      written({ conditions: Array(21).fill({ field: "subject", operator: "contains", value: "a" }) }),
      "A rule can have at most 20 conditions. Remove one, or create a second rule.",
    ],
    [
      "11 actions",
      written({ actions: Array(11).fill({ type: "archive" }) }),
      "A rule can have at most 10 actions. Remove one, or create a second rule.",
    ],
  ];
  for (const [what, rule, sentence] of refusals)
    it(`refuses ${what}`, () => {
      expect(sentencesFor([rule])).to.deep.equal([sentence]);
    });

  it("has groups of conditions, two deep, with at most 20 conditions in all", () => {
    const one = { field: "subject", operator: "contains", value: ["a"] };
    const group = (match: string, ...conditions: readonly object[]) => ({ match, conditions });
    const conditions = [one, group("any", one, group("none", one, one))];
    expect(ruleFrom(written({ conditions })).conditions).to.deep.equal(conditions);
    const refused = (...list: readonly object[]) => sentencesFor([written({ conditions: list })]);
    expect(refused(group("any", group("all", group("none", one))))).to.deep.equal([
      "Groups can be at most 2 deep in each other",
    ]);
    expect(refused(group("any"))).to.deep.equal(["A group needs a condition"]);
    expect(refused(group("some", one))).to.deep.equal([
      "Choose whether all, any or none of the conditions hold",
    ]);
    expect(refused(group("any", { ...one, field: "weather" }))).to.deep.equal([
      "Choose which part of the email to look at",
    ]);
    expect(refused(one, group("any", ...Array(20).fill(one)))[0]).to.match(/at most 20 conditions/);
  });

  it("names the header that it compares, and checks the results that can be compared", () => {
    const on = (header: unknown) =>
      written({ conditions: [{ field: "header", header, operator: "contains", value: "1" }] });
    for (const wrong of [undefined, "", "Two words", "ü", "a:b"])
      expect(sentencesFor([on(wrong)]), String(wrong)).to.deep.equal([
        "Enter the name of a header, such as X-Priority",
      ]);
    expect(sentencesFor([on("X-Priority:")])).to.deep.equal([]);
    expect(sentencesFor([withCondition("spf", "equals", "Pass, fail")])).to.deep.equal([]);
    expect(sentencesFor([withCondition("spf", "equals", "passed")])[0]).to.match(/^Enter one of pass, fail,/);
  });

  it("accepts exactly 20 conditions and 10 actions", () => {
    const conditions = Array(20).fill({ field: "subject", operator: "contains", value: "a" });
    expect(
      sentencesFor([written({ conditions, actions: Array(10).fill({ type: "archive" }) })]),
    ).to.deep.equal([]);
  });
});

describe("A mask's list of rules", () => {
  const many = (count: number): unknown[] =>
    Array.from({ length: count }, (_, n) => written({ id: `r${n}` }));

  it("has at most 100 rules", () => {
    expect(sentencesFor(many(100))).to.deep.equal([]);
    expect(sentencesFor(many(101))).to.deep.equal([
      "A mask can have at most 100 rules. Remove one to add another.",
    ]);
  });

  it("has no duplicate ids", () => {
    expect(sentencesFor([written(), written()])).to.deep.equal(["Two rules have the same id"]);
  });

  it("has at most 20 conditions with a regular expression", () => {
    const rules = (count: number): unknown[] =>
      Array.from({ length: count }, (_, n) => ({
        ...withCondition("subject", "matches_regex", "a"),
        id: `r${n}`,
      }));
    expect(sentencesFor(rules(20))).to.deep.equal([]);
    expect(sentencesFor(rules(21))).to.have.lengthOf(1);
  });

  it("keeps the readable rules when one is unreadable", () => {
    const { rules, unreadable } = readRules([
      written(),
      { id: "odd", type: "from the future" },
      written({ id: "b" }),
    ]);
    expect(rules.map(({ id }) => id)).to.deep.equal(["rule_1_1", "b"]);
    expect(unreadable).to.equal(1);
  });

  it("reports the regular expressions that the engine does not support", () => {
    const rules = [ruleFrom(withCondition("subject", "matches_regex", "(")), ruleFrom(written())];
    expect(patternErrors(rules, () => ({ _tag: "Left", left: "missing closing )" }))).to.deep.equal([
      { field: "conditions.value", message: "This regular expression cannot be used: missing closing )" },
    ]);
    expect(patternErrors(rules, () => ({ _tag: "Right", right: () => true }))).to.deep.equal([]);
  });
});

describe("The id of a rule", () => {
  it("is rule_{timestamp}_{0-999}, and rule_{time}_{index+1000} for a rule from a template", () => {
    expect(newRuleId(1_763_629_200_000, 0.5, new Set())).to.equal("rule_1763629200000_500");
    expect(newRuleId(5, 0.9999, new Set())).to.equal("rule_5_999");
    expect(templateRuleId(5, 1, new Set())).to.equal("rule_5_1001");
  });

  it("differs from those in use", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(999)),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (parts, fraction) => {
          const taken = new Set(parts.map((part) => `rule_5_${part}`));
          expect(taken.has(newRuleId(5, fraction, taken))).to.equal(false);
          expect(newRuleId(5, fraction, taken)).to.match(/^rule_\d+_\d{1,3}$/);
        },
      ),
    );
    const all = new Set(Array.from({ length: 1_000 }, (_, part) => `rule_5_${part}`));
    expect(newRuleId(5, 0.5, all)).to.equal("rule_6_500");
  });

  it("is added to rules without one, and to no other", () => {
    fc.assert(
      fc.property(anyRules(6), fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }), (rules, without) => {
        const list = rules.map((rule, n) => (without[n] ? { ...rule, id: "" } : rule));
        const named = withIds(list, 1, () => 0.3) as readonly Rule[];
        expect(new Set(named.map(({ id }) => id)).size).to.equal(rules.length);
        for (const [n, rule] of rules.entries()) if (!without[n]) expect(named[n]?.id).to.equal(rule.id);
      }),
    );
    expect(withIds("no list", 1, () => 0)).to.equal("no list");
  });
});
