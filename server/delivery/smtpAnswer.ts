import type { DeliveryOutcome } from "./transport.ts";

const maxAnswerLength = 200;
/** Characters in which addresses are looked for. */
const maxReadLength = 4_096;

/** True if a word has an "@" inside. */
const isAddressLike = (word: string): boolean => {
  const at = word.indexOf("@", 1);
  return at !== -1 && at < word.length - 1;
};

/** Replaces what looks like an address, in linear time. */
const hideAddresses = (line: string): string =>
  line
    .replace(/"[^"]{1,256}"@[^\s<>,;()"']+/g, "[address]")
    .replace(/[^\s<>,;:()"']+/g, (word) => (isAddressLike(word) ? "[address]" : word));

/** A word that is cut off could be the beginning of an address. */
const beginningOf = (line: string): string =>
  line.length <= maxReadLength ? line : line.slice(0, line.lastIndexOf(" ", maxReadLength) + 1);

/** Returns an SMTP answer for storage: one line, without anything that looks like an address. */
export const toStorableAnswer = (response: string): string =>
  hideAddresses(beginningOf(response.replace(/[\s\p{Cc}]+/gu, " ")))
    .trim()
    .slice(0, maxAnswerLength);

/** Returns only the codes of an answer ("550 5.1.1"); empty when it is not an SMTP answer. */
export const smtpCodes = (answer: string): string =>
  /^[245]\d\d(?:[ -][245]\.\d{1,3}\.\d{1,3})?(?![\d.])/.exec(answer)?.[0].replace("-", " ") ?? "";

/** Returns the loggable part of an answer: only its codes if it has any, because the text may quote the mail. */
export const toLoggableAnswer = (answer: string): string => smtpCodes(answer) || answer;

/** Permanent codes (5yz) that may succeed with new credentials or a new connection. */
const curableCodes = new Set([503, 530, 534, 535, 538]);

/** Returns the outcome of an answer to an envelope or content: permanent for 5yz only, otherwise it is retried. */
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

/** Returns the outcome of a mail that cannot be sent to any server. */
export const refusedHere = (answer: string): DeliveryOutcome => ({ kind: "permanent", answer });

/** Returns the outcome after a connection failure, which says nothing about the mail. */
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
