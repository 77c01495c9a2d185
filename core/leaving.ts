import type { LateParts } from "./lateParts.ts";
import type { Store } from "./storage/store.ts";
import { plainText } from "./storage/storedCodecs.ts";
import { storedKeys } from "./storage/storedKeys.ts";
import { unsavedSentence } from "./sync/unsaved.ts";

/** What a logout would take away. */
export interface Leaving {
  /** What it would lose of what was done, in a sentence to be asked about first; null when it loses nothing. */
  readonly unsaved: () => string | null;
  /** Whether it deletes private keys, which only a backup brings back. */
  readonly losesKeys: () => boolean;
}

/** While the rules' code is not here, what an earlier visit has left unsent counts. */
export const makeLeaving = (store: Store, { rules }: Pick<LateParts, "rules">): Leaving => {
  const pending = store.of(storedKeys.pendingRulesSync, plainText);
  const keyOwner = store.of(storedKeys.keyOwner, plainText);
  return {
    unsaved: () => {
      const late = rules.state$.value;
      if (late.kind !== "here") return pending.read() === null ? null : unsavedSentence(null);
      const { masks, rules: count } = late.part.sync.view$.value;
      return masks === 0 ? null : unsavedSentence(count);
    },
    losesKeys: () => keyOwner.read() !== null,
  };
};
