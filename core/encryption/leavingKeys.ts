import type { Store } from "../storage/store.ts";
import { plainText } from "../storage/storedCodecs.ts";
import { storedKeys } from "../storage/storedKeys.ts";

/** What somebody is told who logs out while private keys are on the device, since a logout leaves nothing there (D45). */
const leavingKeys =
  "Your private key is deleted from this device when you log out. To read encrypted mail here again you will need its backup and passphrase.";

/** Makes what tells whether a logout deletes private keys: the sentence, or null when there are none. */
export const makeLeavingKeys = (store: Store): (() => string | null) => {
  const keyOwner = store.of(storedKeys.keyOwner, plainText);
  return () => (keyOwner.read() === null ? null : leavingKeys);
};
