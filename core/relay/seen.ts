import { dayMs } from "../kernel/durations.ts";
import type { ConditionField } from "../rules/conditionField.ts";
import type { MaskFacts } from "./facts.ts";
import type { Message } from "./message.ts";

/** Text as rules compare it: in lower case, and each accented letter written the one way (D30). */
export const folded = (text: string): string => text.normalize("NFC").toLowerCase();

/** A mail and its mask's facts as conditions look at them. */
export interface Seen {
  readonly now: number;
  readonly message: Message;
  readonly subject: string;
  readonly sender: string;
  /** Folded when it is first asked for: it is the longest by far. */
  readonly text: () => string;
  readonly category: string | null;
  /** Days since the mask's last mail, with fractions; null when there was none. */
  readonly days: number | null;
  readonly receivedThisMonth: number;
  /** The share of the mask's mail that was forwarded, 0 to 100; null when it had no mail. */
  readonly forwardedShare: number | null;
}

export const seenOf = (message: Message, mask: MaskFacts, now: number): Seen => {
  let text: string | undefined;
  return {
    now,
    message,
    subject: folded(message.subject),
    sender: folded(message.from?.address ?? "").trim(),
    text: () => {
      text ??= folded(message.text ?? "");
      return text;
    },
    category: message.category === null ? null : folded(message.category),
    days: mask.lastMailAt === null ? null : Math.max(0, now - mask.lastMailAt) / dayMs,
    receivedThisMonth: mask.receivedThisMonth,
    forwardedShare: mask.received === 0 ? null : Math.min(100, (mask.forwarded * 100) / mask.received),
  };
};

/** A text field; null where there is nothing to read. `text` is read in two parts. */
export type TextField = Extract<ConditionField, "subject" | "body" | "sender" | "email" | "category">;

/** The folded text of each field. */
export const foldedText: Readonly<Record<TextField, (seen: Seen) => string | null>> = {
  subject: ({ subject }) => subject,
  body: ({ text }) => text(),
  sender: ({ sender }) => sender,
  email: ({ sender }) => sender,
  category: ({ category }) => category,
};

/** The text of each field as it came. */
export const rawText: Readonly<Record<TextField, (seen: Seen) => string | null>> = {
  subject: ({ message }) => message.subject,
  body: ({ message }) => message.text,
  sender: ({ message }) => message.from?.address ?? "",
  email: ({ message }) => message.from?.address ?? "",
  category: ({ message }) => message.category,
};

export type NumberField = Extract<
  ConditionField,
  "lastActivity" | "days" | "openRate" | "percentage" | "emailCount" | "number"
>;

/** The number of each field. */
export const numberSeen: Readonly<Record<NumberField, (seen: Seen) => number | null>> = {
  lastActivity: ({ days }) => days,
  days: ({ days }) => days,
  openRate: ({ forwardedShare }) => forwardedShare,
  percentage: ({ forwardedShare }) => forwardedShare,
  emailCount: ({ receivedThisMonth }) => receivedThisMonth,
  number: ({ receivedThisMonth }) => receivedThisMonth,
};
