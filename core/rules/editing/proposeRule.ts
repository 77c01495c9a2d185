import { maxNameLength } from "../../api/textCodecs.ts";
import { actionEntry } from "../model/actionType.ts";
import { conditionPhrase } from "../model/condition.ts";
import { fieldEntry, findOperatorChoice } from "../model/conditionField.ts";
import { actionsSummary, conditionsSummary, summaryText } from "../model/ruleSummary.ts";
import type { RuleType } from "../model/ruleType.ts";
import { validActions, validConditions } from "./checkRuleDraft.ts";
import { type ConditionDraft, emptyCondition, withField } from "./conditionDraft.ts";
import { draftLeaves } from "./conditionGroupDraft.ts";
import { changeAction, emptyRuleDraft, type RuleDraft, withAction, withType } from "./ruleDraft.ts";

const shorten = (text: string): string => {
  const line = text.replace(/[\s\p{Cc}\p{Surrogate}]+/gu, " ").trim();
  if (line.length <= maxNameLength) return line;
  const room = maxNameLength - "…".length;
  let kept = "";
  for (const letter of line) {
    if (kept.length + letter.length > room) break;
    kept += letter;
  }
  return `${kept.trimEnd()}…`;
};

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The words of a condition whose value is missing: "subject contains …". */
const unfinished = ({ field, header, operator }: ConditionDraft): string => {
  if (field === "" || operator === "") return "";
  const phrase = conditionPhrase({ field, ...(header ? { header } : {}) });
  return `${phrase} ${findOperatorChoice(field, operator)?.phrase ?? operator} …`;
};

const conditionsOf = (draft: RuleDraft): string =>
  summaryText(conditionsSummary(validConditions(draft))) ||
  (draftLeaves(draft.conditions).map(unfinished).find(Boolean) ?? "");

const actionsOf = (draft: RuleDraft): string => {
  const [first] = draft.actions.flatMap(({ type }) => (type === "" ? [] : [actionEntry(type).label]));
  return summaryText(actionsSummary(validActions(draft))) || (first ?? "");
};

/** Proposes a name that says what the rule does: "Block if subject contains sale"; empty while it does nothing. */
export const proposedName = (draft: RuleDraft): string => {
  const actions = actionsOf(draft);
  const conditions = conditionsOf(draft);
  if (actions === "") return shorten(conditions === "" ? "" : `If ${conditions}`);
  return shorten(capitalize(conditions === "" ? actions : `${actions} if ${conditions}`));
};

const priorityHeaders: readonly string[] = ["x-priority", "priority", "importance", "precedence"];

const typeOfCondition = ({ field, header = "", operator }: ConditionDraft): RuleType | "" => {
  if (field === "") return "";
  if (field === "header" && priorityHeaders.includes(header.trim().toLowerCase())) return "priority";
  if (fieldEntry(field).kind === "address" && operator === "ends_with") return "domain_filter";
  return fieldEntry(field).type;
};

/** Proposes the type of a rule from what it compares, or from an action that has a type of its own; empty without either. */
export const proposedType = ({ conditions, actions }: RuleDraft): RuleType | "" => {
  if (actions.some(({ type }) => type === "forward")) return "forwarding";
  if (actions.some(({ type }) => type === "auto-reply")) return "auto_response";
  return draftLeaves(conditions).map(typeOfCondition).find(Boolean) ?? "";
};

/** True if the name is still the proposed one, or the draft is untouched. */
const hasProposedName = (draft: RuleDraft): boolean =>
  draft.name === proposedName(draft) || (draft.name === "" && draft.type === "");

const hasProposedType = (draft: RuleDraft): boolean =>
  draft.type === "" || draft.type === proposedType(draft);

/**
 * Returns a changed draft whose name and type follow the change, each as long as it is what is proposed: a name that
 * the user has typed or deleted, and a type that they have chosen, stay. A type stays too while none is proposed.
 */
export const withProposals = (before: RuleDraft, after: RuleDraft): RuleDraft => ({
  ...after,
  name: after.name === before.name && hasProposedName(before) ? proposedName(after) : after.name,
  type:
    after.type === before.type && hasProposedType(before) ? proposedType(after) || after.type : after.type,
});

const blankCondition = (timeZone: string): ConditionDraft =>
  withField(emptyCondition("condition_1", timeZone), "subject");

/** Adds to a draft without conditions or without actions an empty one of them. */
export const withBlankParts = (draft: RuleDraft, timeZone: string): RuleDraft => {
  const conditions = draft.conditions.length > 0 ? draft.conditions : [blankCondition(timeZone)];
  return draft.actions.length > 0 ? { ...draft, conditions } : withAction({ ...draft, conditions });
};

/**
 * Returns the draft that a new rule begins with: a sentence in which only the text to look for is missing. Name and type
 * are proposed with the first change; a draft that is saved as it is lacks its name first (RU6).
 */
export const newRuleDraft = (timeZone: string): RuleDraft => {
  const blank = withBlankParts(emptyRuleDraft, timeZone);
  return changeAction(blank, blank.actions[0]?.id ?? "", (action) => withType(action, "block"));
};
