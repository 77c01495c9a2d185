import { dayMs } from "../../kernel/durations.ts";
import type { ParsedMail } from "../../mail/parsedMail.ts";

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

/** What rules may use besides the mail: the relay and the test panel give the same. */
export interface Facts {
  readonly mask: MaskFacts;
  readonly account: AccountFacts;
  /** The category from the classifier; null when it assigned none. */
  readonly category: string | null;
  /** When the mail arrives, in milliseconds since 1970. */
  readonly now: number;
}

/** Normalizes text for comparison: lower case, and one Unicode form for accented letters (D30). */
export const normalizeText = (text: string): string => text.normalize("NFC").toLowerCase();

/** A mail and its facts in the form that conditions compare. */
export interface ComparedMail {
  readonly now: number;
  readonly mail: ParsedMail;
  readonly subject: string;
  readonly sender: string;
  /** Normalizes the text on first use, because it is by far the longest field. */
  readonly text: () => string;
  /** The category as the classifier wrote it, and normalized. */
  readonly category: { readonly raw: string; readonly normalized: string } | null;
  /** Days since the mask's previous mail, with fractions; null without one. */
  readonly days: number | null;
  readonly receivedThisMonth: number;
  /** The percentage of the mask's mail that was forwarded, 0 to 100; null without mail. */
  readonly forwardedShare: number | null;
}

export const toComparedMail = (mail: ParsedMail, { mask, category, now }: Facts): ComparedMail => {
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
    category: category === null ? null : { raw: category, normalized: normalizeText(category) },
    days: mask.lastMailAt === null ? null : Math.max(0, now - mask.lastMailAt) / dayMs,
    receivedThisMonth: mask.receivedThisMonth,
    forwardedShare: mask.received === 0 ? null : Math.min(100, (mask.forwarded * 100) / mask.received),
  };
};
