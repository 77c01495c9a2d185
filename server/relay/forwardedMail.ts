import { forwardedName, type Sender } from "../../core/relay/forwardedFrom.ts";
import { displayName } from "./displayName.ts";
import { encodedList, encodedText } from "./encodedText.ts";
import type { HeaderBlock, HeaderField } from "./headerBlock.ts";
import { originalSender } from "./originalSender.ts";

/** Names the mask a mail came through; one for each mask on its way. */
export const maskField = "X-Bauta-Mask";

/** What a field is called from then on that must not speak for the forwarded mail. */
const originalPrefix = "X-Bauta-Original-";

/** A line in front of the header that is no field, kept as one. */
const mailboxLineField = "X-Mailbox-Line";

/** Says that the mail came without a header: what is below the empty line is the whole of it. */
const noHeader = `${originalPrefix}Header: none\r\n\r\n`;

/** What rules have put on a mail, comma-separated as in Keywords (RFC 5322, 3.6.5). */
const tagsField = "X-Bauta-Tags";

/**
 * Who the mail is from is said anew; the last server writes Return-Path itself (RFC 5321, 4.4); and a receipt
 * would show the sender the address behind the mask.
 */
const setAside = new Set([
  "from",
  "sender",
  "return-path",
  "disposition-notification-to",
  "return-receipt-to",
  "x-confirm-reading-to",
  mailboxLineField.toLowerCase(),
  tagsField.toLowerCase(),
]);

/** What an earlier mask set aside is set aside again, so that each forwarding can be undone by itself. */
const isSetAside = ({ name }: HeaderField): boolean =>
  setAside.has(name) || name.startsWith(originalPrefix.toLowerCase());

/** A mail as it came, read once for all its recipients. */
export interface OriginalMail {
  readonly content: Buffer;
  readonly header: HeaderBlock;
  /** Empty for the null sender. */
  readonly envelopeSender: string;
}

const replyTo = (mail: OriginalMail, sender: Sender | null): readonly Buffer[] => {
  const { content, header, envelopeSender } = mail;
  if (header.fields.some(({ name }) => name === "reply-to")) return [];
  const from = header.fields.find(({ name }) => name === "from");
  if (from && sender?.address) return [Buffer.from("Reply-To:"), content.subarray(from.valueStart, from.end)];
  return from || !/^[\x21-\x7e]+@[\x21-\x7e]+$/.test(envelopeSender)
    ? []
    : [Buffer.from(`Reply-To: <${envelopeSender}>\r\n`)];
};

/** How a mail leaves that rules have marked. */
export interface Marks {
  /** As it is sent on; null when it stays as it is. */
  readonly subject: string | null;
  readonly tags: readonly string[];
}

const noMarks: Marks = { subject: null, tags: [] };

const marked = ({ subject, tags }: Marks): string =>
  [
    ...(tags.length === 0 ? [] : [`${tagsField}: ${encodedList(tags)}\r\n`]),
    ...(subject === null ? [] : [`Subject: ${encodedText(subject)}\r\n`]),
  ].join("");

const editedHeader = ({ content, header }: OriginalMail, newSubject: boolean): readonly Buffer[] => {
  const isAside = (field: HeaderField): boolean =>
    isSetAside(field) || (newSubject && field.name === "subject");
  const pieces: Buffer[] = header.mailboxLine ? [Buffer.from(`${mailboxLineField}: `)] : [];
  let copied = 0;
  const aside = (field: HeaderField): void => {
    pieces.push(content.subarray(copied, field.start), Buffer.from(originalPrefix));
    copied = field.start;
  };
  for (const field of header.fields) if (isAside(field)) aside(field);
  pieces.push(content.subarray(copied, header.end));
  return header.isText ? [...pieces, Buffer.from(noHeader)] : pieces;
};

/**
 * Prepares the forwarding of a mail: the result writes it for one mask. Only header lines differ from what came, and
 * nothing is left out (docs/forwarding.md says how to undo it); the body is the same bytes.
 */
export const forwarding = (
  mail: OriginalMail,
  received: string,
): ((maskEmail: string, marks?: Marks) => Buffer) => {
  const sender = originalSender(mail.content, mail.header);
  const name = displayName(forwardedName(sender ?? { name: "", address: mail.envelopeSender }));
  const answersTo = replyTo(mail, sender);
  const body = mail.content.subarray(mail.header.end);
  const asItIs = editedHeader(mail, false);
  return (maskEmail, marks = noMarks) =>
    Buffer.concat([
      Buffer.from(`${received}${maskField}: ${maskEmail}\r\n`),
      ...answersTo,
      Buffer.from(`${marked(marks)}From: ${name}\r\n <${maskEmail}>\r\n`),
      ...(marks.subject === null ? asItIs : editedHeader(mail, true)),
      body,
    ]);
};
