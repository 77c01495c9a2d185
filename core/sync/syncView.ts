import { countChanges } from "../rules/mergeRules.ts";
import type { PendingSync } from "./pendingRecord.ts";
import { pendingSentence, syncing, syncingPending } from "./syncSentences.ts";
import type { SyncReason } from "./syncStep.ts";

/** What the banner shows (SY4). */
export interface SyncView {
  /** Masks with changes that are not saved. */
  readonly masks: number;
  /** Rules that were added, edited, deleted or moved in them. */
  readonly rules: number;
  /** "N mask(s) with M rule(s) pending sync"; null when all is saved. */
  readonly sentence: string | null;
  /** What is being done about it; null while nothing is. */
  readonly progress: string | null;
  /** Masks whose changes the server does not take, and what it said: trying again by itself would not help. */
  readonly refused: readonly { readonly maskId: string; readonly reason: string }[];
  /** Tries have failed: there is something to be done by hand. */
  readonly hasErrors: boolean;
}

export const syncView = (records: PendingSync["masks"], sending: SyncReason | null): SyncView => {
  const pending = Object.entries(records);
  const rules = pending.reduce((sum, [, { base, rules }]) => sum + countChanges(base.rules, rules), 0);
  const progress = sending === "by-hand" ? syncingPending : syncing;
  return {
    masks: pending.length,
    rules,
    sentence: pending.length === 0 ? null : pendingSentence(pending.length, rules),
    progress: sending === null ? null : progress,
    refused: pending.flatMap(([maskId, { refused, lastError }]) =>
      refused === undefined ? [] : [{ maskId, reason: lastError ?? "" }],
    ),
    hasErrors: pending.some(([, { lastError }]) => lastError !== null),
  };
};
