import * as E from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import { type Failure, invalid, isTold } from "../kernel/failure.ts";
import type { MaskId } from "../masks/mask.ts";
import type { Rule } from "../rules/rule.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import { reasonOf } from "../sync/reason.ts";
import type { ShowToast, ToastKind } from "../toasts/toast.ts";
import { type RuleDeed, ruleSentences } from "./ruleSentences.ts";
import type { ToldRules } from "./toldRules.ts";

/** A list as its owner saw it, and what they made of it. */
export interface ListChange {
  readonly seen: readonly Rule[];
  readonly rules: readonly Rule[];
}

/** How a change was kept: the server has it, or it will be sent when there is a network. */
export type Kept = "saved" | "kept";

export interface SaveNeeds {
  /** Writes a change down and sends it; what is refused is kept too. */
  readonly save: (maskId: MaskId, known: ToldRules, change: ListChange) => TaskEither<Failure, Kept>;
  readonly told: (maskId: MaskId) => ToldRules;
  readonly shown: (maskId: MaskId) => readonly Rule[];
  readonly toast: ShowToast;
  /** Whose rules they are: somebody who has left is told nothing. */
  readonly owner: () => string | null;
}

/** A problem that was found before anything was sent. */
export const problemSaying = (sentence: string, fields: Problem["fields"] = []): Problem => ({
  sentence,
  fields,
  failure: invalid(fields),
});

const networkError = /network error/i;

const failureSentence = (deed: RuleDeed, failure: Failure): string => {
  const { failed, saysWhy } = ruleSentences[deed];
  const why = reasonOf(failure);
  return saysWhy && why !== "" ? `${failed}: ${why}` : failed;
};

/** Runs one change of a mask's list, with its one toast (D17, RU9). */
export type SaveList = (
  maskId: MaskId,
  deed: RuleDeed,
  change: (rules: readonly Rule[]) => readonly Rule[],
  named?: string,
) => TaskEither<Problem, Kept>;

export const makeSaveList =
  ({ save, told, shown, toast, owner }: SaveNeeds): SaveList =>
  (maskId, deed, change, named = "") =>
  () => {
    const who = owner();
    const seen = shown(maskId);
    const words = ruleSentences[deed];
    const say = (kind: ToastKind, text: string): void => {
      if (owner() === who) toast(kind, text);
    };
    const failed = (failure: Failure): Problem => {
      const sentence = failureSentence(deed, failure);
      if (!isTold(failure)) say(networkError.test(sentence) ? "warning" : "error", sentence);
      return { ...problemOf("updateMaskRules")(failure), sentence };
    };
    const succeeded = (how: Kept): Kept => {
      say(how === "saved" ? "success" : "warning", words[how].replace("{template}", named));
      return how;
    };
    const rules = change(seen);
    /** What was refused for good is taken back: whoever tries again would have it twice. */
    const takeBack = (failure: Failure): void => {
      if (failure.kind === "refused" && owner() === who)
        void save(maskId, told(maskId), { seen: rules, rules: seen })();
    };
    return save(maskId, told(maskId), { seen, rules })().then((result) => {
      if (E.isLeft(result)) takeBack(result.left);
      return E.bimap(failed, succeeded)(result);
    });
  };
