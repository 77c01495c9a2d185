import { withFewMarks } from "../../kernel/manyMarks.ts";

const maxWords = 40;
/** The first 5 letters stand for all forms of a word; on held-out examples this beats whole words. */
const maxWordLength = 5;

/** A number counts by its length because its value carries no information. */
const normalizeNumber = (word: string): string =>
  /^\p{Nd}+$/u.test(word) ? `#${Math.min(word.length, 6)}` : word;

/**
 * Returns the first 40 words of a subject, in lower case and without accents; numbers become their length, and "%" and
 * currency signs count as words.
 */
export const toWords = (subject: string): readonly string[] =>
  (
    withFewMarks(subject)
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{Nd}]+|[%$\u00a3!?[\]\u20ac]/gu) ?? []
  )
    .slice(0, maxWords)
    .map((word) => normalizeNumber(word).slice(0, maxWordLength));

/** The header signals that tell the kind of a mail, whatever its subject. */
const signals = ["list-unsubscribe", "list-id", "bulk", "auto-submitted", "no-reply", "in-reply-to"] as const;

type Signal = (typeof signals)[number];

/** The letters of the signals in the training examples. */
export const signalByLetter: Readonly<Record<string, Signal>> = {
  u: "list-unsubscribe",
  l: "list-id",
  b: "bulk",
  a: "auto-submitted",
  n: "no-reply",
  r: "in-reply-to",
};

/** The facts about a mail besides its header, if they were determined. */
const traits = ["unsubscribe-link", "many-masks", "regular"] as const;

/**
 * `unsubscribe-link`: its text offers to unsubscribe. `many-masks`: its sender's domain writes to several masks of the
 * account. `regular`: that domain has written to this mask several times before.
 */
export type Trait = (typeof traits)[number];

/** The least numbers of masks and of earlier mails from which the habits of a sender count as a trait. */
const minMasks = 3;
const minEarlierMails = 4;

/** Bytes of a mail, as it was sent, in which an offer to unsubscribe is looked for. */
export const maxSearchedBytes = 128 * 1024;

const unsubscribeWords =
  /unsubscribe|opt[- ]?out|abbestellen|abmelden|d(?:\u00e9|=C3=A9)sabonner|d(?:\u00e9|=C3=A9)sinscri|darse de baja|cancelar (?:la )?suscripci|disiscri|annulla(?:re)? l.iscrizione|uitschrijven|afmelden/i;

/** Returns the traits of a mail: from its text as it was sent, and from what its sender's domain has written before. */
export const traitsOf = (
  text: string,
  sender: { readonly masks: number; readonly earlierMails: number },
): readonly Trait[] => [
  ...(unsubscribeWords.test(text) ? (["unsubscribe-link"] as const) : []),
  ...(sender.masks >= minMasks ? (["many-masks"] as const) : []),
  ...(sender.earlierMails >= minEarlierMails ? (["regular"] as const) : []),
];

/** A header field with its name in lower case and its value unfolded. */
interface HeaderField {
  readonly name: string;
  readonly value: string;
}

const bulkPrecedence = /^(bulk|list|junk)$/i;
const noReplyAddress = /(^|[<"\s])(no|do-?not|donot|nicht)[-_.]?(reply|respond|antworten)\b/i;
/** The header fields that only mass mailings have. */
const massMailingFields = new Set([
  "feedback-id",
  "x-campaign-id",
  "x-campaign",
  "x-mailer-campaign",
  "x-csa-complaints",
]);

const matchers: Readonly<Record<Signal, (field: HeaderField) => boolean>> = {
  "list-unsubscribe": ({ name }) => name === "list-unsubscribe",
  "list-id": ({ name }) => name === "list-id",
  bulk: ({ name, value }) =>
    massMailingFields.has(name) || (name === "precedence" && bulkPrecedence.test(value.trim())),
  "auto-submitted": ({ name, value }) =>
    (name === "auto-submitted" && !/^no\b/i.test(value.trim())) || name === "x-auto-response-suppress",
  "no-reply": ({ name, value }) => name === "from" && noReplyAddress.test(value),
  "in-reply-to": ({ name }) => name === "in-reply-to",
};

/** Finds the signals in a header (RFC 2369, RFC 2919, RFC 3834), each once, in the order of `signals`. */
export const signalsOf = (header: readonly HeaderField[]): readonly Signal[] =>
  signals.filter((signal) => header.some(matchers[signal]));

const signalFeature = (signal: Signal | Trait, isPresent: boolean): string =>
  `${isPresent ? "+" : "-"}${signal}`;

/** Lists the features of a mail: each signal as present or absent, the known traits, and the words of the subject. */
export const featuresOf = (
  present: readonly Signal[],
  subject: string,
  known: readonly Trait[] | null = null,
): readonly string[] => [
  ...signals.map((signal) => signalFeature(signal, present.includes(signal))),
  ...(known === null ? [] : traits.map((trait) => signalFeature(trait, known.includes(trait)))),
  ...toWords(subject),
];
