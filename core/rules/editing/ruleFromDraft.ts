import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Problem } from "../../api/errorMessages.ts";
import { onRejection } from "../../kernel/task.ts";
import type { MaskId } from "../../masks/mask.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CompilePattern, LoadPatterns } from "../../ports/patterns.ts";
import type { Random } from "../../ports/random.ts";
import { isPatternOperator } from "../model/conditionOperator.ts";
import type { Rule, RuleId } from "../model/rule.ts";
import { newRuleId } from "../model/ruleId.ts";
import { buildRule, checkRuleDraft } from "./checkRuleDraft.ts";
import { draftLeaves } from "./conditionGroupDraft.ts";
import type { RuleDraft } from "./ruleDraft.ts";
import { createProblem } from "./saveRules.ts";

export interface RuleFromDraftDeps {
  readonly shown: (maskId: MaskId) => readonly Rule[];
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly patterns: LoadPatterns;
}

/** Returns the ids that are taken in a list. */
export const idsOf = (rules: readonly Rule[]): ReadonlySet<RuleId> => new Set(rules.map(({ id }) => id));

const hasPattern = ({ conditions }: RuleDraft): boolean =>
  draftLeaves(conditions).some(({ operator }) => isPatternOperator(operator));

/** Loads the pattern engine when the draft needs it; without it the server checks the expressions. */
const loadCompiler = (draft: RuleDraft, patterns: LoadPatterns): T.Task<CompilePattern | undefined> =>
  hasPattern(draft)
    ? pipe(
        patterns,
        onRejection(() => undefined),
      )
    : T.of(undefined);

/** Returns the rule of a draft, which replaces the one before; fails with what is wrong in the draft. */
export const ruleFromDraft =
  ({ shown, clock, random, patterns }: RuleFromDraftDeps) =>
  (draft: RuleDraft, maskId: MaskId | null, before: Rule | undefined): TaskEither<Problem, Rule> =>
    pipe(
      loadCompiler(draft, patterns),
      T.map((compile) => {
        const context = { maskId, ...(compile ? { compile } : {}) };
        const id = before?.id ?? newRuleId(clock.now(), random.fraction(), idsOf(shown(maskId ?? "")));
        const now = new Date(clock.now()).toISOString();
        const built = buildRule(draft, context, { id, now, ...(before ? { before } : {}) });
        return E.mapLeft(() => {
          const errors = checkRuleDraft(draft, context);
          return createProblem(errors[0]?.message ?? "", errors);
        })(built);
      }),
    );
