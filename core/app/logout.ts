import { plainText, type Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { unsavedMessage } from "../sync/unsavedWarning.ts";
import type { LateParts } from "./lateParts.ts";

/** What a logout deletes from this browser. */
export interface Logout {
  /** The message that warns of unsaved changes, to be confirmed before the logout; null when there are none. */
  readonly unsavedWarning: () => string | null;
  /** Whether a logout deletes private keys, which only a backup can restore. */
  readonly deletesPrivateKeys: () => boolean;
}

/** Reads the unsaved changes from the sync, or from storage while the code of the rules is not loaded. */
export const createLogout = (store: Store, { rules }: Pick<LateParts, "rules">): Logout => {
  const pendingRules = store.get(storedKeys.pendingRulesSync, plainText);
  const keyOwner = store.get(storedKeys.keyOwner, plainText);
  return {
    unsavedWarning: () => {
      const late = rules.state$.value;
      if (late.kind !== "here") return pendingRules.read() === null ? null : unsavedMessage(null);
      const { masks, rules: count } = late.part.sync.view$.value;
      return masks === 0 ? null : unsavedMessage(count);
    },
    deletesPrivateKeys: () => keyOwner.read() !== null,
  };
};
