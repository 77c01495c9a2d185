import { useRef } from "react";
import { shortReason } from "../../../core/mailLog/explainEntry.ts";
import { type LogEntry, type LogResult, resultLabels } from "../../../core/mailLog/logEntry.ts";
import type { Mask } from "../../../core/masks/mask.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { shortClockTime } from "../../format/dates.ts";
import { Badge, type BadgeProps } from "../../ui/Badge.tsx";
import { MailLine } from "../../ui/layout/MailLine.tsx";
import { LogEntryDetails } from "./LogEntryDetails.tsx";

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

interface LogEntryItemProps {
  readonly entry: LogEntry;
  /** Undefined for a mail of none, or of a deleted one. */
  readonly mask: Mask | undefined;
  /** True if the line names the mask. */
  readonly namesMask: boolean;
}

/** One mail of the log, with what became of it, which opens to why and to what can be done. */
export const LogEntryItem = ({ entry, mask, namesMask }: LogEntryItemProps) => {
  const { at, result, direction, maskId } = entry;
  const button = useRef<HTMLButtonElement>(null);
  const keepFocus = (): void => {
    const line = button.current?.closest("li");
    if (line?.contains(document.activeElement)) button.current?.focus();
  };
  const name = maskId === "" ? "No mask" : maskName(mask);
  const people =
    direction === "received"
      ? { from: senderText(entry), to: namesMask ? name : undefined }
      : { from: namesMask ? name : "You", to: recipientsText(entry) };
  return (
    <MailLine
      {...people}
      at={at}
      time={shortClockTime(Date.parse(at))}
      badge={<Badge kind={kinds[result]}>{resultLabels[result]}</Badge>}
      note={shortReason(entry)}
      buttonRef={button}
    >
      <LogEntryDetails entry={entry} mask={mask} onDecided={keepFocus} />
    </MailLine>
  );
};
