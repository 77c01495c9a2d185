import { useEffect, useState } from "react";
import type { Problem } from "../../../core/api/errorMessages.ts";
import { createPasskeySignIn, type PasskeySignIn } from "../../../core/passkeys/passkeySignIn.ts";
import { useFormAction } from "../../react/useAction.ts";
import { useApp } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";

const SupportedButton = ({ passkeys }: { readonly passkeys: PasskeySignIn }) => {
  const ask = useFormAction(passkeys.ask);
  const [offerProblem, setOfferProblem] = useState<Problem | null>(null);
  useEffect(() => {
    if (ask.isRunning) return;
    const offer = passkeys.offered$.subscribe(setOfferProblem);
    return () => offer.unsubscribe();
  }, [passkeys, ask.isRunning]);
  return (
    <>
      <Button
        size="large"
        isFullWidth
        isPending={ask.isRunning}
        pendingLabel="Waiting for your passkey…"
        onPress={() => {
          setOfferProblem(null);
          ask.run();
        }}
      >
        Use a passkey
      </Button>
      <ProblemBanner problem={ask.problem ?? offerProblem} />
    </>
  );
};

/** Signs in with a passkey, by this button or among the suggestions of the field; nothing where the browser has none. */
export const PasskeyButton = () => {
  const passkeys = useApp().feature(createPasskeySignIn);
  return passkeys.isSupported() && <SupportedButton passkeys={passkeys} />;
};
