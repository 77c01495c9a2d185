import type { ToastKind } from "../toasts/toast.ts";

/** How a round of sending ended (SY2): masks saved, masks not saved yet, and how many of these failed just now. */
export interface SyncResult {
  readonly synced: number;
  readonly remaining: number;
  readonly failed: number;
}

/** What stands in the banner (SY4). */
export const pendingSentence = (masks: number, rules: number): string =>
  `${masks} mask(s) with ${rules} rule(s) pending sync`;

/** Said when somebody asks for it, and when it begins by itself. */
export const syncingPending = "Syncing pending rules...";
export const syncing = "Syncing rules...";

interface Said {
  readonly kind: ToastKind;
  readonly text: string;
}

interface Ending extends SyncResult {
  /** What the last failure said; null when none did. */
  readonly reason: string | null;
  /** Whether it was that nobody answered. */
  readonly offline: boolean;
}

/** The one sentence of a round that somebody waited for (SY4, D17); null when there was nothing to do. */
export const endingSentence = ({ synced, remaining, reason, offline }: Ending): Said | null => {
  if (remaining === 0)
    return synced === 0 ? null : { kind: "success", text: `Successfully synced rules for ${synced} mask(s)` };
  if (synced > 0) return { kind: "warning", text: `${remaining} mask(s) still pending sync` };
  if (offline || reason === null) return { kind: "warning", text: "Sync failed. Will retry when online." };
  return { kind: "error", text: `Failed to sync rules: ${reason}` };
};
