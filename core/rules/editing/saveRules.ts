import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { type Problem, problemOf } from "../../api/errorMessages.ts";
import { serverError } from "../../api/failureNotices.ts";
import { type Failure, invalid } from "../../kernel/failure.ts";
import { deferTask, mapResult } from "../../kernel/task.ts";
import type { ShowToast, ToastAction } from "../../kernel/toast.ts";
import type { MaskId } from "../../masks/mask.ts";
import type { Rule } from "../model/rule.ts";
import type { RuleChange, VersionedRules } from "../sync/pendingRecord.ts";
import { reasonAfterSentence } from "../sync/saveFailure.ts";
import type { SaveOutcome } from "../sync/saveWaiters.ts";
import { type RuleOperation, ruleMessages } from "./ruleMessages.ts";

export interface SaveRulesDeps {
  /** Stores a change and sends it; one that the server answers with a failure is taken back, because its form has it. */
  readonly save: (
    maskId: MaskId,
    fromServer: VersionedRules,
    change: RuleChange,
  ) => TE.TaskEither<Failure, SaveOutcome>;
  readonly rulesFromServer: (maskId: MaskId) => VersionedRules;
  readonly shown: (maskId: MaskId) => readonly Rule[];
  readonly toast: ShowToast;
  /** The current user; toasts are not shown to another user. */
  readonly owner: () => string | null;
}

/** Creates a problem that was found before any request. */
export const createProblem = (message: string, fields: Problem["fields"] = []): Problem => ({
  message,
  fields,
  failure: invalid(fields),
});

/** The task of a change to rules: whether the server has it, or it is kept here until then. */
export type SaveTask = TE.TaskEither<Problem, SaveOutcome>;

/** Fails before any request. */
export const failWith = (sentence: string): TE.TaskEither<Problem, never> => TE.left(createProblem(sentence));

/** True if a message is about the network, so that it warns instead of reporting an error (RU9). */
export const isNetworkError = (message: string): boolean => /network error/i.test(message);

const failureMessage = (operation: RuleOperation, failure: Failure): string => {
  const { failed, includesReason } = ruleMessages[operation];
  const reason = reasonAfterSentence(failure);
  return includesReason && reason !== "" ? `${failed}: ${reason}` : failed;
};

interface SaveToast {
  /** Fills the message of a template. */
  readonly templateName?: string;
  readonly action?: ToastAction;
}

/** Runs one change of a mask's list and shows its toast (D17, RU9). */
export type SaveList = (
  maskId: MaskId,
  operation: RuleOperation,
  change: (rules: readonly Rule[]) => readonly Rule[],
  successToast?: SaveToast,
) => SaveTask;

export const createSaveList =
  ({ save, rulesFromServer, shown, toast, owner }: SaveRulesDeps): SaveList =>
  (maskId, operation, change, { templateName = "", action } = {}) =>
    deferTask(() => {
      const ownerBefore = owner();
      const before = shown(maskId);
      const messages = ruleMessages[operation];
      const showToast: ShowToast = (...content) => {
        if (owner() === ownerBefore) toast(...content);
      };
      const failed = (failure: Failure): Problem => {
        const message = failureMessage(operation, failure);
        if (failure.kind === "refused" && failure.status >= 500) showToast("error", serverError(failure));
        else showToast(isNetworkError(message) ? "warning" : "error", message);
        return { ...problemOf("updateMaskRules")(failure), message };
      };
      const succeeded = (outcome: SaveOutcome): SaveOutcome => {
        showToast(
          outcome === "saved" ? "success" : "warning",
          messages[outcome].replace("{template}", () => templateName),
          action,
        );
        return outcome;
      };
      const rules = change(before);
      return pipe(
        save(maskId, rulesFromServer(maskId), { before, rules }),
        mapResult(E.bimap(failed, succeeded)),
      );
    });
