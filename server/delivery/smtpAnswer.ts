import type { DeliveryOutcome } from "./transport.ts";

const maxAnswerLength = 200;

/** Returns an SMTP answer as it may be stored: one line, without anything that looks like an address. */
export const toStorableAnswer = (response: string): string =>
  response
    .replace(/[\s\p{Cc}]+/gu, " ")
    .replace(/[^\s<>,;:()"']+@[^\s<>,;:()"']+/g, "[address]")
    .trim()
    .slice(0, maxAnswerLength);

/** Returns the codes of an answer alone ("550 5.1.1"); empty when it is not an SMTP answer. */
export const smtpCodes = (answer: string): string =>
  /^[245]\d\d(?:[ -][245]\.\d{1,3}\.\d{1,3})?(?![\d.])/.exec(answer)?.[0].replace("-", " ") ?? "";

/**
 * Returns what may be logged of an answer: the codes alone when it has some, because a server's own words may quote
 * the mail.
 */
export const toLoggableAnswer = (answer: string): string => smtpCodes(answer) || answer;

interface SendError {
  readonly code?: unknown;
  readonly response?: unknown;
  readonly responseCode?: unknown;
  readonly message?: unknown;
}

/** nodemailer's error codes that concern the envelope or the content; all others concern the connection. */
const mailErrorCodes = new Set(["EENVELOPE", "EMESSAGE"]);

/** Permanent codes (5yz) that new credentials or a new connection can cure. */
const curableCodes = new Set([503, 530, 534, 535, 538]);

/**
 * Converts an error of nodemailer into the outcome of the mail. The outcome is permanent only when the next hop
 * answers the envelope or the content with 5yz, or when the mail can never be sent to it; otherwise the mail is
 * retried.
 */
export const toDeliveryOutcome = (error: unknown): DeliveryOutcome => {
  const { code, response, responseCode, message } = (error instanceof Error ? error : {}) as SendError;
  const refused = mailErrorCodes.has(String(code));
  const answer = toStorableAnswer(
    String((refused && response) || (code ? `${code}: ${message}` : "unknown error")),
  );
  const final = typeof responseCode !== "number" || (responseCode >= 500 && !curableCodes.has(responseCode));
  return { kind: refused && final ? "permanent" : "temporary", answer };
};
