import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import type { Mask, MaskId } from "../../masks/mask.ts";
import type { MaskStatistics } from "../../masks/maskStatistics.ts";
import { allMasks, everyRule } from "../model/rulePlace.ts";

/** The number of times that each rule was applied, by its id. */
export type RuleCounts = Readonly<
  Record<string, { readonly appliedCount: number; readonly lastApplied?: string | undefined }>
>;

export interface RuleCountsDeps {
  /** Fetches the number of times that the rules for all masks were applied; null when that fails. */
  readonly accountCounts: T.Task<RuleCounts | null>;
  /** The statistics of a mask; null when they cannot be fetched. */
  readonly statistics: (maskId: MaskId) => T.Task<MaskStatistics | null>;
}

/** Fetches how often the rules of a mask or of all masks were applied; null where no mask is selected. */
export const fetchRuleCounts =
  ({ accountCounts, statistics }: RuleCountsDeps) =>
  (maskId: MaskId | null): T.Task<RuleCounts | "failed" | null> =>
    maskId === null
      ? T.of(null)
      : pipe(
          maskId === allMasks || maskId === everyRule
            ? accountCounts
            : pipe(
                statistics(maskId),
                T.map((found) => found && (found.rules ?? {})),
              ),
          T.map((found) => found ?? ("failed" as const)),
        );

/** Returns how often the rules of a mask were applied, as the list of masks says it. */
export const countsOfMask = ({ statistics }: Pick<Mask, "statistics">): RuleCounts => statistics?.rules ?? {};

/** Returns the time of the last mail of a mask, or of all masks: rules may have been applied to it. */
export const lastMailAt = (masks: readonly Mask[], selected: MaskId | null): string =>
  masks
    .filter(({ id }) => [allMasks, everyRule, id].includes(selected ?? ""))
    .reduce(
      (last, { statistics }) => ((statistics?.lastUsed ?? "") > last ? (statistics?.lastUsed ?? "") : last),
      "",
    );
