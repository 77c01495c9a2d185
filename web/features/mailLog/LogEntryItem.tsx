import { useId } from "react";
import {
  directionLabels,
  type LogEntry,
  type LogResult,
  resultLabels,
} from "../../../core/mailLog/logEntry.ts";
import { clockTime } from "../../format/dates.ts";
import { Badge, type BadgeProps } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import styles from "../../ui/layout/MailList.module.css";

const kinds: Readonly<Record<LogResult, BadgeProps["kind"]>> = {
  delivered: "success",
  queued: "neutral",
  deferred: "warning",
  held: "warning",
  bounced: "danger",
  blocked: "danger",
  dropped: "danger",
  rejected: "danger",
  archived: "neutral",
  hourly: "neutral",
  deleted: "neutral",
};

/** Names the sender of a logged mail, as far as this device can read it. */
const senderText = ({ detail, sealed }: LogEntry): string => {
  if (detail) return detail.from || "No sender";
  return sealed === null ? "Sender unknown: the key could not be used" : "Encrypted";
};

/** Names the recipients of a sent mail, as far as this device can read them. */
const recipientsText = ({ detail, sealed }: LogEntry): string => {
  if (detail) return (detail.to ?? []).join(", ") || "No recipient";
  return sealed === null ? "Recipient unknown: the key could not be used" : "Encrypted";
};

/** The other side of a logged mail. */
export const correspondentText = (entry: LogEntry): string =>
  entry.direction === "sent" ? recipientsText(entry) : senderText(entry);

interface LogEntryItemProps {
  readonly entry: LogEntry;
  /** The address of its mask; undefined where the mask is not to be named. */
  readonly mask: string | undefined;
  readonly onWhy: () => void;
}

/** One mail of the log, with what became of it. */
export const LogEntryItem = ({ entry, mask, onWhy }: LogEntryItemProps) => {
  const titleId = useId();
  return (
    <Card as="li" aria-labelledby={titleId} className={styles.card}>
      <div className={styles.sender}>
        <h3 id={titleId} className={styles.text}>
          {entry.direction === "sent" && "To "}
          {correspondentText(entry)}
        </h3>
        {entry.direction === "sent" && <Badge kind="neutral">{directionLabels.sent}</Badge>}
        <Badge kind={kinds[entry.result]}>{resultLabels[entry.result]}</Badge>
      </div>
      <div className={styles.sender}>
        <p className={styles.text}>
          <time dateTime={entry.at}>{clockTime(Date.parse(entry.at))}</time>
          {mask !== undefined && ` · ${mask}`}
        </p>
        <Button size="small" variant="quiet" onPress={onWhy} aria-describedby={titleId}>
          Why did this happen?
        </Button>
      </div>
    </Card>
  );
};
