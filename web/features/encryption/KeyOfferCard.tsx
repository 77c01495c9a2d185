import { createKeyOffer } from "../../../core/encryption/keyOffer.ts";
import { addressText } from "../../navigation/address.ts";
import { TargetLink } from "../../navigation/TargetLink.tsx";
import { useFormAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import styles from "./Encryption.module.css";

/** Offers encryption once more, after the first mail was forwarded. */
export const KeyOfferCard = () => {
  const offer = useFeature(createKeyOffer);
  const answer = useFormAction(offer.answer);
  return (
    <div className={styles.panel}>
      <Banner>
        <div className={styles.panel}>
          <p>Forwarded mail can be read by every server it passes. Encrypt it to a key that only you have.</p>
          <ButtonRow>
            <TargetLink
              size="small"
              href={addressText(["settings", "security"])}
              onFollow={() => answer.run("postponed")}
            >
              Set up encryption
            </TargetLink>
            <Button size="small" onPress={() => answer.run("postponed")} isDisabled={answer.isRunning}>
              Later
            </Button>
            <Button
              size="small"
              variant="quiet"
              onPress={() => answer.run("declined")}
              isDisabled={answer.isRunning}
            >
              Don’t ask again
            </Button>
          </ButtonRow>
        </div>
      </Banner>
      <ProblemBanner problem={answer.problem} />
    </div>
  );
};
