import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import { startTask } from "../../kernel/task.ts";
import type { ToastAction } from "../../kernel/toast.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Rule, RuleId } from "../model/rule.ts";
import type { RuleOperation } from "./ruleMessages.ts";
import { ruleMessages } from "./ruleMessages.ts";
import { createSaveList, type SaveRulesDeps } from "./saveRules.ts";

/** A rule of a list, which is known by the id of its mask or of a list for all masks. */
export interface RuleRef {
  readonly listId: string;
  readonly id: RuleId;
}

/** Changes of several rules of several lists at once, each with one toast that says what became of all. */
export interface ManyRules {
  readonly switchAll: (chosen: readonly RuleRef[], enabled: boolean) => T.Task<void>;
  /** Removes rules and offers to undo that. */
  readonly removeAll: (chosen: readonly RuleRef[]) => T.Task<void>;
}

interface ManyRulesDeps extends SaveRulesDeps {
  readonly clock: Pick<Clock, "now">;
}

type Change = (rules: readonly Rule[], ids: ReadonlySet<RuleId>) => readonly Rule[];

/** The outcome for the rules of all lists. */
interface Outcome {
  readonly changed: number;
  readonly failed: number;
  /** True if some of them wait on this device. */
  readonly isKept: boolean;
  readonly reason: string;
}

const nothing: Outcome = { changed: 0, failed: 0, isKept: false, reason: "" };

const countRules = (count: number): string => (count === 1 ? "1 rule" : `${count} rules`);

const byList = (chosen: readonly RuleRef[]): readonly (readonly [string, ReadonlySet<RuleId>])[] => {
  const lists = new Map<string, Set<RuleId>>();
  for (const { listId, id } of chosen) lists.set(listId, (lists.get(listId) ?? new Set()).add(id));
  return [...lists];
};

export const createManyRules = (deps: ManyRulesDeps): ManyRules => {
  const { toast, owner, shown, clock } = deps;
  const saveQuietly = createSaveList({ ...deps, toast: () => undefined });
  const iso = (): string => new Date(clock.now()).toISOString();

  const saveEach = (
    chosen: readonly RuleRef[],
    operation: RuleOperation,
    change: (listId: string) => Change,
  ): T.Task<Outcome> =>
    byList(chosen).reduce<T.Task<Outcome>>(
      (before, [listId, ids]) =>
        pipe(
          before,
          T.chain((outcome) =>
            pipe(
              saveQuietly(listId, operation, (rules) => change(listId)(rules, ids)),
              T.map(
                E.match(
                  ({ message }) => ({ ...outcome, failed: outcome.failed + ids.size, reason: message }),
                  (saved) => ({
                    ...outcome,
                    changed: outcome.changed + ids.size,
                    isKept: outcome.isKept || saved === "kept",
                  }),
                ),
              ),
            ),
          ),
        ),
      T.of(nothing),
    );

  const report =
    (done: string, total: number, undo?: ToastAction) =>
    ({ changed, failed, isKept, reason }: Outcome): void => {
      if (failed > 0)
        toast("error", `${failed} of ${countRules(total)} could not be changed. ${reason}`.trim());
      if (changed === 0) return;
      if (isKept) toast("warning", ruleMessages.status.kept, undo);
      else toast("success", done, undo);
    };

  /** Runs a change for the user of its beginning: another one sees nothing of it. */
  const run = (work: T.Task<Outcome>, tell: (outcome: Outcome) => void): T.Task<void> => {
    const ownerBefore = owner();
    return pipe(
      work,
      T.chainIOK((outcome) => () => {
        if (owner() === ownerBefore) tell(outcome);
      }),
    );
  };

  const restoreAll = (
    lists: ReadonlyMap<string, readonly Rule[]>,
    chosen: readonly RuleRef[],
  ): T.Task<void> =>
    run(
      saveEach(chosen, "restore", (listId) => (rules, ids) => {
        const here = new Set(rules.map(({ id }) => id));
        return (lists.get(listId) ?? []).reduce<readonly Rule[]>(
          (list, rule, at) =>
            ids.has(rule.id) && !here.has(rule.id)
              ? list.toSpliced(at, 0, { ...rule, updatedAt: iso() })
              : list,
          rules,
        );
      }),
      report(`${countRules(chosen.length)} restored`, chosen.length),
    );

  return {
    switchAll: (chosen, enabled) =>
      run(
        saveEach(
          chosen,
          "status",
          () => (rules, ids) =>
            rules.map((rule) =>
              ids.has(rule.id) && rule.enabled !== enabled ? { ...rule, enabled, updatedAt: iso() } : rule,
            ),
        ),
        report(`${countRules(chosen.length)} switched ${enabled ? "on" : "off"}`, chosen.length),
      ),
    removeAll: (chosen) => {
      const before = new Map(byList(chosen).map(([listId]) => [listId, shown(listId)] as const));
      const undo = { label: "Undo", run: () => startTask(restoreAll(before, chosen)) };
      return run(
        saveEach(chosen, "delete", () => (rules, ids) => rules.filter(({ id }) => !ids.has(id))),
        report(`${countRules(chosen.length)} deleted`, chosen.length, undo),
      );
    },
  };
};
