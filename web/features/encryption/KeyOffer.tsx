import { createKeyOffer } from "../../../core/encryption/keyOffer.ts";
import { OfferLine } from "../../items/OfferLine.tsx";
import { addressText } from "../../navigation/address.ts";
import { TargetLink } from "../../navigation/TargetLink.tsx";
import { useFormAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";

/** Offers encryption once more, after the first mail was forwarded. */
export const KeyOffer = ({ onAnswered }: { readonly onAnswered: () => void }) => {
  const offer = useFeature(createKeyOffer);
  const answer = useFormAction(offer.answer, { onSuccess: onAnswered });
  return (
    <OfferLine
      text="Forwarded mail can be read by every server it passes. Encrypt it to a key that only you have."
      shortText="Encrypt forwarded mail?"
      accept={
        <TargetLink
          size="small"
          href={addressText(["settings", "security"])}
          onFollow={() => answer.run("postponed")}
        >
          Set up encryption
        </TargetLink>
      }
      onDecline={() => answer.run("postponed")}
      isRunning={answer.isRunning}
      problem={answer.problem}
    />
  );
};
