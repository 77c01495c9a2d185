import { dayMs } from "../../kernel/durations.ts";
import type { ParsedMail } from "../../mail/parsedMail.ts";
import type { ConditionField } from "../model/conditionField.ts";

/**
 * What rules know about the mask that received a mail, before this mail is counted. Times are in milliseconds
 * since 1970.
 */
export interface MaskFacts {
  readonly maskEmail: string;
  readonly forwardTo: string;
  /** When the mask's previous mail arrived; null when this is its first. */
  readonly lastMailAt: number | null;
  readonly receivedThisMonth: number;
  /** The number of mails since the mask exists. */
  readonly received: number;
  readonly forwarded: number;
}

/** What rules know about the account. */
export interface AccountFacts {
  /** Confirmed addresses; no other address receives mail (D33). */
  readonly confirmed: readonly string[];
  /** The domains of this service; their addresses never get an automatic reply. */
  readonly ownDomains: readonly string[];
}

/** Normalizes text for comparison: lower case, and one Unicode form for accented letters (D30). */
export const normalizeText = (text: string): string => text.normalize("NFC").toLowerCase();

/** A mail and the facts of its mask in the form that conditions compare. */
export interface Facts {
  readonly now: number;
  readonly mail: ParsedMail;
  readonly subject: string;
  readonly sender: string;
  /** Normalizes the text on first use, because it is by far the longest field. */
  readonly text: () => string;
  readonly category: string | null;
  /** Days since the mask's previous mail, with fractions; null without one. */
  readonly days: number | null;
  readonly receivedThisMonth: number;
  /** The percentage of the mask's mail that was forwarded, 0 to 100; null without mail. */
  readonly forwardedShare: number | null;
}

export const toFacts = (mail: ParsedMail, mask: MaskFacts, now: number): Facts => {
  let text: string | undefined;
  return {
    now,
    mail,
    subject: normalizeText(mail.subject),
    sender: normalizeText(mail.from?.address ?? "").trim(),
    text: () => {
      text ??= normalizeText(mail.text ?? "");
      return text;
    },
    category: mail.category === null ? null : normalizeText(mail.category),
    days: mask.lastMailAt === null ? null : Math.max(0, now - mask.lastMailAt) / dayMs,
    receivedThisMonth: mask.receivedThisMonth,
    forwardedShare: mask.received === 0 ? null : Math.min(100, (mask.forwarded * 100) / mask.received),
  };
};

/** The text fields that are read on their own; the field `text` combines subject and body. */
export type TextField = Extract<ConditionField, "subject" | "body" | "sender" | "email" | "category">;

/** The normalized text of each field; null when the mail has none. */
export const normalizedFields: Readonly<Record<TextField, (facts: Facts) => string | null>> = {
  subject: ({ subject }) => subject,
  body: ({ text }) => text(),
  sender: ({ sender }) => sender,
  email: ({ sender }) => sender,
  category: ({ category }) => category,
};

/** The original text of each field; null when the mail has none. */
export const rawFields: Readonly<Record<TextField, (facts: Facts) => string | null>> = {
  subject: ({ mail }) => mail.subject,
  body: ({ mail }) => mail.text,
  sender: ({ mail }) => mail.from?.address ?? "",
  email: ({ mail }) => mail.from?.address ?? "",
  category: ({ mail }) => mail.category,
};

export type NumberField = Extract<
  ConditionField,
  "lastActivity" | "days" | "openRate" | "percentage" | "emailCount" | "number"
>;

/** The number of each field; null when it is unknown. */
export const numberFields: Readonly<Record<NumberField, (facts: Facts) => number | null>> = {
  lastActivity: ({ days }) => days,
  days: ({ days }) => days,
  openRate: ({ forwardedShare }) => forwardedShare,
  percentage: ({ forwardedShare }) => forwardedShare,
  emailCount: ({ receivedThisMonth }) => receivedThisMonth,
  number: ({ receivedThisMonth }) => receivedThisMonth,
};
