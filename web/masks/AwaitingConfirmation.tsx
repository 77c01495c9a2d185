import type { Mask } from "../../core/masks/mask.ts";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import styles from "./MaskCard.module.css";

interface AwaitingConfirmationProps {
  readonly mask: Mask;
  readonly onChange: () => void;
  readonly onIntent: () => void;
}

/** Says why a mask does not forward yet, and the ways on: open the link, have it sent again, or name another address (D33). */
export const AwaitingConfirmation = ({ mask, onChange, onIntent }: AwaitingConfirmationProps) => {
  const { masks } = useApp();
  const again = useAction(masks.askAgain);
  return (
    <div className={styles.awaiting}>
      <Badge kind="warning" hasDot>
        Awaiting confirmation
      </Badge>
      <p className={styles.hint}>
        Open the link in the mail we sent to <span className={styles.forwardTo}>{mask.forwardTo}</span>. Until
        then nothing is forwarded, and senders are asked to try again later.
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only fetches early what a button inside will open */}
      <span className={styles.ways} onPointerEnter={onIntent} onFocus={onIntent}>
        <Button size="small" onPress={() => again.run(mask)} isPending={again.isRunning}>
          Send again
        </Button>
        <Button size="small" onPress={onChange}>
          Change address
        </Button>
      </span>
    </div>
  );
};
