import type { ToastContent } from "../../kernel/toast.ts";
import { countChanges } from "../model/mergeRules.ts";
import { placeOfList } from "../model/rulePlace.ts";
import { hasChanges, type PendingSync } from "./pendingRecord.ts";
import type { SyncReason } from "./syncStep.ts";

/** The result of a round (SY2): the number of masks saved, of masks still unsaved, and of failures in this round. */
export interface SyncResult {
  readonly synced: number;
  readonly remaining: number;
  readonly failed: number;
}

/** The text of the banner (SY4); `masks` does not count the rules for all masks, which may be changed alone. */
export const pendingMessage = (masks: number, rules: number, isAllMasks = false): string => {
  if (!isAllMasks) return `${masks} mask(s) with ${rules} rule(s) pending sync`;
  return masks === 0
    ? `${rules} rule(s) for all masks pending sync`
    : `${masks} mask(s) and all masks together with ${rules} rule(s) pending sync`;
};

/** The progress texts: for a sync that the user starts, and for an automatic one. */
const manualSyncMessage = "Syncing pending rules...";
const automaticSyncMessage = "Syncing rules...";

interface RoundEnd extends SyncResult {
  /** The reason of the last failure; null without one. */
  readonly reason: string | null;
  /** True if the server could not be reached. */
  readonly offline: boolean;
  /** True if only rules for all masks were synced. */
  readonly isAllMasks?: boolean;
}

/** Returns the toast after a round (SY4, D17); null when there was nothing to do. */
export const roundEndToast = (end: RoundEnd): ToastContent | null => {
  const { synced, remaining, reason, offline, isAllMasks = false } = end;
  const whose = isAllMasks ? "all masks" : `${synced} mask(s)`;
  if (remaining === 0)
    return synced === 0 ? null : { kind: "success", text: `Successfully synced rules for ${whose}` };
  if (synced > 0) return { kind: "warning", text: `${remaining} mask(s) still pending sync` };
  if (offline || reason === null) return { kind: "warning", text: "Sync failed. Will retry when online." };
  return { kind: "error", text: `Failed to sync rules: ${reason}` };
};

/** The content of the sync banner (SY4). */
export interface SyncView {
  /** The number of masks with unsaved changes, without the rules for all masks. */
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

export const toSyncView = (
  records: PendingSync["masks"],
  sending: SyncReason | null,
  underWay: ReadonlySet<string>,
): SyncView => {
  const pending = Object.entries(records).filter(([, record]) => hasChanges(record));
  const rules = pending.reduce((sum, [, { base, rules }]) => sum + countChanges(base.rules, rules), 0);
  const hasErrors = pending.some(([, { lastError }]) => lastError !== null);
  const masks = pending.filter(([id]) => placeOfList(id) === null).length;
  const isSavedSoon = !hasErrors && (sending === "edit" || pending.every(([id]) => underWay.has(id)));
  const progress = sending === "by-hand" ? manualSyncMessage : automaticSyncMessage;
  return {
    masks,
    rules,
    message:
      pending.length === 0 || isSavedSoon ? null : pendingMessage(masks, rules, masks < pending.length),
    progress: sending === null ? null : progress,
    refused: pending.flatMap(([maskId, { refused, lastError }]) =>
      refused === undefined ? [] : [{ maskId, reason: lastError ?? "" }],
    ),
    hasErrors,
  };
};

/** The warning for a logout while rules are pending, because a logout deletes everything stored in the browser (D45). */
export const unsavedWarning = ({ masks, rules }: SyncView): string | null => {
  if (masks === 0 && rules === 0) return null;
  if (rules === 1) return "1 rule is not on the server yet. Logging out deletes the change.";
  return `${rules} rules are not on the server yet. Logging out deletes the changes.`;
};
