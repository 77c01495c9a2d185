import type { ReactNode } from "react";
import { createPasskeys } from "../../../core/passkeys/passkeys.ts";
import { OfferLine } from "../../items/OfferLine.tsx";
import { useFormAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";

interface PasskeyOfferProps {
  readonly onAnswered: () => void;
  /** Is shown where the browser has no passkeys. */
  readonly otherwise: ReactNode;
}

/** Offers a passkey; "Not now" puts it off until the next login, "Don’t ask again" for good. */
export const PasskeyOffer = ({ onAnswered, otherwise }: PasskeyOfferProps) => {
  const passkeys = useFeature(createPasskeys);
  const never = useFormAction(passkeys.answerOffer, { onSuccess: onAnswered });
  const add = useFormAction(passkeys.add, { onSuccess: (made) => made !== null && onAnswered() });
  if (!passkeys.isSupported()) return otherwise;
  return (
    <OfferLine
      text="Log in without a code next time?"
      shortText="No code next time?"
      accept={
        <Button size="small" isPending={add.isRunning} onPress={() => add.run()}>
          Add a passkey
        </Button>
      }
      onDecline={onAnswered}
      onNever={() => never.run("declined")}
      isRunning={add.isRunning || never.isRunning}
      problem={add.problem ?? never.problem}
    />
  );
};
