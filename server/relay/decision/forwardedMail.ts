import type { NameStyle, Sender } from "../../../core/mail/forwardedFrom.ts";
import type { KeptTrackers } from "../../../core/mailLog/logEntry.ts";
import { treatmentOf } from "../../delivery/fieldTreatments.ts";
import { maskField, originalPrefix } from "../../delivery/maskField.ts";
import { decodeEncodedWords } from "../../mime/charsets.ts";
import { forwardedName, namesAnotherAddress } from "../../mime/forwardedName.ts";
import type { HeaderBlock, HeaderField } from "../../mime/headerBlock.ts";
import {
  decodeHeaderText,
  encodeDisplayName,
  encodeList,
  encodeUnstructured,
} from "../../mime/headerText.ts";
import { isResultsOf, resultsLine } from "../../proof/authenticationResults.ts";
import type { Evidence } from "../../proof/evidence.ts";
import type { AnswerFields, TreatedFields } from "../mailPart.ts";
import { isProvenAuthor } from "./provenAuthor.ts";

/** Field that preserves a line in front of the header which is not a field. */
const mailboxLineField = "X-Mailbox-Line";

/** Marks a mail without a header: everything after the empty line is the original mail. */
const noHeader = `${originalPrefix}Header: none\r\n\r\n`;

/** Field with the tags of rules, comma-separated as in Keywords (RFC 5322, 3.6.5). */
const tagsField = "X-Bauta-Tags";

/** Field with the reason why trackers may still be in the mail although a rule removes them. */
const trackersField = "X-Bauta-Trackers";

/** Field that says whether answers to the mail's calendars go through the mask. */
const calendarField = "X-Bauta-Calendar";

/** Field with the result of the sender check. */
const senderField = "X-Bauta-Sender";

/** The results of the checks of a mail's sender; null where nothing was checked. */
export interface ProofContext {
  readonly host: string;
  readonly evidence: Pick<Evidence, "results" | "proof" | "authorDomain"> | null;
  /** True if the mask's owner accepts unauthenticated senders without a mark. */
  readonly acceptUnproven: boolean;
}

/** True if the checks prove the sender that is shown, and its name claims to be nobody else. */
const isProvenAsShown = (evidence: NonNullable<ProofContext["evidence"]>, sender: Sender | null): boolean =>
  isProvenAuthor(evidence, sender) && sender !== null && !namesAnotherAddress(sender);

/** The header of a mail, and its author. */
export interface MailHeader {
  /** The first bytes of the mail, including its whole header. */
  readonly head: Buffer;
  readonly header: HeaderBlock;
  /** Empty for the null sender. */
  readonly envelopeSender: string;
  /** The author of `originalSender`. */
  readonly sender: Sender | null;
}

const replyTo = ({ head: content, header, envelopeSender, sender }: MailHeader): readonly Buffer[] => {
  if (header.fields.some(({ name }) => name === "reply-to")) return [];
  const from = header.fields.find(({ name }) => name === "from");
  if (from && sender?.address) return [Buffer.from("Reply-To:"), content.subarray(from.valueStart, from.end)];
  return from || !/^[\x21-\x7e]+@[\x21-\x7e]+$/.test(envelopeSender)
    ? []
    : [Buffer.from(`Reply-To: <${envelopeSender}>\r\n`)];
};

/** Changes that rules make to the header. */
export interface HeaderChanges {
  /** null when the subject stays unchanged. */
  readonly subject: string | null;
  readonly tags: readonly string[];
  /** True if a spam filter doubts the mail. */
  readonly isLikelySpam?: boolean;
  readonly keptTrackers?: KeptTrackers | null;
  /** The treatment of the calendars; null without any. */
  readonly calendars?: CalendarFields | null;
  /** The fields of treatments. */
  readonly fields?: readonly TreatedFields[];
}

/** The fields that say what became of a mail's calendars. */
export interface CalendarFields {
  readonly value: string;
  /** Original fields that are renamed, in lower case. */
  readonly replaced: ReadonlySet<string>;
  /** Complete lines that replace them. */
  readonly text: string;
}

const noNames: ReadonlySet<string> = new Set();

const noHeaderChanges: HeaderChanges = { subject: null, tags: [] };

/** Prefix for the subject of mail whose domain asks to quarantine it (DMARC, p=quarantine). */
const suspiciousMark = "[Suspicious sender]";

/** Prefix for the subject of mail that a spam filter doubts. */
const likelySpamMark = "[Likely spam]";

const maxSubjectBytes = 2_048;

const subjectOf = ({ head: content, header }: MailHeader): string => {
  const field = header.fields.find(({ name }) => name === "subject");
  const bytes = field
    ? content.subarray(field.valueStart, field.end).subarray(0, maxSubjectBytes)
    : Buffer.alloc(0);
  return decodeEncodedWords(decodeHeaderText(bytes).replaceAll(/\r\n/g, "")).trim();
};

const addedFields = ({
  subject,
  tags,
  keptTrackers = null,
  calendars = null,
  fields = [],
}: HeaderChanges): string =>
  [
    ...fields.filter(({ isLast }) => !isLast).map(({ text }) => text),
    ...(keptTrackers === null ? [] : [`${trackersField}: kept (${keptTrackers})\r\n`]),
    ...(calendars === null ? [] : [`${calendarField}: ${calendars.value}\r\n${calendars.text}`]),
    ...fields.filter(({ isLast }) => isLast).map(({ text }) => text),
    ...(tags.length === 0 ? [] : [`${tagsField}: ${encodeList(tags)}\r\n`]),
    ...(subject === null ? [] : [`Subject: ${encodeUnstructured(subject)}\r\n`]),
  ].join("");

/** True if a field keeps its content under another name; `replaced` are those that are written anew for this copy. */
type IsRenamed = (replaced: ReadonlySet<string>) => boolean;

const prepareField = (content: Buffer, field: HeaderField, host: string): IsRenamed => {
  const { name, valueStart, end } = field;
  const treatment = treatmentOf(name, () => content.toString("latin1", valueStart, end));
  switch (treatment) {
    case "ours":
    case "renamed":
      return () => true;
    case "results": {
      const isOurs = isResultsOf(content, field, host);
      return () => isOurs;
    }
    case "kept":
    case "mailboxes":
    case "links":
    case "ids":
    case "subject":
    case "unsubscribe":
      return (replaced) => replaced.has(name);
    default:
      return treatment satisfies never;
  }
};

const lineBreak = "\r\n";

/** True if a line continues the one before (RFC 5322, 2.2.3). */
const isFolded = (content: Buffer, at: number): boolean => content[at] === 0x20 || content[at] === 0x09;

/** Returns where the lines of a header begin that are not fields; lenient programs read some of them as fields. */
const otherLines = (content: Buffer, { fields, end, hasMailboxLine }: HeaderBlock): readonly number[] => {
  const lines: number[] = [];
  const lineAfter = (at: number): number => {
    const next = content.indexOf(lineBreak, at);
    return next === -1 ? end : next + lineBreak.length;
  };
  let at = hasMailboxLine ? lineAfter(0) : 0;
  for (const field of [...fields, { start: end, end }]) {
    for (; at < field.start; at = lineAfter(at)) if (!isFolded(content, at)) lines.push(at);
    at = field.end;
  }
  return lines;
};

/** Returns the function that writes the header with fields renamed. */
const prepareRenaming = (
  { head: content, header }: MailHeader,
  host: string,
): ((replaced: ReadonlySet<string>) => readonly Buffer[]) => {
  const fields = header.fields.map((field) => ({
    start: field.start,
    isRenamed: prepareField(content, field, host),
  }));
  const others = otherLines(content, header).map((start) => ({ start, isRenamed: () => true }));
  const lines =
    others.length === 0 ? fields : [...fields, ...others].toSorted((one, other) => one.start - other.start);
  return (replaced) => {
    const pieces: Buffer[] = header.hasMailboxLine ? [Buffer.from(`${mailboxLineField}: `)] : [];
    let copied = 0;
    for (const { start, isRenamed } of lines) {
      if (!isRenamed(replaced)) continue;
      pieces.push(content.subarray(copied, start), Buffer.from(originalPrefix));
      copied = start;
    }
    pieces.push(content.subarray(copied, header.end));
    return header.isText ? [...pieces, Buffer.from(noHeader)] : pieces;
  };
};

/** Writes the header of the forwarded mail for one mask; with `answer`, replies go through the mask. */
type WriteForwarding = (
  maskEmail: string,
  changes?: HeaderChanges,
  answer?: AnswerFields | null,
  style?: NameStyle,
) => Buffer;

/**
 * Prepares the forwarding of a mail; the returned function writes the header for one mask, which replaces the
 * mail's first `header.end` bytes. Nothing is removed (docs/forwarding.md says how to undo it), and the body
 * stays unchanged.
 */
export const prepareForwarding = (
  mail: MailHeader,
  traceLine: string,
  { host, evidence, acceptUnproven }: ProofContext,
): WriteForwarding => {
  const { sender } = mail;
  const isUnverified = evidence !== null && !acceptUnproven && !isProvenAsShown(evidence, sender);
  const nameIn = (style: NameStyle | undefined): string =>
    encodeDisplayName(
      forwardedName(sender ?? { name: "", address: mail.envelopeSender }, isUnverified, style),
    );
  const proof =
    evidence === null ? "" : `${resultsLine(host, evidence.results)}${senderField}: ${evidence.proof}\r\n`;
  const replyToField = replyTo(mail);
  const rename = prepareRenaming(mail, host);
  const unchangedHeader = rename(noNames);
  const isSuspicious = isUnverified && evidence.proof === "suspicious";
  const markSubject = (changes: HeaderChanges): HeaderChanges => {
    const marks = [
      ...(isSuspicious ? [suspiciousMark] : []),
      ...(changes.isLikelySpam ? [likelySpamMark] : []),
    ];
    return marks.length === 0
      ? changes
      : { ...changes, subject: [...marks, changes.subject ?? subjectOf(mail)].join(" ").trim() };
  };
  return (maskEmail, given = noHeaderChanges, answer = null, style = undefined) => {
    const changes = markSubject(given);
    const replaced = new Set([
      ...(answer?.replaced ?? []),
      ...(changes.subject === null ? [] : ["subject"]),
      ...(changes.fields ?? []).flatMap(({ replaced: names = noNames }) => [...names]),
      ...(changes.calendars?.replaced ?? []),
    ]);
    return Buffer.concat([
      Buffer.from(`${traceLine}${maskField}: ${maskEmail}\r\n${proof}`),
      ...(answer ? [Buffer.from(answer.text)] : replyToField),
      Buffer.from(`${addedFields(changes)}From: ${nameIn(style)}\r\n <${answer?.from ?? maskEmail}>\r\n`),
      ...(replaced.size === 0 ? unchangedHeader : rename(replaced)),
    ]);
  };
};
