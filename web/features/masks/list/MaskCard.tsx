import { memo, type Ref, useId } from "react";
import { toSearchText } from "../../../../core/kernel/searchText.ts";
import {
  isActive,
  type Mask,
  shownAddress,
  statisticsOf,
  type WhenOff,
} from "../../../../core/masks/mask.ts";
import { maskName } from "../../../../core/masks/maskListSettings.ts";
import { labelSearch } from "../../../../core/masks/maskSearch.ts";
import type { MaskStatistics } from "../../../../core/masks/maskStatistics.ts";
import { shortDate, timeAgo } from "../../../format/dates.ts";
import { useAction } from "../../../react/useAction.ts";
import { useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Badge } from "../../../ui/Badge.tsx";
import { Button } from "../../../ui/Button.tsx";
import { CopyableText } from "../../../ui/CopyableText.tsx";
import { Switch } from "../../../ui/form/Switch.tsx";
import { Card } from "../../../ui/layout/Card.tsx";
import { Stat, StatList } from "../../../ui/Stat.tsx";
import { Tag } from "../../../ui/Tag.tsx";
import { expiryText } from "../expiryText.ts";
import type { OpenMaskDialog } from "../maskDialog.ts";
import styles from "./MaskCard.module.css";
import { MaskMenuButton } from "./MaskMenuButton.tsx";
import { MaskTitle, RenameButton, useRenaming } from "./MaskTitle.tsx";

/** The labels of a mask; each shows the masks that have it. */
const MaskLabels = ({ mask }: { readonly mask: Mask }) => {
  const { masks, account } = useSignedIn();
  const colors = useObservable(account.account$)?.settings?.labelColors;
  const { labels = [] } = mask;
  if (labels.length === 0) return null;
  return (
    <ul className={styles.labels} aria-label={`Labels of ${maskName(mask)}`}>
      {labels.map((label) => (
        <li key={label}>
          <Tag
            name={label}
            color={colors?.[toSearchText(label)]}
            title={`Show masks labeled ${label}`}
            onPress={() => masks.search(labelSearch(label))}
          />
        </li>
      ))}
    </ul>
  );
};

interface AwaitingConfirmationProps {
  readonly mask: Mask;
  readonly onChange: () => void;
  readonly onIntent: () => void;
}

/** Explains that a mask waits for its forwarding address to be confirmed, and offers to resend the link or change the address (D33). */
const AwaitingConfirmation = ({ mask, onChange, onIntent }: AwaitingConfirmationProps) => {
  const { masks } = useSignedIn();
  const resend = useAction(masks.askAgain);
  return (
    <div className={styles.awaiting}>
      <Badge kind="warning" hasDot>
        Awaiting confirmation
      </Badge>
      <p className={styles.hint}>
        Open the link in the mail we sent to <span className={styles.forwardTo}>{mask.forwardTo}</span>. Until
        then nothing is forwarded, and senders are asked to try again later.
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only prefetches what a button inside opens */}
      <span className={styles.actions} onPointerEnter={onIntent} onFocus={onIntent}>
        <Button size="small" onPress={() => resend.run(mask)} isPending={resend.isRunning}>
          Send again
        </Button>
        <Button size="small" onPress={onChange}>
          Change address
        </Button>
      </span>
    </div>
  );
};

const offTexts: Readonly<Record<WhenOff, string>> = {
  refuse: "refused",
  drop: "dropped",
  hold: "held",
};

/** Says when the last mail came, as in the middle of a sentence. */
export const lastMail = (at: number): string => {
  const ago = timeAgo(at, Date.now());
  return ago === "Just now" ? "just now" : ago;
};

/** The destinations of a mask, its age, its last use and its end. */
const MaskFacts = ({ mask }: { readonly mask: Mask }) => {
  const { lastUsed } = statisticsOf(mask);
  const active = isActive(mask);
  const expires = expiryText(mask.expiry, Date.now());
  return (
    <p className={styles.facts}>
      {(mask.settings?.keptInApp ?? "no") === "no" ? (
        <span className={styles.fact}>
          Forwards to <span className={styles.forwardTo}>{mask.forwardTo}</span>
          {mask.destinations && mask.destinations.length > 1 && ` and ${mask.destinations.length - 1} more`}
        </span>
      ) : (
        <span className={styles.fact}>Its mail stays in the app</span>
      )}
      {mask.madeFor && <span className={styles.fact}>Made for {mask.madeFor}</span>}
      <span className={styles.fact}>Created {shortDate(mask.created)}</span>
      {lastUsed && (
        <span className={styles.fact} title={shortDate(lastUsed)}>
          Last mail {lastMail(Date.parse(lastUsed))}
        </span>
      )}
      {active && expires !== "" && <span className={styles.fact}>{expires}</span>}
      {!active && (
        <span className={styles.fact}>Switched off: mail to it is {offTexts[mask.whenOff ?? "refuse"]}</span>
      )}
    </p>
  );
};

const figuresOf = (statistics: MaskStatistics) => [
  { label: "Emails received", count: statistics.totalReceived },
  { label: "Forwarded", count: statistics.totalForwarded },
  { label: "Blocked", count: statistics.spamBlocked },
  { label: "Replied", count: statistics.totalSent },
];

/** The figures of a mask's mail. */
const MaskFigures = ({ mask }: { readonly mask: Mask }) => {
  const figures = figuresOf(statisticsOf(mask));
  return (
    <div className={styles.figures}>
      <StatList aria-label={`Mail of ${maskName(mask)}`}>
        {figures.map(({ label, count }) => (
          <Stat key={label} label={label} value={count} isMuted={!isActive(mask)} />
        ))}
      </StatList>
      {figures.every(({ count }) => count === 0) && <p className={styles.noMail}>No mail has arrived yet.</p>}
    </div>
  );
};

interface MaskCardProps {
  readonly mask: Mask;
  readonly isNewest: boolean;
  readonly isNarrow: boolean;
  readonly isCopied: boolean;
  /** True while a change of the mask is under way. */
  readonly isPending: boolean;
  readonly ref?: Ref<HTMLElement> | undefined;
  readonly onOpen: OpenMaskDialog;
  readonly onIntent: () => void;
}

/**
 * Shows one mask: description, address, switch, forwarding address and statistics (MA4). A card is rendered again only
 * when something of its own mask has changed.
 */
export const MaskCard = memo(
  ({ mask, isNewest, isNarrow, isCopied, isPending, ref, onOpen, onIntent }: MaskCardProps) => {
    const { masks } = useSignedIn();
    const toggle = useAction(masks.setActive);
    const copy = useAction(masks.copyAddress);
    const pin = useAction(masks.setPinned);
    const renaming = useRenaming();
    const nameId = useId();
    const active = isActive(mask);

    return (
      <Card
        as="li"
        ref={ref}
        aria-labelledby={nameId}
        isMuted={!active}
        isHighlighted={isNewest}
        className={styles.card}
      >
        <div className={styles.head}>
          <div className={styles.title}>
            <h2 id={nameId} title={maskName(mask)}>
              <MaskTitle mask={mask} renaming={renaming} className={styles.name} pinSize={16} />
            </h2>
            {!renaming.isOpen && <RenameButton mask={mask} renaming={renaming} />}
          </div>
          <div className={styles.controls}>
            <Switch
              label={`${maskName(mask)} forwards mail`}
              isLabelHidden
              isOn={active}
              isPending={isPending}
              onChange={(on) => toggle.run(mask.id, on)}
            />
            <MaskMenuButton
              mask={mask}
              onOpen={onOpen}
              onIntent={onIntent}
              onCopy={() => copy.run(mask.id)}
              onPin={() => pin.run(mask.id, !mask.pinned)}
              onRename={() => renaming.open()}
            />
          </div>
        </div>
        <CopyableText
          text={mask.maskEmail}
          shown={shownAddress(mask, isNarrow)}
          onCopy={() => copy.run(mask.id)}
          isCopied={isCopied}
          isMuted
        />
        <MaskFacts mask={mask} />
        <MaskLabels mask={mask} />
        {mask.note && <p className={styles.note}>{mask.note}</p>}
        {mask.destinationStatus === "awaiting-confirmation" && (
          <AwaitingConfirmation
            mask={mask}
            onChange={() => onOpen({ kind: "edit", mask })}
            onIntent={onIntent}
          />
        )}
        <MaskFigures mask={mask} />
      </Card>
    );
  },
);
