import { expect } from "chai";
import fc from "fast-check";
import * as E from "fp-ts/lib/Either.js";
import { checkRuleDraft } from "../../../../core/rules/editing/checkRuleDraft.ts";
import {
  type ConditionDraft,
  withField,
  withOperator,
} from "../../../../core/rules/editing/conditionDraft.ts";
import { changeCondition } from "../../../../core/rules/editing/conditionGroupDraft.ts";
import {
  newRuleDraft,
  proposedName,
  proposedType,
  withBlankParts,
  withProposals,
} from "../../../../core/rules/editing/proposeRule.ts";
import {
  changeAction,
  emptyRuleDraft,
  type RuleDraft,
  toRuleDraft,
  withParam,
  withType,
} from "../../../../core/rules/editing/ruleDraft.ts";
import type { ActionType } from "../../../../core/rules/model/actionType.ts";
import {
  type ConditionField,
  fieldAliases,
  fieldEntry,
  fieldGroups,
} from "../../../../core/rules/model/conditionField.ts";
import { RuleName } from "../../../../core/rules/model/rule.ts";
import { anyRule, conditionFields } from "../anyRule.ts";

const zone = "Europe/Zurich";
const start = newRuleDraft(zone);

/** Edits the only condition of a draft, as the form does. */
const edit = (draft: RuleDraft, change: (one: ConditionDraft) => ConditionDraft): RuleDraft =>
  withProposals(draft, changeCondition(draft, "condition_1", change));
const typeValue = (draft: RuleDraft, value: string): RuleDraft => edit(draft, (one) => ({ ...one, value }));
const act = (draft: RuleDraft, type: ActionType): RuleDraft =>
  withProposals(
    draft,
    changeAction(draft, "action_1", (one) => withType(one, type)),
  );

describe("A new rule in the editor", () => {
  it("is a sentence in which only the text to look for is missing", () => {
    expect(start.conditions).to.have.lengthOf(1);
    expect(start.actions).to.have.lengthOf(1);
    expect(checkRuleDraft(start, { maskId: "mask" }).map(({ message }) => message)).to.deep.equal([
      "Rule name is required",
      "Rule type is required",
      "At least one valid condition is required",
    ]);
    const done = typeValue(start, "sale");
    expect(checkRuleDraft(done, { maskId: "mask" })).to.deep.equal([]);
    expect(done.name).to.equal("Block if subject contains sale");
  });

  it("is named by what it does, and its type follows from what it compares", () => {
    const sender = edit(start, (one) => ({ ...withField(one, "sender"), value: "shop.example" }));
    expect([sender.name, sender.type]).to.deep.equal([
      "Block if sender contains shop.example",
      "sender_filter",
    ]);
    const domain = edit(sender, (one) => withOperator(one, "ends_with"));
    expect(domain.type).to.equal("domain_filter");
    const tagged = act(domain, "tag");
    const named = withProposals(
      tagged,
      changeAction(tagged, "action_1", (one) => withParam(one, "tag", "Shop")),
    );
    expect(named.name).to.equal("Tag Shop if sender ends with shop.example");
    expect(act(named, "forward").type).to.equal("forwarding");
    expect(act(named, "auto-reply").type).to.equal("auto_response");
    expect(edit(start, (one) => withField(one, "time")).type).to.equal("time_based");
  });

  it("keeps a name that was typed, one that was deleted, and a type that was chosen", () => {
    const own = { ...start, name: "My sales", type: "priority" } as const;
    expect(typeValue(own, "sale")).to.include({ name: "My sales", type: "priority" });
    expect(typeValue({ ...typeValue(start, "sal"), name: "" }, "sale").name).to.equal("");
    expect(typeValue({ ...start, name: "My sales" }, "sale")).to.include({
      name: "My sales",
      type: "content_filter",
    });
    expect(act(own, "forward")).to.include({ name: "My sales", type: "priority" });
  });

  it("completes what a suggestion leaves out", () => {
    const suggested = withBlankParts({ ...emptyRuleDraft, name: "Quiet nights" }, zone);
    expect([suggested.name, suggested.conditions.length, suggested.actions.length]).to.deep.equal([
      "Quiet nights",
      1,
      1,
    ]);
    const same = { ...start };
    expect(withBlankParts(same, zone)).to.deep.equal(start);
  });

  it("is given a name that can be saved, whatever its parts are", () => {
    fc.assert(
      fc.property(anyRule, (rule) => {
        const draft = toRuleDraft(rule, zone);
        const name = proposedName(draft);
        expect(E.isRight(RuleName.decode(name)), name).to.equal(true);
        expect(name).not.to.match(/\p{Cc}/u);
        expect(proposedType(draft)).not.to.equal("");
      }),
    );
  });
});

describe("The choice of fields", () => {
  const offered = fieldGroups.flatMap(({ fields }) => fields);

  it("has every field once, but for further names of the same thing", () => {
    expect(new Set(offered).size).to.equal(offered.length);
    const left = conditionFields.filter((field) => !offered.includes(field));
    expect(left).to.have.members(Object.keys(fieldAliases));
    for (const [alias, meant] of Object.entries(fieldAliases) as [ConditionField, ConditionField][]) {
      const { kind, source, unit } = fieldEntry(alias);
      expect(offered).to.include(meant);
      expect(fieldEntry(meant)).to.include({ kind, source });
      expect(fieldEntry(meant).unit).to.equal(unit);
    }
  });

  it("has no two fields of one name", () => {
    const labels = offered.map((field) => fieldEntry(field).label);
    expect(new Set(labels).size).to.equal(labels.length);
  });

  it("says what the open rate measures", () => {
    expect(fieldEntry("openRate").label).to.match(/forwarded/);
  });
});
