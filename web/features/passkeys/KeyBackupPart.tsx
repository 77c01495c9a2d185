import { useEffect } from "react";
import { createEncryption } from "../../../core/encryption/encryption.ts";
import { createKeyBackups } from "../../../core/passkeys/keyBackups.ts";
import type { Passkeys } from "../../../core/passkeys/passkeys.ts";
import { useAction, useFormAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";

/** Lets a passkey open the mail of new devices, where this one has the key. */
export const KeyBackupPart = ({ passkeys }: { readonly passkeys: Passkeys }) => {
  const encryption = useFeature(createEncryption);
  const backups = useFeature(createKeyBackups);
  const state = useObservable(encryption.state$);
  const view = useObservable(passkeys.view$);
  const { run: load } = useAction(encryption.refreshMissing);
  useEffect(() => load(), [load]);
  const { run: refresh } = useAction(passkeys.refresh);
  const make = useFormAction(backups.make, { onSuccess: (isMade: boolean) => isMade && refresh() });
  if (state.at !== "on" || state.key === null || !passkeys.isSupported()) return null;
  const areAll = view?.passkeys.every(({ opensMail }) => opensMail) === true;
  return (
    <>
      {!areAll && (
        <>
          <p>
            A passkey can open your encrypted mail on a new device, without the backup and its passphrase. The
            server keeps your key locked with a secret that only the passkey knows.
          </p>
          <ButtonRow>
            <Button
              isPending={make.isRunning}
              pendingLabel="Waiting for your passkey…"
              onPress={() => make.run(encryption)}
            >
              Let a passkey open my mail
            </Button>
          </ButtonRow>
        </>
      )}
      <ProblemBanner problem={make.problem} />
    </>
  );
};
