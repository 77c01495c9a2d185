import type { ReactNode } from "react";
import { createPasskeys } from "../../../core/passkeys/passkeys.ts";
import { OfferLine } from "../../items/OfferLine.tsx";
import { useAction, useFormAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";

interface PasskeyOfferProps {
  readonly onAnswered: () => void;
  /** Is shown where the browser has no passkeys. */
  readonly otherwise: ReactNode;
}

/** Offers a passkey; "Not now" declines it for good. */
export const PasskeyOffer = ({ onAnswered, otherwise }: PasskeyOfferProps) => {
  const passkeys = useFeature(createPasskeys);
  const decline = useAction(passkeys.answerOffer);
  const add = useFormAction(passkeys.add, { onSuccess: (made) => made !== null && onAnswered() });
  if (!passkeys.isSupported()) return otherwise;
  return (
    <OfferLine
      text="Log in without a code next time?"
      accept={
        <Button size="small" isPending={add.isRunning} onPress={() => add.run()}>
          Add a passkey
        </Button>
      }
      onDecline={() => {
        decline.run("declined");
        onAnswered();
      }}
      isRunning={add.isRunning}
      problem={add.problem}
    />
  );
};
