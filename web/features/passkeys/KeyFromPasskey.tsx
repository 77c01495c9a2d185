import { useEffect } from "react";
import { createEncryption } from "../../../core/encryption/encryption.ts";
import { createKeyBackups } from "../../../core/passkeys/keyBackups.ts";
import type { PasskeyAnswer } from "../../../core/passkeys/usedPasskey.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";

/** Takes the private key to this device where the passkey that has signed in opens it; shows nothing. */
export const KeyFromPasskey = ({ answer }: { readonly answer: PasskeyAnswer }) => {
  const encryption = useFeature(createEncryption);
  const backups = useFeature(createKeyBackups);
  const { run: open } = useAction(() => backups.openAfterSignIn(encryption, answer));
  const { run: load } = useAction(encryption.refresh, { onSuccess: () => open() });
  useEffect(() => load(), [load]);
  return null;
};
