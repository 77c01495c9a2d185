import { dayMs } from "../../kernel/durations.ts";
import { withFewMarks } from "../../kernel/manyMarks.ts";
import type { MailHeader, ParsedMail } from "../../mail/parsedMail.ts";

/** The facts that rules know about the receiving mask before this mail is counted. Times are in milliseconds since 1970. */
export interface MaskFacts {
  readonly maskEmail: string;
  readonly labels: readonly string[];
  readonly forwardTo: string;
  /** The time at which the mask's previous mail arrived; null when this is its first. */
  readonly lastMailAt: number | null;
  readonly receivedThisMonth: number;
  /** The number of mails since the mask exists. */
  readonly received: number;
  readonly forwarded: number;
}

/** The facts that rules know about the account. */
export interface AccountFacts {
  /** Confirmed addresses; no other address receives mail (D33). */
  readonly confirmed: readonly string[];
  /** The domains of this service; their addresses never get an automatic reply. */
  readonly ownDomains: readonly string[];
}

/** The results of the checks of a sender (RFC 8601, 2.7), such as "pass" or "softfail". */
export interface ProofFacts {
  readonly spf: string;
  readonly dkim: string;
  readonly dmarc: string;
  readonly arc: string;
}

const resultIn = (results: string, method: string): string =>
  new RegExp(`(?:^|[;\\s])${method}\\s*=\\s*([a-z]+)`, "i").exec(results)?.[1]?.toLowerCase() ?? "none";

/** Returns the checks of a sender that the first Authentication-Results of a mail names (RFC 8601); null without one. */
export const writtenProof = (headers: readonly MailHeader[]): ProofFacts | null => {
  const results = headers.find(({ name }) => name === "authentication-results")?.value;
  if (results === undefined) return null;
  return {
    spf: resultIn(results, "spf"),
    dkim: resultIn(results, "dkim"),
    dmarc: resultIn(results, "dmarc"),
    arc: resultIn(results, "arc"),
  };
};

/** The facts that rules may use besides the mail; the relay and the test panel provide the same. */
export interface Facts {
  readonly mask: MaskFacts;
  readonly account: AccountFacts;
  /** The category from the classifier; null when it assigned none. */
  readonly category: string | null;
  /** In bytes, as it arrived. */
  readonly size: number;
  /** The results of the checks of the sender; null when it was not checked. */
  readonly proof: ProofFacts | null;
  /** The time at which the mail arrives, in milliseconds since 1970. */
  readonly now: number;
}

/**
 * The lower-case letters that case folding changes: ß, ligatures, dotless i, second forms of Greek letters. A test
 * compares the list with Unicode.
 */
const notFolded =
  /[\u0345\u00b5\u00df\u0131\u0149\u017f\u03d0\u03d1\u03d5\u03d6\u03f0\u03f1\u03f5\u0587\u1c80-\u1c88\u1e9a\u1e9b\u1f80-\u1f87\u1f90-\u1f97\u1fa0-\u1fa7\u1fb2-\u1fb4\u1fb7\u1fc2-\u1fc4\u1fc7\u1ff2-\u1ff4\u1ff7\ufb00-\ufb06\ufb13-\ufb17]/;

const foldFully = (text: string): string =>
  text
    .normalize("NFD")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("\u03c2", "\u03c3")
    .normalize("NFC");

/**
 * Normalizes text for comparison (D30): Unicode's full case folding, in which "ß" is "ss" and every sigma one letter, and
 * one form for accented letters. ASCII, and all text without a letter that needs more, is only written in lower case.
 */
export const normalizeText = (given: string): string => {
  const text = withFewMarks(given);
  const lower = text.toLowerCase().normalize("NFC").replaceAll("\u03c2", "\u03c3");
  return notFolded.test(lower) ? foldFully(text) : lower;
};

/** A mail and its facts in the form that conditions compare. */
export interface ComparedMail {
  readonly now: number;
  readonly mail: ParsedMail;
  readonly mask: Pick<MaskFacts, "maskEmail" | "labels">;
  readonly size: number;
  readonly proof: ProofFacts | null;
  readonly subject: string;
  readonly sender: string;
  /** Normalizes the text on first use, because it is by far the longest field. */
  readonly text: () => string;
  /** Normalizes the visible text of the HTML; null when the plain text has all of its words. */
  readonly htmlText: () => string | null;
  /** The category as the classifier wrote it, and normalized. */
  readonly category: { readonly raw: string; readonly normalized: string } | null;
  /** Days since the mask's previous mail, with fractions; null without one. */
  readonly days: number | null;
  readonly receivedThisMonth: number;
  /** The percentage of the mask's mail that was forwarded, 0 to 100; null without mail. */
  readonly forwardedShare: number | null;
}

export const toComparedMail = (
  mail: ParsedMail,
  { mask, category, size, proof, now }: Facts,
): ComparedMail => {
  let text: string | undefined;
  let htmlText: string | null | undefined;
  return {
    now,
    mail,
    mask,
    size,
    proof,
    subject: normalizeText(mail.subject),
    sender: normalizeText(mail.from?.address ?? "").trim(),
    text: () => {
      text ??= normalizeText(mail.text ?? "");
      return text;
    },
    htmlText: () => {
      htmlText ??= mail.htmlText === null ? null : normalizeText(mail.htmlText);
      return htmlText;
    },
    category: category === null ? null : { raw: category, normalized: normalizeText(category) },
    days: mask.lastMailAt === null ? null : Math.max(0, now - mask.lastMailAt) / dayMs,
    receivedThisMonth: mask.receivedThisMonth,
    forwardedShare: mask.received === 0 ? null : Math.min(100, (mask.forwarded * 100) / mask.received),
  };
};
