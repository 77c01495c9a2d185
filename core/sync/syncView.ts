import type { ToastContent } from "../kernel/toast.ts";
import { countChanges } from "../rules/model/mergeRules.ts";
import type { PendingSync } from "./pendingRecord.ts";
import type { SyncReason } from "./syncStep.ts";

/** The result of a round (SY2): the number of masks saved, of masks still unsaved, and of failures in this round. */
export interface SyncResult {
  readonly synced: number;
  readonly remaining: number;
  readonly failed: number;
}

/** The text of the banner (SY4). */
export const pendingMessage = (masks: number, rules: number): string =>
  `${masks} mask(s) with ${rules} rule(s) pending sync`;

/** The progress texts: for a sync that the user starts, and for an automatic one. */
const manualSyncMessage = "Syncing pending rules...";
const automaticSyncMessage = "Syncing rules...";

interface RoundEnd extends SyncResult {
  /** The reason of the last failure; null without one. */
  readonly reason: string | null;
  /** Whether the server could not be reached. */
  readonly offline: boolean;
}

/** Returns the toast after a round (SY4, D17); null when there was nothing to do. */
export const roundEndToast = ({ synced, remaining, reason, offline }: RoundEnd): ToastContent | null => {
  if (remaining === 0)
    return synced === 0 ? null : { kind: "success", text: `Successfully synced rules for ${synced} mask(s)` };
  if (synced > 0) return { kind: "warning", text: `${remaining} mask(s) still pending sync` };
  if (offline || reason === null) return { kind: "warning", text: "Sync failed. Will retry when online." };
  return { kind: "error", text: `Failed to sync rules: ${reason}` };
};

/** The content of the sync banner (SY4). */
export interface SyncView {
  /** The number of masks with unsaved changes. */
  readonly masks: number;
  /** The number of rules that were added, edited, deleted or moved in them. */
  readonly rules: number;
  /** "N mask(s) with M rule(s) pending sync"; null when everything is saved, or a save is under way and nothing failed. */
  readonly message: string | null;
  /** The progress text; null while nothing is being sent. */
  readonly progress: string | null;
  /** Masks whose changes the server refuses, with its reason; an automatic retry would not help. */
  readonly refused: readonly { readonly maskId: string; readonly reason: string }[];
  /** An attempt has failed, so that the banner offers actions. */
  readonly hasErrors: boolean;
}

export const toSyncView = (records: PendingSync["masks"], sending: SyncReason | null): SyncView => {
  const pending = Object.entries(records);
  const rules = pending.reduce((sum, [, { base, rules }]) => sum + countChanges(base.rules, rules), 0);
  const hasErrors = pending.some(([, { lastError }]) => lastError !== null);
  const isSavedSoon = sending === "edit" && !hasErrors;
  const progress = sending === "by-hand" ? manualSyncMessage : automaticSyncMessage;
  return {
    masks: pending.length,
    rules,
    message: pending.length === 0 || isSavedSoon ? null : pendingMessage(pending.length, rules),
    progress: sending === null ? null : progress,
    refused: pending.flatMap(([maskId, { refused, lastError }]) =>
      refused === undefined ? [] : [{ maskId, reason: lastError ?? "" }],
    ),
    hasErrors,
  };
};

/** The warning for a logout while rules are pending, because a logout deletes everything stored in the browser (D45). */
export const unsavedWarning = ({ masks, rules }: SyncView): string | null => {
  if (masks === 0) return null;
  if (rules === 1) return "1 rule is not on the server yet. Logging out deletes the change.";
  return `${rules} rules are not on the server yet. Logging out deletes the changes.`;
};
