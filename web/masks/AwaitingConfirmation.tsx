import type { Mask } from "../../core/masks/mask.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import styles from "./MaskCard.module.css";

interface AwaitingConfirmationProps {
  readonly mask: Mask;
  readonly onChange: () => void;
  readonly onIntent: () => void;
}

/** Says why a mask does not forward yet, and both ways on: open the link, or name another address (D33). */
export const AwaitingConfirmation = ({ mask, onChange, onIntent }: AwaitingConfirmationProps) => (
  <div className={styles.awaiting}>
    <Badge kind="warning" hasDot>
      Awaiting confirmation
    </Badge>
    <p className={styles.hint}>
      Open the link in the mail we sent to <span className={styles.forwardTo}>{mask.forwardTo}</span>. Until
      then nothing is forwarded, and senders are asked to try again later.
    </p>
    {/* biome-ignore lint/a11y/noStaticElementInteractions: only fetches early what the button inside will open */}
    <span onPointerEnter={onIntent} onFocus={onIntent}>
      <Button size="small" onPress={onChange}>
        Change address
      </Button>
    </span>
  </div>
);
