import { expect } from "chai";
import fc from "fast-check";
import { isRight, left, right } from "fp-ts/lib/Either.js";
import { buildRule, checkRuleDraft } from "../../../../core/rules/editing/checkRuleDraft.ts";
import {
  type ConditionDraft,
  emptyCondition,
  isComplete,
  parseCondition,
  toConditionDraft,
  withField,
  withOperator,
} from "../../../../core/rules/editing/conditionDraft.ts";
import {
  changeCondition,
  changeGroup,
  withCondition,
  withGroup,
} from "../../../../core/rules/editing/conditionGroupDraft.ts";
import {
  changeAction,
  emptyRuleDraft,
  type RuleDraft,
  toRuleDraft,
  withAction,
  withParam,
  withType,
} from "../../../../core/rules/editing/ruleDraft.ts";
import { type ConditionNode, isGroup } from "../../../../core/rules/model/conditionGroup.ts";
import { anyCondition, anyRule } from "../anyRule.ts";

const zone = "Europe/Zurich";
const typed = (more: Partial<ConditionDraft>): ConditionDraft => ({
  ...emptyCondition("condition_1", zone),
  ...more,
});
const contains = typed({ field: "subject", operator: "contains", value: "sale, offer" });
const draft = (more: Partial<RuleDraft> = {}): RuleDraft => ({
  ...emptyRuleDraft,
  name: "Sales",
  type: "content_filter",
  conditions: [contains],
  actions: [{ id: "action_1", type: "tag", params: { tag: "Sale" } }],
  ...more,
});
const sentences = (more: Partial<RuleDraft>, maskId: string | null = "mask"): readonly string[] =>
  checkRuleDraft(draft(more), { maskId }).map(({ message }) => message);
const now = "2026-11-20T09:00:00.000Z";

describe("A condition in the editor", () => {
  it("keeps operator and value when they are valid for the new field", () => {
    expect(withField(contains, "sender")).to.deep.include({ operator: "contains", value: "sale, offer" });
  });

  it("takes the first operator of the new field when its own is not valid for it, and keeps text", () => {
    const starts = typed({ field: "subject", operator: "starts_with", value: "sale" });
    expect(withField(starts, "category")).to.deep.include({
      field: "category",
      operator: "equals",
      value: "sale",
    });
  });

  it("takes the first operator of the new field when the editor does not offer its own for it (RU4)", () => {
    for (const operator of ["starts_with", "not_contains"] as const) {
      const condition = typed({ field: "subject", operator, value: "sale" });
      expect(withField(condition, "sender")).to.deep.include({ operator: "equals", value: "sale" });
    }
    for (const operator of ["contains", "ends_with", "matches_regex", "in_list"] as const)
      expect(withField(typed({ field: "subject", operator, value: "x" }), "sender").operator).to.equal(
        operator,
      );
  });

  it("drops a value of another type", () => {
    expect(withField(contains, "days")).to.deep.include({ operator: "greater_than", value: "" });
    const days = typed({ field: "days", operator: "less_than", value: "30" });
    expect(withField(days, "percentage")).to.deep.include({ operator: "less_than", value: "30" });
    expect(withField(days, "subject")).to.deep.include({ operator: "contains", value: "" });
    expect(withOperator(days, "between")).to.deep.include({ value: "", until: "" });
  });

  it("defaults `during` to 09:00 to 17:00 in the browser's zone", () => {
    const time = withField(emptyCondition("c", zone), "time");
    expect(time).to.deep.include({ operator: "during", value: "09:00", until: "17:00", timeZone: zone });
    expect(parseCondition(time)).to.deep.equal(
      right({
        id: "c",
        field: "time",
        operator: "during",
        value: { startTime: "09:00", endTime: "17:00", timeZone: zone },
      }),
    );
  });

  it("reads a list for contains, not-contains and lists, and text for the other operators", () => {
    const meantBy = (more: Partial<ConditionDraft>): unknown => {
      const condition = parseCondition(typed({ field: "subject", value: "a, b", ...more }));
      return isRight(condition) ? condition.right.value : condition.left;
    };
    expect(meantBy({ operator: "contains" })).to.deep.equal(["a", "b"]);
    expect(meantBy({ operator: "not_contains" })).to.deep.equal(["a", "b"]);
    expect(meantBy({ operator: "in_list" })).to.deep.equal(["a", "b"]);
    expect(meantBy({ operator: "not_in_list" })).to.deep.equal(["a", "b"]);
    expect(meantBy({ operator: "equals" })).to.equal("a, b");
    expect(meantBy({ operator: "starts_with" })).to.equal("a, b");
  });

  it("reads numbers for number, percentage and days fields, and reports text that is no number", () => {
    const read = (value: string): unknown =>
      parseCondition(typed({ field: "emailCount", operator: "equals", value }));
    expect(read(" 12 ")).to.have.nested.property("right.value", 12);
    expect(read("1.5")).to.have.nested.property("right.value", 1.5);
    expect(read("many")).to.deep.equal(left("Enter a number, such as 30"));
    expect(parseCondition(typed({ field: "openRate", operator: "less_than", value: "101" }))).to.deep.equal(
      left("Enter a number between 0 and 100"),
    );
  });

  it("is complete with field, operator and a value that is not empty", () => {
    expect(isComplete(contains)).to.equal(true);
    expect(isComplete({ ...contains, value: " , " })).to.equal(false);
    expect(isComplete({ ...contains, operator: "" })).to.equal(false);
    expect(isComplete({ ...contains, field: "" })).to.equal(false);
    expect(isComplete(typed({ field: "days", operator: "between", value: "1" }))).to.equal(false);
    expect(isComplete(typed({ field: "days", operator: "between", value: "1", until: "2" }))).to.equal(true);
  });

  it("round-trips from any condition", () => {
    fc.assert(
      fc.property(anyCondition, (condition) => {
        const created = toConditionDraft(condition, "c", zone);
        expect(isComplete(created)).to.equal(true);
        expect(parseCondition(created)).to.deep.equal(right({ id: "c", ...condition }));
      }),
      { numRuns: 500 },
    );
  });
});

describe("An action in the editor", () => {
  it("has the params of its type, which are reset with another type", () => {
    const forward = withType({ id: "a", type: "", params: {} }, "forward");
    expect(forward.params).to.deep.equal({ email: "", immediate: true, daily: false });
    const filled = withParam(forward, "email", "ada@example.org");
    expect(withType(filled, "forward")).to.equal(filled);
    expect(withType(filled, "block").params).to.deep.equal({ silentBlock: false });
  });
});

describe("A rule in the editor", () => {
  it("is checked in the order name, type, mask, conditions, actions", () => {
    expect(sentences({ name: "  ", type: "", conditions: [], actions: [] }, null)).to.deep.equal([
      "Rule name is required",
      "Rule type is required",
      "No mask selected",
      "At least one valid condition is required",
      "At least one valid action is required",
    ]);
    expect(sentences({})).to.deep.equal([]);
  });

  it("drops lines that are not filled in, and requires one that is", () => {
    const empty = emptyCondition("condition_2", zone);
    expect(sentences({ conditions: [empty, contains] })).to.deep.equal([]);
    expect(sentences({ conditions: [empty] })).to.deep.equal(["At least one valid condition is required"]);
    expect(sentences({ actions: [{ id: "a", type: "", params: {} }] })).to.deep.equal([
      "At least one valid action is required",
    ]);
  });

  it("shows an error beside its line", () => {
    const wrong = checkRuleDraft(
      draft({
        conditions: [
          contains,
          typed({ id: "condition_2", field: "days", operator: "less_than", value: "x" }),
        ],
        actions: [
          { id: "action_7", type: "forward", params: { email: "ada", immediate: true, daily: false } },
        ],
      }),
      { maskId: "mask" },
    );
    expect(wrong).to.deep.equal([
      { field: "conditions.condition_2.value", message: "Enter a number, such as 30" },
      { field: "actions.action_7.email", message: "Please enter a valid email address" },
    ]);
  });

  it("refuses a regular expression that does not compile, or is over 256 characters", () => {
    const regex = (value: string): RuleDraft =>
      draft({ conditions: [typed({ field: "subject", operator: "matches_regex", value })] });
    const compile = () => left("missing closing )");
    expect(checkRuleDraft(regex("("), { maskId: "m", compile })).to.deep.equal([
      {
        field: "conditions.condition_1.value",
        message: "This regular expression cannot be used: missing closing )",
      },
    ]);
    expect(checkRuleDraft(regex("a".repeat(257)), { maskId: "m", compile })[0]?.message).to.equal(
      "A regular expression can have at most 256 characters",
    );
  });

  it("accepts at most 20 conditions and 10 actions", () => {
    const conditions = (count: number): RuleDraft["conditions"] =>
      Array.from({ length: count }, (_, n) => ({ ...contains, id: `c${n}` }));
    const actions = (count: number): RuleDraft["actions"] =>
      Array.from({ length: count }, (_, n) => ({ id: `a${n}`, type: "archive", params: {} }));
    expect(sentences({ conditions: conditions(20), actions: actions(10) })).to.deep.equal([]);
    expect(sentences({ conditions: conditions(21), actions: actions(11) })).to.deep.equal([
      "A rule can have at most 20 conditions. Remove one, or create a second rule.",
      "A rule can have at most 10 actions. Remove one, or create a second rule.",
    ]);
  });

  it("adds, changes and removes lines by their ids", () => {
    const two = withCondition(withCondition(emptyRuleDraft, zone), zone);
    expect(two.conditions.map(({ id }) => id)).to.deep.equal(["condition_1", "condition_2"]);
    const one = changeCondition(two, "condition_1", () => null);
    expect(withCondition(one, zone).conditions.map(({ id }) => id)).to.deep.equal([
      "condition_2",
      "condition_1",
    ]);
    const acting = changeAction(withAction(one), "action_1", (action) => withType(action, "archive"));
    expect(acting.actions).to.deep.equal([
      { id: "action_1", type: "archive", params: { markAsRead: false } },
    ]);
  });

  it("adds, changes and removes groups, and lines in them", () => {
    const grouped = withCondition(withGroup(withCondition(emptyRuleDraft, zone), zone), zone, "group_1");
    const inner = withGroup(grouped, zone, "group_1");
    expect(inner.conditions).to.containSubset([
      { id: "condition_1" },
      {
        id: "group_1",
        match: "any",
        conditions: [
          { id: "condition_2" },
          { id: "condition_3" },
          { id: "group_2", conditions: [{ id: "condition_4" }] },
        ],
      },
    ]);
    const none = changeGroup(inner, "group_2", (group) => ({ ...group, match: "none" }));
    expect(changeCondition(none, "condition_4", () => null).conditions[1]).to.containSubset({
      conditions: [{}, {}, { id: "group_2", match: "none", conditions: [] }],
    });
    expect(changeGroup(inner, "group_1", () => null).conditions).to.have.lengthOf(1);
  });

  it("saves a group with what is complete in it, and none that is empty", () => {
    const complete = (id: string) => ({ ...typed({ field: "subject", operator: "equals", value: "a" }), id });
    const conditions = [
      { id: "g", match: "none" as const, conditions: [complete("a"), emptyCondition("b", zone)] },
      { id: "h", match: "any" as const, conditions: [emptyCondition("c", zone)] },
    ];
    const saved = buildRule(draft({ conditions }), { maskId: "m" }, { id: "r", now });
    expect(saved).to.have.deep.nested.property("right.conditions", [
      {
        id: "g",
        match: "none",
        conditions: [{ id: "a", field: "subject", operator: "equals", value: "a" }],
      },
    ]);
    const tooMany = [{ id: "g", match: "any" as const, conditions: Array(21).fill(complete("a")) }];
    expect(checkRuleDraft(draft({ conditions: tooMany }), { maskId: "m" })[0]?.message).to.match(
      /at most 20/,
    );
  });

  it("round-trips from a rule, with a new updatedAt", () => {
    fc.assert(
      fc.property(anyRule, (rule) => {
        const saved = buildRule(
          toRuleDraft(rule, zone),
          { maskId: "mask" },
          { id: rule.id, now, before: rule },
        );
        const numbered = <A>(parts: readonly A[], kind: string): unknown =>
          parts.map((part, n) => ({ ...part, id: `${kind}_${n + 1}` }));
        const placed = (nodes: readonly ConditionNode[], place: string): unknown =>
          nodes.map((node, n) =>
            isGroup(node)
              ? {
                  ...node,
                  id: `group${place}_${n + 1}`,
                  conditions: placed(node.conditions, `${place}_${n + 1}`),
                }
              : { ...node, id: `condition${place}_${n + 1}` },
          );
        expect(saved).to.deep.equal(
          right({
            ...rule,
            conditions: placed(rule.conditions, ""),
            actions: numbered(rule.actions, "action"),
            updatedAt: now,
          }),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("keeps fields that the editor does not show, and sets stop only while that is ticked", () => {
    const before = { metadata: { suggestion: "s1", stop: true }, createdAt: "2026-01-01T00:00:00.000Z" };
    const saved = (stop: boolean): unknown => {
      const rule = buildRule(draft({ stop }), { maskId: "m" }, { id: "r", now });
      if (!isRight(rule)) throw new Error("refused");
      return buildRule(
        draft({ stop }),
        { maskId: "m" },
        { id: "r", now, before: { ...rule.right, ...before } },
      );
    };
    expect(saved(true)).to.have.deep.nested.property("right.metadata", { suggestion: "s1", stop: true });
    expect(saved(false)).to.have.deep.nested.property("right.metadata", { suggestion: "s1" });
    expect(saved(false)).to.have.nested.property("right.createdAt", "2026-01-01T00:00:00.000Z");
  });
});
