import * as E from "fp-ts/lib/Either.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { MaskId } from "../masks/mask.ts";
import type { Clock } from "../ports/clock.ts";
import type { CompilePattern, LoadPatterns } from "../ports/patterns.ts";
import type { Random } from "../ports/random.ts";
import { checkRuleDraft, ruleOf } from "../rules/checkRuleDraft.ts";
import { mergeRules } from "../rules/mergeRules.ts";
import type { Rule, RuleId } from "../rules/rule.ts";
import type { RuleDraft } from "../rules/ruleDraft.ts";
import { newRuleId } from "../rules/ruleId.ts";
import { rulesOfTemplate, templateNamed } from "../rules/ruleTemplates.ts";
import { sameContent } from "../rules/sameContent.ts";
import type { Problem } from "../sentences/problem.ts";
import type { ShowToast } from "../toasts/toast.ts";
import {
  alreadyApplied,
  noMaskId,
  ruleNotFound,
  selectMaskFirst,
  templateNotFound,
} from "./ruleSentences.ts";
import { type Kept, problemSaying, type SaveList } from "./saveList.ts";

/** What can be done with the rules of a mask; without a mask each says what is missing (RU7). */
export interface RuleEditing {
  /** A new rule at the end of the list. */
  readonly create: (draft: RuleDraft, maskId: MaskId | null, origin?: "suggestion") => Saving;
  /** `opened`: the rule as it was when the draft was made of it; what was changed elsewhere since then stays. */
  readonly update: (id: RuleId, draft: RuleDraft, maskId: MaskId | null, opened?: Rule) => Saving;
  /** False, and nothing is changed, when there is no such rule. */
  readonly remove: (id: RuleId, maskId: MaskId | null) => TE.TaskEither<Problem, boolean>;
  readonly setEnabled: (id: RuleId, enabled: boolean, maskId: MaskId | null) => Saving;
  /** Puts a rule at another place, counted from 0. */
  readonly move: (id: RuleId, to: number, maskId: MaskId | null) => Saving;
  /** Adds those of its rules that are not there yet. */
  readonly applyTemplate: (templateId: string, maskId: MaskId | null) => Saving;
}

type Saving = TE.TaskEither<Problem, Kept>;

interface Needs {
  readonly saveList: SaveList;
  readonly toast: ShowToast;
  readonly shown: (maskId: MaskId) => readonly Rule[];
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly patterns: LoadPatterns;
}

const fail = (sentence: string): TE.TaskEither<Problem, never> => TE.left(problemSaying(sentence));

const idsOf = (rules: readonly Rule[]): ReadonlySet<RuleId> => new Set(rules.map(({ id }) => id));

const moved = (rules: readonly Rule[], id: RuleId, to: number): readonly Rule[] => {
  const rule = rules.find((one) => one.id === id);
  return rule ? rules.filter((one) => one.id !== id).toSpliced(Math.max(0, to), 0, rule) : rules;
};

const doesTheSame = (one: Rule, other: Rule): boolean =>
  sameContent(one.conditions, other.conditions) && sameContent(one.actions, other.actions);

const hasPattern = ({ conditions }: RuleDraft): boolean =>
  conditions.some(({ operator }) => operator === "matches_regex");

export const makeRuleEditing = ({ saveList, toast, shown, clock, random, patterns }: Needs): RuleEditing => {
  const iso = (): string => new Date(clock.now()).toISOString();

  /** Where the engine cannot be had, as without a network, expressions are left for the server to check. */
  const compiler = (draft: RuleDraft): Promise<CompilePattern | undefined> =>
    hasPattern(draft)
      ? patterns().then(
          (compile) => compile,
          () => undefined,
        )
      : Promise.resolve(undefined);

  const checked =
    (draft: RuleDraft, maskId: MaskId | null, before: Rule | undefined): TE.TaskEither<Problem, Rule> =>
    () =>
      compiler(draft).then((compile) => {
        const around = { maskId, ...(compile ? { compile } : {}) };
        const id = before?.id ?? newRuleId(clock.now(), random.fraction(), idsOf(shown(maskId ?? "")));
        const made = ruleOf(draft, around, { id, now: iso(), ...(before ? { before } : {}) });
        return E.mapLeft(() => {
          const errors = checkRuleDraft(draft, around);
          return problemSaying(errors[0]?.message ?? "", errors);
        })(made);
      });

  const changing = (
    id: RuleId,
    maskId: MaskId | null,
    then: (rule: Rule, maskId: MaskId) => TE.TaskEither<Problem, Kept>,
  ): Saving => {
    if (maskId === null) return fail(noMaskId);
    const rule = shown(maskId).find((one) => one.id === id);
    return rule ? then(rule, maskId) : fail(ruleNotFound);
  };
  const replacing = (rule: Rule) => (rules: readonly Rule[]) =>
    rules.some(({ id }) => id === rule.id)
      ? rules.map((one) => (one.id === rule.id ? rule : one))
      : [...rules, rule];

  return {
    create: (draft, maskId, origin) =>
      TE.chain((rule: Rule) => saveList(maskId ?? "", origin ?? "create", (rules) => [...rules, rule]))(
        checked(draft, maskId, undefined),
      ),
    update: (id, draft, maskId, opened) =>
      changing(id, maskId, (now, mask) => {
        const before = opened ?? now;
        return TE.chain((rule: Rule) =>
          saveList(mask, "update", (rules) => mergeRules([before], [rule], rules)),
        )(checked(draft, mask, before));
      }),
    remove: (id, maskId) => {
      if (maskId === null) return fail(noMaskId);
      if (!shown(maskId).some((rule) => rule.id === id)) return TE.right(false);
      return TE.map(() => true)(
        saveList(maskId, "delete", (rules) => rules.filter((rule) => rule.id !== id)),
      );
    },
    setEnabled: (id, enabled, maskId) =>
      changing(id, maskId, (rule, mask) =>
        saveList(mask, "status", replacing({ ...rule, enabled, updatedAt: iso() })),
      ),
    move: (id, to, maskId) =>
      changing(id, maskId, (_, mask) => saveList(mask, "order", (rules) => moved(rules, id, to))),
    applyTemplate: (templateId, maskId) => {
      const template = templateNamed(templateId);
      if (!template) return fail(templateNotFound);
      if (maskId === null) return fail(selectMaskFirst);
      const there = shown(maskId);
      const added = rulesOfTemplate(template, maskId, clock.now(), idsOf(there)).filter(
        (rule) => !there.some((one) => doesTheSame(one, rule)),
      );
      if (added.length === 0) {
        toast("info", alreadyApplied(template.name));
        return TE.right("saved");
      }
      return saveList(maskId, "template", (rules) => [...rules, ...added], template.name);
    },
  };
};
