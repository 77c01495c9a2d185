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

/** Permanent codes (5yz) that new credentials or a new connection can cure. */
const curableCodes = new Set([503, 530, 534, 535, 538]);

/**
 * Returns what an answer to an envelope or a content means for the mail. It is permanent only when the server answers
 * with 5yz; the mail is tried again otherwise.
 */
export const outcomeOfReply = ({
  code,
  text,
}: {
  readonly code: number;
  readonly text: string;
}): DeliveryOutcome => {
  const answer = toStorableAnswer(text);
  if (code >= 200 && code < 300) return { kind: "delivered", answer };
  return { kind: code >= 500 && !curableCodes.has(code) ? "permanent" : "temporary", answer };
};

/** Returns the outcome of a mail that no server can be asked to take. */
export const refusedHere = (answer: string): DeliveryOutcome => ({ kind: "permanent", answer });

/** Returns the outcome of a mail after a failure of the connection, which says nothing about the mail. */
export const outcomeOfError = ({
  code,
  message,
}: {
  readonly code: string;
  readonly message: string;
}): DeliveryOutcome => ({
  kind: "temporary",
  answer: toStorableAnswer(`${code}: ${message}`),
});
