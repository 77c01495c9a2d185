import { memo, type Ref, useId } from "react";
import { toSearchText } from "../../../../core/kernel/searchText.ts";
import {
  isActive,
  type Mask,
  plainFieldsOf,
  shownAddress,
  statisticsOf,
  type WhenOff,
} from "../../../../core/masks/mask.ts";
import { maskName } from "../../../../core/masks/maskListSettings.ts";
import { labelSearch } from "../../../../core/masks/maskSearch.ts";
import type { MaskStatistics } from "../../../../core/masks/maskStatistics.ts";
import { shortDate, timeAgoInSentence } from "../../../format/dates.ts";
import { useAction } from "../../../react/useAction.ts";
import { useApp, useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Button } from "../../../ui/Button.tsx";
import { CopyableText } from "../../../ui/CopyableText.tsx";
import { Banner } from "../../../ui/feedback/Banner.tsx";
import { Switch } from "../../../ui/form/Switch.tsx";
import { Card } from "../../../ui/layout/Card.tsx";
import styles from "../../../ui/layout/ListCard.module.css";
import { ButtonRow } from "../../../ui/layout/layout.tsx";
import { Count } from "../../../ui/Stat.tsx";
import { Tag } from "../../../ui/Tag.tsx";
import { VisuallyHidden } from "../../../ui/VisuallyHidden.tsx";
import { MaskCodes } from "../../codes/MaskCodes.tsx";
import { expiryText } from "../expiryText.ts";
import type { OpenMaskDialog } from "../maskDialog.ts";
import { FigureButton } from "./FigureButton.tsx";
import { MaskMenuButton } from "./MaskMenuButton.tsx";
import { MaskTitle, RenameButton, useRenaming } from "./MaskTitle.tsx";

/** The labels of a mask; each shows the masks that have it. What has no room is counted, and named where one asks for it. */
const MaskLabels = ({ mask, room }: { readonly mask: Mask; readonly room: number }) => {
  const { masks, account } = useSignedIn();
  const colors = useObservable(account.account$)?.settings?.labelColors;
  const { labels = [] } = mask;
  const others = labels.slice(room);
  if (labels.length === 0) return null;
  return (
    <ul className={styles.labels} aria-label={`Labels of ${maskName(mask)}`}>
      {labels.slice(0, room).map((label) => (
        <li key={label}>
          <Tag
            name={label}
            color={colors?.[toSearchText(label)]}
            title={`Show masks labeled ${label}`}
            onPress={() => masks.search(labelSearch(label))}
          />
        </li>
      ))}
      {others.length > 0 && (
        <li title={others.join(", ")}>
          <span aria-hidden="true">+{others.length}</span>
          <VisuallyHidden>{others.join(", ")}</VisuallyHidden>
        </li>
      )}
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
    <Banner
      kind="warning"
      action={
        // biome-ignore lint/a11y/noStaticElementInteractions: only prefetches what a button inside opens
        <div onPointerEnter={onIntent} onFocus={onIntent}>
          <ButtonRow>
            <Button size="small" onPress={() => resend.run(mask)} isPending={resend.isRunning}>
              Send again
            </Button>
            <Button size="small" onPress={onChange}>
              Change address
            </Button>
          </ButtonRow>
        </div>
      }
    >
      <strong>Awaiting confirmation</strong>
      <p>
        Open the link in the email sent to <span className={styles.forwardTo}>{mask.forwardTo}</span>. Until
        then nothing is forwarded, and senders retry later.
      </p>
    </Banner>
  );
};

const offTexts: Readonly<Record<WhenOff, string>> = {
  refuse: "refused",
  drop: "dropped",
  hold: "held",
};

/** Counts the destinations besides the first, and apart from them those that get no mail yet. */
const furtherText = ({ destinations = [], awaitingDestinations = [] }: Mask): string => {
  const awaiting = awaitingDestinations.length;
  const confirmed = destinations.length - 1 - awaiting;
  return `${confirmed > 0 ? ` and ${confirmed} more` : ""}${awaiting > 0 ? `, ${awaiting} not confirmed` : ""}`;
};

/** The destinations of a mask, its age, its last use and its end, on one line; those that have no room are left out from the end. */
const MaskFacts = ({ mask }: { readonly mask: Mask }) => {
  const { lastUsed } = statisticsOf(mask);
  const active = isActive(mask);
  const expires = expiryText(mask.expiry, Date.now());
  return (
    <p className={styles.facts}>
      <span className={styles.firstFacts}>
        {plainFieldsOf(mask).keptInApp === "no" ? (
          <span className={styles.destinations} title={mask.destinations?.join(", ")}>
            Forwards to <span className={styles.forwardTo}>{mask.forwardTo}</span>
            {furtherText(mask)}
          </span>
        ) : (
          <span className={styles.destinations}>Its mail stays in the app</span>
        )}
        <span>Created {shortDate(mask.created)}</span>
        {lastUsed ? (
          <span title={shortDate(lastUsed)}>
            Last email {timeAgoInSentence(Date.parse(lastUsed), Date.now())}
          </span>
        ) : (
          statisticsOf(mask).totalReceived === 0 && <span>No mail yet</span>
        )}
      </span>
      {!active && <span>Switched off: mail is {offTexts[mask.whenOff ?? "refuse"]}</span>}
      {active && expires !== "" && <span>{expires}</span>}
      {mask.madeFor && <span>Made for {mask.madeFor}</span>}
    </p>
  );
};

/** A figure with its name, whole and as it is shown, and the dialog that a press on it opens. */
type Figure = readonly [label: string, shown: string, count: number, opens?: "block" | "correspondents"];

const figuresOf = (statistics: MaskStatistics): readonly Figure[] => [
  ["Emails received", "received", statistics.totalReceived],
  ["Forwarded", "forwarded", statistics.totalForwarded],
  ["Blocked", "blocked", statistics.spamBlocked, "block"],
  ["Replied", "replied", statistics.totalSent, "correspondents"],
];

interface MaskFiguresProps {
  readonly mask: Mask;
  readonly onOpen: OpenMaskDialog;
  readonly onIntent: () => void;
}

/** The figures of a mask's mail, as short numbers. A narrow screen has no room for one to press beside another. */
const MaskFigures = ({ mask, onOpen, onIntent }: MaskFiguresProps) => {
  const isNarrow = useObservable(useApp().page.narrow$);
  return (
    <dl className={styles.figures} aria-label={`Mail of ${maskName(mask)}`}>
      {figuresOf(statisticsOf(mask)).map(([label, shown, count, opens]) => (
        <div key={label} title={label}>
          <dt>
            <VisuallyHidden>{label}</VisuallyHidden>
            <span aria-hidden="true">{shown}</span>
          </dt>
          <dd>
            {opens && !isNarrow ? (
              <FigureButton mask={mask} opens={opens} count={count} onOpen={onOpen} onIntent={onIntent} />
            ) : (
              <Count count={count} />
            )}
          </dd>
        </div>
      ))}
    </dl>
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
 * Shows one mask on two lines: description, address, switch and menu, then forwarding address and statistics (MA4); a
 * note is a third. A card is rendered again only when something of its own mask has changed.
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
            {!isNarrow && !renaming.isOpen && <RenameButton mask={mask} renaming={renaming} />}
            {isNarrow && <MaskLabels mask={mask} room={1} />}
          </div>
          <CopyableText
            text={mask.maskEmail}
            shown={shownAddress(mask, isNarrow)}
            onCopy={() => copy.run(mask.id)}
            isCopied={isCopied}
            size={isNarrow ? "small" : "medium"}
            isMuted
            oneLine="roomy"
          />
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
              size="small"
              onOpen={onOpen}
              onIntent={onIntent}
              onCopy={() => copy.run(mask.id)}
              onPin={() => pin.run(mask.id, !mask.pinned)}
              onRename={() => renaming.open()}
            />
          </div>
        </div>
        <div className={styles.details}>
          <MaskFacts mask={mask} />
          {!isNarrow && <MaskLabels mask={mask} room={2} />}
          <MaskFigures mask={mask} onOpen={onOpen} onIntent={onIntent} />
        </div>
        {mask.note && (
          <p className={styles.note} title={mask.note}>
            {mask.note}
          </p>
        )}
        <MaskCodes mask={mask} />
        {mask.destinationStatus === "awaiting-confirmation" && (
          <AwaitingConfirmation
            mask={mask}
            onChange={() => onOpen({ kind: "edit", mask })}
            onIntent={onIntent}
          />
        )}
      </Card>
    );
  },
);
