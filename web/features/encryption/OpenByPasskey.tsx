import type { Encryption } from "../../../core/encryption/encryption.ts";
import { createKeyBackups } from "../../../core/passkeys/keyBackups.ts";
import { createPasskeys } from "../../../core/passkeys/passkeys.ts";
import { useFormAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";

/** Opens the private key on this device with a passkey; nothing where the browser has none. */
export const OpenByPasskey = ({ encryption }: { readonly encryption: Encryption }) => {
  const isSupported = useFeature(createPasskeys).isSupported();
  const backups = useFeature(createKeyBackups);
  const open = useFormAction(backups.open);
  return (
    isSupported && (
      <>
        <Button
          isPending={open.isRunning}
          pendingLabel="Waiting for your passkey…"
          onPress={() => open.run(encryption)}
        >
          Open with a passkey
        </Button>
        <ProblemBanner problem={open.problem} />
      </>
    )
  );
};
