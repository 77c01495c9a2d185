import { useEffect, useId, useRef } from "react";
import type { SignedIn } from "../../../core/app/signedIn.ts";
import { refusalCodeIn } from "../../../core/mail/refusalCode.ts";
import { nameMasks } from "../../../core/masks/nameMasks.ts";
import { type NotificationPlace, placeOf, typeOf } from "../../../core/notifications/notification.ts";
import { settingsPathOf } from "../../../core/notifications/settingsPath.ts";
import { relativeTime } from "../../format/dates.ts";
import { addressText } from "../../navigation/address.ts";
import { atServer } from "../../navigation/baseAddress.ts";
import { goTo, openPage } from "../../navigation/goTo.ts";
import { useAction } from "../../react/useAction.ts";
import { useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { classes } from "../../ui/classes.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { CheckIcon } from "../../ui/icons/CheckIcon.tsx";
import { KindIcon } from "../../ui/icons/KindIcon.tsx";
import { TrashIcon } from "../../ui/icons/TrashIcon.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { CreateRuleButton } from "../rules/form/CreateRule.tsx";
import { BlockButtons } from "../senders/BlockButtons.tsx";
import styles from "./NotificationRow.module.css";

/** The sender of a notification's mail, and the mask it was sent to. */
export type NotificationSender = NonNullable<NotificationRowProps["notification"]["sender"]>;

interface NotificationRowProps {
  readonly notification: SignedIn["notifications"]["view$"]["value"]["list"][number];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Called before another page is shown. */
  readonly onLeave: () => void;
  /** Called to make a rule for the mail of somebody. */
  readonly onCreateRule: (sender: NotificationSender) => void;
}

/** The text of the link to the card of the settings that a place names. */
const placeTexts: Readonly<Record<NotificationPlace, string>> = {
  "api-tokens": "Show API tokens",
  webhooks: "Show webhooks",
  "app-passwords": "Show app passwords",
  destinations: "Show addresses",
};

/** Replaces a deleted notification while the deletion can be undone. */
const DeletedRow = ({ notification }: Pick<NotificationRowProps, "notification">) => {
  const { notifications } = useSignedIn();
  const undo = useRef<HTMLButtonElement>(null);
  useEffect(() => undo.current?.focus(), []);
  return (
    <li className={classes(styles.row, styles.removed)}>
      <span role="status">Notification deleted</span>
      <Button
        ref={undo}
        size="small"
        variant="quiet"
        aria-label={`Undo: ${notification.message}`}
        onPress={() => notifications.restore(notification.id)}
      >
        Undo
      </Button>
    </li>
  );
};

/** One notification: text, time and buttons (NO1). */
export const NotificationRow = ({ notification, now, onLeave, onCreateRule }: NotificationRowProps) => {
  const { notifications, masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const read = useAction(notifications.markRead);
  const textId = useId();
  const { id, message, timestamp, heldId, sender } = notification;
  const kind = typeOf(notification);
  const place = placeOf(notification);
  const settings = place && { href: addressText(settingsPathOf[place]), text: placeTexts[place] };
  const held = addressText(["held"], { mail: heldId });
  const refusal = refusalCodeIn(message);
  if (notification.removed) return <DeletedRow notification={notification} />;
  return (
    <li className={classes(styles.row, !notification.read && styles.unread)}>
      <KindIcon kind={kind} className={styles.icon} />
      <div className={styles.text}>
        <p id={textId} className={styles.message}>
          {!notification.read && <VisuallyHidden>Unread: </VisuallyHidden>}
          {nameMasks(message, all)}
        </p>
        {refusal && (
          <p>
            <a href={atServer(`/help/replies#${refusal}`)} target="_blank" rel="noreferrer">
              What {refusal} means
            </a>
          </p>
        )}
        {sender && <p className={styles.time}>From {sender.address}</p>}
        {timestamp !== undefined && (
          <time className={styles.time} dateTime={new Date(timestamp).toISOString()}>
            {relativeTime(timestamp, now)}
          </time>
        )}
      </div>
      {(heldId !== undefined || sender || settings) && (
        <div className={styles.links}>
          {heldId !== undefined && (
            <ButtonLink
              size="small"
              href={held}
              onFollow={() => {
                onLeave();
                openPage(held);
              }}
              aria-describedby={textId}
            >
              {kind === "error" ? "Try again or send elsewhere" : "Show held mail"}
            </ButtonLink>
          )}
          {settings && (
            <ButtonLink
              size="small"
              href={settings.href}
              onFollow={() => {
                onLeave();
                goTo(settings.href);
              }}
              aria-describedby={textId}
            >
              {settings.text}
            </ButtonLink>
          )}
          {sender && (
            <>
              <CreateRuleButton address={sender.address} onPress={() => onCreateRule(sender)} />
              <BlockButtons maskId={sender.maskId} address={sender.address} />
            </>
          )}
        </div>
      )}
      <div className={styles.actions}>
        {!notification.read && (
          <IconButton
            label="Mark as read"
            icon={<CheckIcon size={18} />}
            size="small"
            onPress={() => read.run(id)}
            aria-describedby={textId}
          />
        )}
        <IconButton
          label="Delete"
          icon={<TrashIcon size={18} />}
          size="small"
          onPress={() => notifications.remove(id)}
          aria-describedby={textId}
        />
      </div>
    </li>
  );
};
