import { useId } from "react";
import { isActive, type Mask, statisticsOf } from "../../core/masks/mask.ts";
import { shownAddress } from "../../core/masks/shownAddress.ts";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Card } from "../ui/Card.tsx";
import { CopyableText } from "../ui/CopyableText.tsx";
import { Stat } from "../ui/Stat.tsx";
import { StatList } from "../ui/StatList.tsx";
import { Switch } from "../ui/Switch.tsx";
import { shortDate } from "../wording/dates.ts";
import { AwaitingConfirmation } from "./AwaitingConfirmation.tsx";
import styles from "./MaskCard.module.css";
import { MaskMenu } from "./MaskMenu.tsx";
import { nameOf, type OpenMaskDialog } from "./maskDialog.ts";

interface MaskCardProps {
  readonly mask: Mask;
  readonly isNewest: boolean;
  readonly onOpen: OpenMaskDialog;
  readonly onIntent: () => void;
}

/** One mask: its address, its switch, where its mail goes and what has come of it (MA4). */
export const MaskCard = ({ mask, isNewest, onOpen, onIntent }: MaskCardProps) => {
  const { masks, page } = useApp();
  const isNarrow = useObservable(page.narrow$);
  const copied = useObservable(masks.copied$);
  const pending = useObservable(masks.pendingIds$);
  const toggle = useAction(masks.setActive);
  const copy = useAction(masks.copyAddress);
  const nameId = useId();
  const active = isActive(mask);
  const statistics = statisticsOf(mask);

  return (
    <Card as="li" aria-labelledby={nameId} isMuted={!active} isHighlighted={isNewest} className={styles.card}>
      <div className={styles.head}>
        <h2 className={styles.name} id={nameId}>
          {nameOf(mask)}
        </h2>
        <div className={styles.controls}>
          <Switch
            label={`${nameOf(mask)} forwards mail`}
            isLabelHidden
            isOn={active}
            isPending={pending.has(mask.id)}
            onChange={(on) => toggle.run(mask.id, on)}
          />
          <MaskMenu mask={mask} onOpen={onOpen} onIntent={onIntent} onCopy={() => copy.run(mask.id)} />
        </div>
      </div>
      <CopyableText
        size="large"
        text={mask.maskEmail}
        shown={shownAddress(mask, isNarrow)}
        onCopy={() => copy.run(mask.id)}
        isCopied={copied === mask.id}
        isMuted={!active}
      />
      <p className={styles.facts}>
        <span className={styles.fact}>
          Forwards to <span className={styles.forwardTo}>{mask.forwardTo}</span>
        </span>
        <span className={styles.fact}>Created {shortDate(mask.created)}</span>
        {!active && <span className={styles.fact}>Switched off: mail to it is refused</span>}
      </p>
      {mask.destinationStatus === "awaiting-confirmation" && (
        <AwaitingConfirmation
          mask={mask}
          onChange={() => onOpen({ kind: "edit", mask })}
          onIntent={onIntent}
        />
      )}
      <div className={styles.figures}>
        <StatList aria-label={`Mail of ${nameOf(mask)}`}>
          <Stat label="Emails received" value={statistics.totalReceived} isMuted={!active} />
          <Stat label="Forwarded" value={statistics.totalForwarded} isMuted={!active} />
          <Stat label="Blocked" value={statistics.spamBlocked} isMuted={!active} />
          <Stat label="Replied" value={statistics.totalSent} isMuted={!active} />
        </StatList>
      </div>
    </Card>
  );
};
