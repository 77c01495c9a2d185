import * as TE from "fp-ts/lib/TaskEither.js";
import type { Problem } from "../../api/errorMessages.ts";
import { maxNameLength } from "../../api/textCodecs.ts";
import { startTask } from "../../kernel/task.ts";
import type { MaskId } from "../../masks/mask.ts";
import { mergeRules, type RulePart, withParts } from "../model/mergeRules.ts";
import type { Rule, RuleId } from "../model/rule.ts";
import { newRuleId } from "../model/ruleId.ts";
import type { SaveOutcome } from "../sync/saveWaiters.ts";
import { type AddRulesDeps, addImported, applyTemplate, type NewRule } from "./addRules.ts";
import type { RuleDraft } from "./ruleDraft.ts";
import { idsOf, type RuleFromDraftDeps, ruleFromDraft } from "./ruleFromDraft.ts";
import { missingRuleId, noMaskId, ruleNotFound } from "./ruleMessages.ts";
import { failWith, type SaveTask } from "./saveRules.ts";

/** The actions on the rules of a mask or of all masks, known by the id of their list; without one each fails with a message that says what is missing (RU7). */
export interface RuleEditing {
  /** Adds a rule at the end of the list. */
  readonly create: (draft: RuleDraft, maskId: MaskId | null, origin?: "suggestion") => SaveTask;
  /** Saves an edited rule; changes made elsewhere since `opened`, the rule it was made from, are kept. */
  readonly update: (id: RuleId, draft: RuleDraft, maskId: MaskId | null, opened?: Rule) => SaveTask;
  /** Removes a rule and offers to undo that; false without a change when it does not exist. */
  readonly remove: (id: RuleId, maskId: MaskId | null) => TE.TaskEither<Problem, boolean>;
  /** Sets these parts of a rule as in `chosen`, when another device has replaced them. */
  readonly takeParts: (chosen: Rule, parts: readonly RulePart[], maskId: MaskId) => SaveTask;
  /** Adds a copy of a rule below it, switched off, so that nothing happens twice until its owner has changed it. */
  readonly duplicate: (id: RuleId, maskId: MaskId | null) => SaveTask;
  /** Adds imported rules at the end of the list, in their order. */
  readonly addAll: (imported: readonly NewRule[], maskId: MaskId | null) => SaveTask;
  readonly setEnabled: (id: RuleId, enabled: boolean, maskId: MaskId | null) => SaveTask;
  /** Moves a rule to another index, counted from 0. */
  readonly move: (id: RuleId, to: number, maskId: MaskId | null) => SaveTask;
  /** Adds the rules of a template that the list does not contain yet. */
  readonly applyTemplate: (templateId: string, maskId: MaskId | null) => SaveTask;
}

const moveRule = (rules: readonly Rule[], id: RuleId, to: number): readonly Rule[] => {
  const rule = rules.find((one) => one.id === id);
  return rule ? rules.filter((one) => one.id !== id).toSpliced(Math.max(0, to), 0, rule) : rules;
};

const copySuffix = " (copy)";

const copyName = (name: string): string => name.slice(0, maxNameLength - copySuffix.length) + copySuffix;

const replaceOrAppend =
  (rule: Rule) =>
  (rules: readonly Rule[]): readonly Rule[] =>
    rules.some(({ id }) => id === rule.id)
      ? rules.map((one) => (one.id === rule.id ? rule : one))
      : [...rules, rule];

export const createRuleEditing = (deps: RuleFromDraftDeps & AddRulesDeps): RuleEditing => {
  const { saveList, shown, clock, random } = deps;
  const validate = ruleFromDraft(deps);
  const iso = (): string => new Date(clock.now()).toISOString();

  const withRule = (
    id: RuleId,
    maskId: MaskId | null,
    then: (rule: Rule, maskId: MaskId) => TE.TaskEither<Problem, SaveOutcome>,
  ): SaveTask => {
    if (maskId === null) return failWith(noMaskId);
    const rule = shown(maskId).find((one) => one.id === id);
    return rule ? then(rule, maskId) : failWith(ruleNotFound);
  };
  const restore = (rule: Rule, at: number, maskId: MaskId): SaveTask =>
    saveList(maskId, "restore", (rules) =>
      rules.some(({ id }) => id === rule.id) ? rules : rules.toSpliced(at, 0, { ...rule, updatedAt: iso() }),
    );

  return {
    create: (draft, maskId, origin) =>
      TE.chain((rule: Rule) => saveList(maskId ?? "", origin ?? "create", (rules) => [...rules, rule]))(
        validate(draft, maskId, undefined),
      ),
    update: (id, draft, maskId, opened) => {
      if (id === "") return failWith(missingRuleId);
      return withRule(id, maskId, (now, mask) => {
        const before = opened ?? now;
        return TE.chain((rule: Rule) =>
          saveList(mask, "update", (rules) => mergeRules([before], [rule], rules)),
        )(validate(draft, mask, before));
      });
    },
    remove: (id, maskId) => {
      if (maskId === null) return failWith(noMaskId);
      const at = shown(maskId).findIndex((rule) => rule.id === id);
      const removed = shown(maskId)[at];
      if (!removed) return TE.right(false);
      const undo = { label: "Undo", run: () => startTask(restore(removed, at, maskId)) };
      return TE.map(() => true)(
        saveList(maskId, "delete", (rules) => rules.filter((rule) => rule.id !== id), { action: undo }),
      );
    },
    takeParts: (chosen, parts, maskId) =>
      saveList(maskId, "update", (rules) =>
        rules.map((rule) =>
          rule.id === chosen.id ? { ...withParts(rule, chosen, parts), updatedAt: iso() } : rule,
        ),
      ),
    duplicate: (id, maskId) =>
      withRule(id, maskId, (rule, mask) => {
        const now = iso();
        const copy = {
          ...rule,
          id: newRuleId(clock.now(), random.fraction(), idsOf(shown(mask))),
          name: copyName(rule.name),
          enabled: false,
          createdAt: now,
          updatedAt: now,
        };
        return saveList(mask, "create", (rules) =>
          rules.flatMap((one) => (one.id === id ? [one, copy] : [one])),
        );
      }),
    addAll: addImported(deps),
    setEnabled: (id, enabled, maskId) =>
      withRule(id, maskId, (rule, mask) =>
        saveList(mask, "status", replaceOrAppend({ ...rule, enabled, updatedAt: iso() })),
      ),
    move: (id, to, maskId) =>
      withRule(id, maskId, (_, mask) => saveList(mask, "order", (rules) => moveRule(rules, id, to))),
    applyTemplate: applyTemplate(deps),
  };
};
