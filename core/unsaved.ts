import type { LateParts } from "./lateParts.ts";
import type { Store } from "./storage/store.ts";
import { plainText } from "./storage/storedCodecs.ts";
import { storedKeys } from "./storage/storedKeys.ts";
import { unsavedSentence } from "./sync/unsaved.ts";

/**
 * What a logout would lose, in a sentence to be asked about first; null when it loses nothing. While the rules' code
 * is not here, what an earlier visit has left unsent counts.
 */
export const makeUnsaved = (store: Store, { rules }: Pick<LateParts, "rules">): (() => string | null) => {
  const pending = store.of(storedKeys.pendingRulesSync, plainText);
  return () => {
    const late = rules.state$.value;
    if (late.kind !== "here") return pending.read() === null ? null : unsavedSentence(null);
    const { masks, rules: count } = late.part.sync.view$.value;
    return masks === 0 ? null : unsavedSentence(count);
  };
};
