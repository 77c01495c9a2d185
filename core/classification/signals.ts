/** What a header says of the kind of a mail, whatever its subject is. */
export const signals = [
  "list-unsubscribe",
  "list-id",
  "bulk",
  "auto-submitted",
  "no-reply",
  "in-reply-to",
] as const;

export type Signal = (typeof signals)[number];

/** As the examples write a signal. */
export const signalOfLetter: Readonly<Record<string, Signal>> = {
  u: "list-unsubscribe",
  l: "list-id",
  b: "bulk",
  a: "auto-submitted",
  n: "no-reply",
  r: "in-reply-to",
};

/** One line of a header: its name in lower case, its value unfolded. */
interface Field {
  readonly name: string;
  readonly value: string;
}

const bulkPrecedence = /^(bulk|list|junk)$/i;
const noReplyAddress = /(^|[<"\s])(no|do-?not|donot|nicht)[-_.]?(reply|respond|antworten)\b/i;
/** Fields that the senders of mass mailings add, and nobody else. */
const massMailing = new Set([
  "feedback-id",
  "x-campaign-id",
  "x-campaign",
  "x-mailer-campaign",
  "x-csa-complaints",
]);

const speaks: Readonly<Record<Signal, (field: Field) => boolean>> = {
  "list-unsubscribe": ({ name }) => name === "list-unsubscribe",
  "list-id": ({ name }) => name === "list-id",
  bulk: ({ name, value }) =>
    massMailing.has(name) || (name === "precedence" && bulkPrecedence.test(value.trim())),
  "auto-submitted": ({ name, value }) =>
    (name === "auto-submitted" && !/^no\b/i.test(value.trim())) || name === "x-auto-response-suppress",
  "no-reply": ({ name, value }) => name === "from" && noReplyAddress.test(value),
  "in-reply-to": ({ name }) => name === "in-reply-to",
};

/** The signals that stand in a header (RFC 2369, RFC 2919, RFC 3834), each once, in the order of `signals`. */
export const signalsOf = (header: readonly Field[]): readonly Signal[] =>
  signals.filter((signal) => header.some(speaks[signal]));
