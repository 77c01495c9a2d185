import { expect } from "chai";
import fc from "fast-check";
import { isRight } from "fp-ts/lib/Either.js";
import {
  createTemplateRules,
  findTemplate,
  ruleTemplates,
} from "../../../../core/rules/editing/ruleTemplates.ts";
import type { RuleAction } from "../../../../core/rules/model/action.ts";
import type { Condition } from "../../../../core/rules/model/condition.ts";
import { leavesOf } from "../../../../core/rules/model/conditionGroup.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import { RuleList } from "../../../../core/rules/model/ruleList.ts";
import { ruleSummary, type SummaryPart } from "../../../../core/rules/model/ruleSummary.ts";
import { anyRule } from "../anyRule.ts";

/** The summary as plain text. */
const summaryText = (parts: readonly SummaryPart[]): string =>
  parts
    .map(({ text }) => text)
    .reduce((summarize, text) => (text === "," ? `${summarize},` : `${summarize} ${text}`), "")
    .trim();

const summarize = (
  conditions: readonly Condition[],
  actions: readonly RuleAction[],
  metadata?: Rule["metadata"],
): string =>
  summaryText(
    ruleSummary({
      id: "r",
      name: "n",
      type: "limit",
      enabled: true,
      conditions,
      actions,
      ...(metadata && { metadata }),
    }),
  );
const tag: RuleAction = { type: "tag", params: { tag: "Important" } };
const night = { startTime: "22:00", endTime: "06:00", timeZone: "Europe/Zurich" };

describe("A rule as a sentence", () => {
  it("names the conditions and the actions", () => {
    expect(summarize([{ field: "subject", operator: "contains", value: ["invoice"] }], [tag])).to.equal(
      "If subject contains invoice then tag Important",
    );
  });

  it("joins entries with or, conditions and actions with and", () => {
    expect(
      summarize(
        [
          { field: "subject", operator: "contains", value: ["sale", "offer", "deal"] },
          { field: "sender", operator: "ends_with", value: "example.org" },
        ],
        [
          { type: "block", params: { silentBlock: true } },
          { type: "notify", params: { message: "" } },
        ],
      ),
    ).to.equal(
      "If subject contains sale, offer or deal and sender ends with example.org then block silently and notify me",
    );
  });

  it("names times, numbers and their units", () => {
    expect(summarize([{ field: "time", operator: "during", value: night }], [tag])).to.equal(
      "If time of arrival is between 22:00 and 06:00 (Europe/Zurich) then tag Important",
    );
    expect(summarize([{ field: "openRate", operator: "less_than", value: 10 }], [tag])).to.include(
      "is less than 10%",
    );
    expect(summarize([{ field: "days", operator: "between", value: [7, 14] }], [tag])).to.include(
      "is between 7 days and 14 days",
    );
  });

  it("names every action, and that it stops further rules", () => {
    expect(
      summarize(
        [{ field: "category", operator: "equals", value: "news" }],
        [
          { type: "forward", params: { email: "ada@example.org", immediate: false, daily: false } },
          { type: "auto-reply", params: { subject: "", message: "Away" } },
          { type: "archive", params: { markAsRead: true } },
          { type: "modify", params: { subjectPrefix: "News:", removeTrackers: true } },
        ],
        { stop: true },
      ),
    ).to.equal(
      "If category equals news then forward to ada@example.org once an hour, answer Away, archive as read and put News: in front of the subject and remove trackers and look at no further rule",
    );
  });

  it("marks the values that its owner chose, so that they can be highlighted", () => {
    fc.assert(
      fc.property(anyRule, (rule) => {
        const parts = ruleSummary(rule);
        expect(parts.filter(({ kind }) => kind === "field")).to.have.lengthOf(
          leavesOf(rule.conditions).length,
        );
        expect(parts.every(({ text }) => text !== "")).to.equal(true);
        for (const { value } of leavesOf(rule.conditions))
          for (const entry of typeof value === "object" && Array.isArray(value) ? value : [])
            expect(
              parts.some(({ kind, text }) => kind === "value" && text.startsWith(String(entry))),
            ).to.equal(true);
      }),
    );
  });
});

describe("The templates", () => {
  it("are shopping_template, professional_template, travel_template and trackers_template, each with an icon", () => {
    expect(ruleTemplates.map(({ id, icon }) => [id, icon])).to.deep.equal([
      ["shopping_template", "shield"],
      ["professional_template", "briefcase"],
      ["travel_template", "plane"],
      ["trackers_template", "shield"],
    ]);
    expect(findTemplate("nothing")).to.equal(undefined);
  });

  it("create rules that can be saved, with ids from 1000 on", () => {
    for (const template of ruleTemplates) {
      const rules = createTemplateRules(template, "mask", 1_763_629_200_000, new Set());
      expect(isRight(RuleList.decode(rules)), template.id).to.equal(true);
      expect(rules.map(({ id }) => id)).to.deep.equal(rules.map((_, n) => `rule_1763629200000_${1_000 + n}`));
      expect(rules.every(({ maskId, enabled }) => maskId === "mask" && enabled)).to.equal(true);
    }
  });
});
