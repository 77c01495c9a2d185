import { useState } from "react";
import { createPasskeys } from "../../../core/passkeys/passkeys.ts";
import { useAction, useFormAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Dialog } from "../../ui/overlay/Dialog.tsx";

/** Offers a passkey where the browser has them; every way out but making one declines it for good. */
export const PasskeyOffer = ({ isDue }: { readonly isDue: boolean }) => {
  const passkeys = useFeature(createPasskeys);
  const [isAnswered, setAnswered] = useState(false);
  const decline = useAction(passkeys.answerOffer);
  const add = useFormAction(passkeys.add, { onSuccess: (made) => made !== null && setAnswered(true) });
  const close = (): void => {
    setAnswered(true);
    decline.run("declined");
  };
  return (
    passkeys.isSupported() && (
      <Dialog
        isOpen={isDue && !isAnswered}
        onClose={close}
        title="Log in without a code next time?"
        size="small"
        isPending={add.isRunning}
        footer={
          <>
            <Button onPress={close} isDisabled={add.isRunning}>
              Not now
            </Button>
            <Button
              variant="primary"
              isPending={add.isRunning}
              pendingLabel="Waiting for your device…"
              onPress={() => add.run()}
            >
              Add a passkey
            </Button>
          </>
        }
      >
        <p>
          A passkey logs you in with your fingerprint, face or PIN, without an email to wait for. You can also
          add one later, in Settings, Security.
        </p>
        <ProblemBanner problem={add.problem} />
      </Dialog>
    )
  );
};
