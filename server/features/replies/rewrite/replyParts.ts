import { isUtf8 } from "node:buffer";
import { calendarFormatOf } from "../../../mime/calendarParts.ts";
import { decodeEncodedWords, decodeWestern, findDecoder, nameOfKept } from "../../../mime/charsets.ts";
import { type HeaderBlock, readHeaderBlock } from "../../../mime/headerBlock.ts";
import { withCrlf } from "../../../mime/lineBreaks.ts";
import { fieldValues, type MailWithHeader } from "../../../mime/mailFields.ts";
import { findParts, parseField } from "../../../mime/mimeLeaves.ts";
import { decodeQuotedPrintable } from "../../../mime/quotedPrintable.ts";
import { isPgpText } from "./pgpText.ts";
import type { CalendarOfReply } from "./replyCalendar.ts";

/** The mail has more parts or levels than normal mail, or a part that cannot be read. */
export class UnreadableMail extends Error {}

/** The fields of a part that others see besides its content. */
export interface PartFields {
  /** Empty without a disposition. */
  readonly disposition: "inline" | "attachment" | "";
  /** The name of its file; empty without one. */
  readonly name: string;
  /** Empty without one. */
  readonly contentId: string;
}

/** A part of a mail, decoded. */
export type ReplyPart = { readonly fields: PartFields } & (
  | { readonly kind: "multipart"; readonly subtype: string; readonly parts: readonly ReplyPart[] }
  /** Signed or encrypted parts, as bytes with their own header. */
  | {
      readonly kind: "sealed-parts";
      readonly subtype: string;
      readonly params: Readonly<Record<string, string>>;
      readonly parts: readonly Buffer[];
    }
  /** A signed or encrypted part, in its transfer encoding. */
  | {
      readonly kind: "sealed";
      readonly type: string;
      readonly params: Readonly<Record<string, string>>;
      readonly encoding: string;
      readonly body: Buffer;
    }
  | { readonly kind: "mail"; readonly mail: MailWithHeader; readonly part: ReplyPart }
  /** The header of a mail without its text. */
  | { readonly kind: "mail-header"; readonly mail: MailWithHeader }
  | {
      readonly kind: "text";
      readonly type: string;
      readonly text: string;
      readonly params: Readonly<Record<string, string>>;
      /** The bytes of the text in its own character set. */
      readonly bytes: Buffer;
      /** The name of the character set where the text is a guess: what is written of it has the same bytes. */
      readonly guessedAs: string | null;
    }
  | { readonly kind: "bytes"; readonly type: string; readonly bytes: Buffer }
  /** The part was added by a program; the owner is notified unless another part says the same. */
  | { readonly kind: "dropped"; readonly notifiesOwner: boolean; readonly calendarMethod?: string }
);

const maxDepth = 10;
const maxParts = 200;
const maxPartHeaderBytes = 64 * 1024;

/** Cards, keys and certificates name their owner; a wrapped Outlook mail does too, as do reports of servers. */
const droppedTypes =
  /^(?:text\/x-amp-html|text\/(?:x-)?vcard|text\/directory|application\/vcard(?:\+\w+)?|application\/(?:vnd\.)?ms-tnef|application\/vnd\.ms-outlook|application\/pgp-(?:keys|signature)|application\/(?:x-)?pkcs7-signature|application\/(?:pkix|x-x509|x-pem)-[\w-]+|message\/(?:global-)?(?:disposition-notification|delivery-status)|message\/(?:tracking-status|feedback-report))$/;
/** Cards and lists of contacts, whatever type a program gives them. */
const cardStart =
  /^\uFEFF?\s*(?:BEGIN:\s?(?:VCARD|MECARD)|MECARD:|\[\s*"vcard"|(?:<\?xml[^>]*>\s*)?<(?:\w+:)?vcards?[\s>]|(?:version:\s*1\s+)?dn::?\s)/i;
/** One of several forms of a mail, which mail programs show without it. */
const ampType = "text/x-amp-html";
const mailTypes = /^message\/(?:rfc822|global|news)$/;
const mailHeaderTypes = /^(?:text\/rfc822-headers|message\/global-headers)$/;
const mailboxTypes = /^(?:application|text)\/(?:x-)?mbox$/;
const sealedTypes = /^application\/(?:x-)?pkcs7-mime$/;
const signatureTypes = /^application\/(?:pgp|(?:x-)?pkcs7)-signature$/;
const publicKey = "-----BEGIN PGP PUBLIC KEY BLOCK-----";

/** Calendars in JSON and XML, which no mail program sends. */
const unreadCalendar = "application/x-unread-calendar";

/** Types by the endings of file names, where no type is given. */
const typesByEnding: Readonly<Record<string, string>> = {
  vcf: "text/vcard",
  eml: "message/rfc822",
  mbox: "application/mbox",
  msg: "application/vnd.ms-outlook",
  htm: "text/html",
  html: "text/html",
  txt: "text/plain",
  md: "text/markdown",
  csv: "text/csv",
};

const endingOf = (name: string): string => /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? "";

const mainTypes: ReadonlySet<string> = new Set(
  "text image audio video application font model multipart message".split(" "),
);

const toKnownType = (main: string, sub: string): string => {
  if (main === "text" && sub === "") return "text/plain";
  return sub !== "" && mainTypes.has(main) ? `${main}/${sub}` : "application/octet-stream";
};

/** A type without a subtype, as very old programs write it, is text (RFC 2045, 5.2) where it says so. */
const typeOf = (value: string, name: string, isInDigest: boolean): string => {
  if (/^winmail\.dat$/i.test(name)) return "application/ms-tnef";
  if (value === "") return isInDigest ? "message/rfc822" : "text/plain";
  const [, main = "", sub = ""] =
    /^["'\s]*([\w!#$&^.+-]{1,80})\s*(?:\/\s*([\w!#$&^.+-]{1,80}))?/.exec(value) ?? [];
  const type = toKnownType(main, sub);
  const format = calendarFormatOf({ type, name });
  if (format !== null) return format === "lines" ? "text/calendar" : unreadCalendar;
  return type === "application/octet-stream" ? (typesByEnding[endingOf(name)] ?? type) : type;
};

/** Names that programs write for the encodings that change nothing (RFC 2045, 6.2). */
const plainEncoding = /^(?:7-?bits?|8-?bits?|binary|none|plain|us-ascii|utf-?8|iso-8859-\d+)?$/;

const decodeBody = (body: Buffer, encoding: string): Buffer => {
  if (encoding === "base64") return Buffer.from(body.toString("latin1"), "base64");
  if (encoding === "quoted-printable") return Buffer.from(decodeQuotedPrintable(body), "latin1");
  if (plainEncoding.test(encoding)) return body;
  throw new UnreadableMail();
};

/** Character sets in which letters of addresses are other bytes, or hidden, and which are not decoded here. */
const unreadCharset =
  /^(?:(?:x-)?(?:cs)?(?:unicode-?\d-\d-)?utf-?7|unicode.*utf-?7|utf-?32.*|ucs-?4.*|hz.*|iso-2022-(?:kr|cn.*)|.*ebcdic.*|(?:ibm|cp)-?0?37)$/;

const byteOrderMarks: readonly (readonly [string, string])[] = [
  ["efbbbf", "utf-8"],
  ["fffe", "utf-16le"],
  ["feff", "utf-16be"],
];

interface TextOfBytes {
  readonly text: string;
  readonly guessedAs: string | null;
}

const guess = (bytes: Buffer, label: string): TextOfBytes => ({
  text: decodeWestern(bytes),
  guessedAs: nameOfKept(label),
});

/** Returns the character set that HTML names in its first bytes, as browsers look for it. */
const charsetInHtml = (bytes: Buffer): string =>
  /<meta\s[^>]{0,200}charset\s{0,10}=\s{0,10}["']?([\w:.-]{1,40})/i.exec(
    bytes.toString("latin1", 0, 1_024),
  )?.[1] ?? "";

/** Decodes by the name of the character set; without one, or with an unknown one, as UTF-8 or by a guess. */
const decodeCharset = (bytes: Buffer, type: string, label: string): TextOfBytes => {
  const mark = bytes.toString("hex", 0, 3);
  const named = label.trim() === "" && type === "text/html" ? charsetInHtml(bytes) : label;
  const charset = byteOrderMarks.find(([hex]) => mark.startsWith(hex))?.[1] ?? named.trim().toLowerCase();
  if (unreadCharset.test(charset)) throw new UnreadableMail();
  const isPlain = /^(?:us-ascii|utf-?8)?$/.test(charset);
  const decode = isPlain ? null : findDecoder(charset);
  if (decode) return { text: decode(bytes), guessedAs: null };
  return isUtf8(bytes) ? { text: new TextDecoder().decode(bytes), guessedAs: null } : guess(bytes, charset);
};

/** True if bytes are text, whatever their type says: they have no control characters, or begin with a byte order mark. */
const isTextual = (bytes: Buffer): boolean => {
  const mark = bytes.toString("hex", 0, 2);
  if (mark === "fffe" || mark === "feff") return true;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1b) return false;
  }
  return true;
};

const emptyLineAt = (content: Buffer, at: number): number => (content[at] === 0x0d ? 2 : 0);

interface RawPart {
  readonly content: Buffer;
  readonly header: HeaderBlock;
  readonly type: string;
  readonly params: Readonly<Record<string, string>>;
  readonly encoding: string;
  readonly fields: PartFields;
  readonly body: Buffer;
}

const dispositionOf = (value: string): PartFields["disposition"] => {
  if (value === "") return "";
  return value === "inline" ? "inline" : "attachment";
};

const readRawPart = (content: Buffer, header: HeaderBlock, isInDigest: boolean): RawPart => {
  const { value, params } = parseField(content, header, "content-type");
  const disposition = parseField(content, header, "content-disposition");
  const name = decodeEncodedWords(disposition.params["filename"] ?? params["name"] ?? "");
  const [encoding = ""] = fieldValues({ content, header }, "content-transfer-encoding");
  const [contentId = ""] = fieldValues({ content, header }, "content-id");
  return {
    content,
    header,
    type: typeOf(value, name, isInDigest),
    params,
    encoding: /^["'\s]*([\w-]*)/.exec(encoding.toLowerCase())?.[1] ?? "",
    fields: { disposition: dispositionOf(disposition.value), name, contentId },
    body: content.subarray(header.end + emptyLineAt(content, header.end)),
  };
};

const lineBreaks = (bytes: Buffer): Buffer => {
  const text = bytes.toString("latin1");
  return /(?<!\r)\n|\r(?!\n)/.test(text) ? Buffer.from(withCrlf(text), "latin1") : bytes;
};

/** Returns the mails of an mbox file without the lines between them and with the lines that were quoted for it. */
const splitMailbox = (bytes: Buffer): readonly Buffer[] =>
  bytes
    .toString("latin1")
    .split(/^From [^\r\n]*\r?\n/m)
    .filter((mail) => mail.trim() !== "")
    .map((mail) => Buffer.from(mail.replaceAll(/^>(?=>*From )/gm, ""), "latin1"));

const readMail = (bytes: Buffer): MailWithHeader => {
  const content = lineBreaks(bytes);
  const header = readHeaderBlock(content, maxPartHeaderBytes);
  if (!header) throw new UnreadableMail();
  return { content, header };
};

/** True if a part has the form of a signed or an encrypted one (RFC 1847), which its type alone does not say. */
const isSealed = (subtype: string, [first, second, ...others]: readonly RawPart[]): boolean => {
  if (!first || !second || others.length > 0) return false;
  if (subtype === "signed") return signatureTypes.test(second.type);
  if (subtype !== "encrypted" || first.type !== "application/pgp-encrypted") return false;
  try {
    return isPgpText(decodeBody(second.body, second.encoding).toString("latin1"));
  } catch {
    return false;
  }
};

/** Returns what stands for a part that is left out by its type; null for others. */
const leaveOut = ({ type, params, fields }: RawPart): ReplyPart | null => {
  if (type === unreadCalendar)
    return { kind: "dropped", notifiesOwner: true, calendarMethod: params["method"] ?? "", fields };
  return droppedTypes.test(type) ? { kind: "dropped", notifiesOwner: type !== ampType, fields } : null;
};

/**
 * Reads a mail into its decoded parts, of which everything that is text is one, whatever its type says. Throws
 * `UnreadableMail`: what cannot be decoded cannot be made anonymous.
 */
export const readReplyParts = ({ content, header }: MailWithHeader): ReplyPart => {
  let count = 0;

  const readLeaf = (part: RawPart): ReplyPart => {
    const { type, params, fields } = part;
    const bytes = decodeBody(part.body, part.encoding);
    if (sealedTypes.test(type))
      return { kind: "sealed", type, params, encoding: part.encoding, body: part.body, fields };
    if (!type.startsWith("text/") && !isTextual(bytes)) return { kind: "bytes", type, bytes, fields };
    const { text, guessedAs } = decodeCharset(bytes, type, params["charset"] ?? "");
    const isKey = text.trimStart().startsWith(publicKey) && fields.name !== "";
    if (isKey || (fields.disposition === "attachment" && cardStart.test(text.slice(0, 1_000))))
      return { kind: "dropped", notifiesOwner: true, fields };
    return type === "text/plain" && isPgpText(text)
      ? { kind: "sealed", type, params, encoding: part.encoding, body: part.body, fields }
      : { kind: "text", type, text, params, bytes, guessedAs, fields };
  };

  const readMultipart = (part: RawPart, depth: number): ReplyPart => {
    const subtype = part.type.slice("multipart/".length);
    const ranges = findParts(part.body, part.params["boundary"] ?? "");
    if (ranges.length === 0 && part.body.toString("latin1").trim() !== "") throw new UnreadableMail();
    if (ranges.length > maxParts) throw new UnreadableMail();
    const inner = ranges.map(([start, end]) => {
      const bytes = part.body.subarray(start, end);
      const block = readHeaderBlock(bytes, maxPartHeaderBytes);
      if (!block) throw new UnreadableMail();
      return readRawPart(bytes, block, subtype === "digest");
    });
    if (isSealed(subtype, inner)) {
      const { params, fields } = part;
      return { kind: "sealed-parts", subtype, params, parts: inner.map((one) => one.content), fields };
    }
    return {
      kind: "multipart",
      subtype,
      parts: inner.map((one) => read(one, depth + 1)),
      fields: part.fields,
    };
  };

  const readAttachedMail = (part: RawPart, depth: number): ReplyPart => {
    const mail = readMail(decodeBody(part.body, part.encoding));
    if (mailHeaderTypes.test(part.type)) return { kind: "mail-header", mail, fields: part.fields };
    const inner = read(readRawPart(mail.content, mail.header, false), depth + 1);
    return { kind: "mail", mail, part: inner, fields: part.fields };
  };

  /** The mails of a file of several (RFC 4155), each as one that is attached. */
  const readMailbox = (part: RawPart, depth: number): ReplyPart => {
    const { params: _, fields, ...rest } = part;
    const mails = splitMailbox(decodeBody(part.body, part.encoding)).map((body) =>
      readAttachedMail(
        {
          ...rest,
          type: "message/rfc822",
          params: {},
          encoding: "",
          body,
          fields: { ...fields, name: "", contentId: "" },
        },
        depth + 1,
      ),
    );
    if (mails.length > maxParts) throw new UnreadableMail();
    return {
      kind: "multipart",
      subtype: "mixed",
      parts: mails,
      fields: { ...fields, disposition: "", name: "" },
    };
  };

  const read = (part: RawPart, depth: number): ReplyPart => {
    count += 1;
    if (depth > maxDepth || count > maxParts) throw new UnreadableMail();
    const { type } = part;
    if (type.startsWith("multipart/")) return readMultipart(part, depth);
    const left = leaveOut(part);
    if (left) return left;
    if (mailTypes.test(type) || mailHeaderTypes.test(type)) return readAttachedMail(part, depth);
    if (mailboxTypes.test(type)) return readMailbox(part, depth);
    // Others, such as message/partial, would have to be fetched or joined by those who get them.
    if (type.startsWith("message/")) throw new UnreadableMail();
    return readLeaf(part);
  };

  return read(readRawPart(content, header, false), 0);
};

/** Returns a mail's calendars, also those that are left out. */
export const calendarsOf = (part: ReplyPart): readonly CalendarOfReply[] => {
  if (part.kind === "text")
    return part.type === "text/calendar" ? [{ text: part.text, method: part.params["method"] ?? "" }] : [];
  if (part.kind === "dropped")
    return part.calendarMethod === undefined ? [] : [{ text: "", method: part.calendarMethod }];
  return part.kind === "multipart" ? part.parts.flatMap(calendarsOf) : [];
};

/** Returns all texts of a mail, those of attached mails included. */
export const textsOf = (part: ReplyPart): readonly string[] => {
  if (part.kind === "text") return [part.text];
  if (part.kind === "mail") return textsOf(part.part);
  return part.kind === "multipart" ? part.parts.flatMap(textsOf) : [];
};
