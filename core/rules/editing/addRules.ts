import * as TE from "fp-ts/lib/TaskEither.js";
import { isSameJson } from "../../kernel/sameJson.ts";
import type { ShowToast } from "../../kernel/toast.ts";
import type { MaskId } from "../../masks/mask.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import type { Rule } from "../model/rule.ts";
import { newRuleId } from "../model/ruleId.ts";
import { maskOfList } from "../model/rulePlace.ts";
import { idsOf } from "./ruleFromDraft.ts";
import { alreadyAppliedMessage, selectMaskFirst, templateNotFound } from "./ruleMessages.ts";
import { createTemplateRules, findTemplate } from "./ruleTemplates.ts";
import { failWith, type SaveList, type SaveTask } from "./saveRules.ts";

/** A rule before it has a place in a list. */
export type NewRule = Omit<Rule, "id" | "maskId" | "createdAt" | "updatedAt">;

export interface AddRulesDeps {
  readonly saveList: SaveList;
  readonly toast: ShowToast;
  readonly shown: (maskId: MaskId) => readonly Rule[];
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
}

/** Adds imported rules at the end of the list, in their order. */
export const addImported =
  ({ saveList, shown, clock, random }: AddRulesDeps) =>
  (imported: readonly NewRule[], maskId: MaskId | null): SaveTask => {
    if (maskId === null) return failWith(selectMaskFirst);
    const now = clock.now();
    const at = new Date(now).toISOString();
    const taken = new Set(idsOf(shown(maskId)));
    const added = imported.map((rule): Rule => {
      const id = newRuleId(now, random.fraction(), taken);
      taken.add(id);
      return { ...rule, id, ...maskOfList(maskId), createdAt: at, updatedAt: at };
    });
    return saveList(maskId, "import", (rules) => [...rules, ...added]);
  };

const hasSameEffect = (one: Rule, other: Rule): boolean =>
  isSameJson(one.conditions, other.conditions) && isSameJson(one.actions, other.actions);

/** Adds the rules of a template that the list does not contain yet. */
export const applyTemplate =
  ({ saveList, toast, shown, clock }: AddRulesDeps) =>
  (templateId: string, maskId: MaskId | null): SaveTask => {
    const template = findTemplate(templateId);
    if (!template) return failWith(templateNotFound);
    if (maskId === null) return failWith(selectMaskFirst);
    const existing = shown(maskId);
    const added = createTemplateRules(template, maskId, clock.now(), idsOf(existing)).filter(
      (rule) => !existing.some((one) => hasSameEffect(one, rule)),
    );
    if (added.length === 0) {
      toast("info", alreadyAppliedMessage(template.name));
      return TE.right("saved");
    }
    return saveList(maskId, "template", (rules) => [...rules, ...added], {
      templateName: template.name,
    });
  };
