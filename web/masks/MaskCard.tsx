import { type Ref, useId } from "react";
import { isActive, type Mask, shownAddress, statisticsOf } from "../../core/masks/mask.ts";
import { labelSearch } from "../../core/masks/maskList.ts";
import type { MaskStatistics } from "../../core/masks/maskStatistics.ts";
import { shortDate, timeAgo } from "../format/dates.ts";
import { useOpenHeld } from "../navigation/navigation.ts";
import { useAction } from "../react/useAction.ts";
import { useApp, useSignedIn } from "../react/useApp.ts";
import { useObservable } from "../react/useObservable.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { CopyableText } from "../ui/CopyableText.tsx";
import { MailIcon } from "../ui/icons.tsx";
import { Menu } from "../ui/Menu.tsx";
import { CopyIcon, EditIcon, PinIcon, TrashIcon } from "../ui/moreIcons.tsx";
import { Stat, StatList } from "../ui/Stat.tsx";
import { Switch } from "../ui/Switch.tsx";
import styles from "./MaskCard.module.css";
import { maskName, type OpenMaskDialog } from "./maskDialog.ts";

interface MaskMenuProps {
  readonly mask: Mask;
  readonly onOpen: OpenMaskDialog;
  readonly onIntent: () => void;
  readonly onCopy: () => void;
  readonly onPin: () => void;
}

const MaskMenu = ({ mask, onOpen, onIntent, onCopy, onPin }: MaskMenuProps) => {
  const { toasts } = useApp();
  const openHeld = useOpenHeld();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only prefetches what the menu inside opens
    <span onPointerEnter={onIntent} onFocus={onIntent}>
      <Menu
        label={`Options for ${maskName(mask)}`}
        onUnavailable={() =>
          toasts.show("error", "The menu could not be loaded. Check your connection, then refresh the page.")
        }
        items={[
          { id: "copy", label: "Copy mask", icon: <CopyIcon size={18} />, onSelect: onCopy },
          {
            id: "edit",
            label: "Edit mask",
            icon: <EditIcon size={18} />,
            onSelect: () => onOpen({ kind: "edit", mask }),
          },
          {
            id: "correspondents",
            label: "Write from this mask",
            icon: <MailIcon size={18} />,
            onSelect: () => onOpen({ kind: "correspondents", mask }),
          },
          {
            id: "held",
            label: "Held mail",
            icon: <MailIcon size={18} />,
            onSelect: () => openHeld({ maskId: mask.id }),
          },
          {
            id: "pin",
            label: mask.pinned ? "Unpin mask" : "Pin mask",
            icon: <PinIcon size={18} />,
            onSelect: onPin,
          },
          {
            id: "delete",
            label: "Delete mask",
            icon: <TrashIcon size={18} />,
            isDanger: true,
            onSelect: () => onOpen({ kind: "delete", mask }),
          },
        ]}
      />
    </span>
  );
};

/** The labels of a mask; each shows the masks that have it. */
const MaskLabels = ({ mask }: { readonly mask: Mask }) => {
  const { masks } = useSignedIn();
  const { labels = [] } = mask;
  if (labels.length === 0) return null;
  return (
    <ul className={styles.labels} aria-label={`Labels of ${maskName(mask)}`}>
      {labels.map((label) => (
        <li key={label}>
          <button
            type="button"
            className={styles.label}
            title={`Show masks labeled ${label}`}
            onClick={() => masks.search(labelSearch(label))}
          >
            {label}
          </button>
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
      <span className={styles.ways} onPointerEnter={onIntent} onFocus={onIntent}>
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

const figuresOf = (statistics: MaskStatistics) => [
  { label: "Emails received", count: statistics.totalReceived },
  { label: "Forwarded", count: statistics.totalForwarded },
  { label: "Blocked", count: statistics.spamBlocked },
  { label: "Replied", count: statistics.totalSent },
];

const lastMail = (at: string): string => {
  const ago = timeAgo(Date.parse(at), Date.now());
  return ago === "Just now" ? "just now" : ago;
};

interface MaskCardProps {
  readonly mask: Mask;
  readonly isNewest: boolean;
  readonly ref?: Ref<HTMLElement> | undefined;
  readonly onOpen: OpenMaskDialog;
  readonly onIntent: () => void;
}

/** Shows one mask: description, address, switch, forwarding address and statistics (MA4). */
export const MaskCard = ({ mask, isNewest, ref, onOpen, onIntent }: MaskCardProps) => {
  const { page } = useApp();
  const { masks } = useSignedIn();
  const isNarrow = useObservable(page.narrow$);
  const copied = useObservable(masks.copied$);
  const pending = useObservable(masks.pendingIds$);
  const toggle = useAction(masks.setActive);
  const copy = useAction(masks.copyAddress);
  const pin = useAction(masks.setPinned);
  const nameId = useId();
  const active = isActive(mask);
  const statistics = statisticsOf(mask);
  const figures = figuresOf(statistics);

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
        <h2 className={styles.name} id={nameId} title={maskName(mask)}>
          {mask.pinned && (
            <>
              <PinIcon className={styles.pin} size={16} />
              <span className="visually-hidden">Pinned: </span>
            </>
          )}
          {maskName(mask)}
        </h2>
        <div className={styles.controls}>
          <Switch
            label={`${maskName(mask)} forwards mail`}
            isLabelHidden
            isOn={active}
            isPending={pending.has(mask.id)}
            onChange={(on) => toggle.run(mask.id, on)}
          />
          <MaskMenu
            mask={mask}
            onOpen={onOpen}
            onIntent={onIntent}
            onCopy={() => copy.run(mask.id)}
            onPin={() => pin.run(mask.id, !mask.pinned)}
          />
        </div>
      </div>
      <CopyableText
        text={mask.maskEmail}
        shown={shownAddress(mask, isNarrow)}
        onCopy={() => copy.run(mask.id)}
        isCopied={copied === mask.id}
        isMuted
      />
      <p className={styles.facts}>
        <span className={styles.fact}>
          Forwards to <span className={styles.forwardTo}>{mask.forwardTo}</span>
        </span>
        <span className={styles.fact}>Created {shortDate(mask.created)}</span>
        {statistics.lastUsed && (
          <span className={styles.fact} title={shortDate(statistics.lastUsed)}>
            Last mail {lastMail(statistics.lastUsed)}
          </span>
        )}
        {!active && <span className={styles.fact}>Switched off: mail to it is refused</span>}
      </p>
      <MaskLabels mask={mask} />
      {mask.note && <p className={styles.note}>{mask.note}</p>}
      {mask.destinationStatus === "awaiting-confirmation" && (
        <AwaitingConfirmation
          mask={mask}
          onChange={() => onOpen({ kind: "edit", mask })}
          onIntent={onIntent}
        />
      )}
      <div className={styles.figures}>
        {figures.every(({ count }) => count === 0) ? (
          <p className={styles.noMail}>No mail has arrived yet.</p>
        ) : (
          <StatList aria-label={`Mail of ${maskName(mask)}`}>
            {figures.map(({ label, count }) => (
              <Stat key={label} label={label} value={count} isMuted={!active} />
            ))}
          </StatList>
        )}
      </div>
    </Card>
  );
};
