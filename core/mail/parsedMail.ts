import type { Sender } from "./forwardedFrom.ts";
import { htmlToText } from "./htmlText.ts";

/** One header line: its name in lower case, its value unfolded and decoded (RFC 2047). */
export interface MailHeader {
  readonly name: string;
  readonly value: string;
}

/** An attached file or another part that is not the text of a mail. */
export interface Attachment {
  /** Empty when it has none. */
  readonly name: string;
  /** Its MIME type, such as "application/pdf", in lower case. */
  readonly type: string;
}

/** The parts of a mail that rules may look at, whichever parser read it. */
export interface ParsedMail {
  /** The From address and its name; null when no readable one exists. */
  readonly from: Sender | null;
  /** The addresses of To and Cc. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly headers: readonly MailHeader[];
  /** The plain text, or else the HTML's visible text, at most `maxTextLength` characters; null when not read. */
  readonly text: string | null;
  /** The visible text of the HTML beside a plain text that lacks some of its words; null otherwise. */
  readonly htmlText: string | null;
  /** True if one of the two texts is longer than rules look at. */
  readonly isTextCut: boolean;
  /** Empty where the text was not read either. */
  readonly attachments: readonly Attachment[];
}

/** The most characters of each of a mail's texts that rules look at. */
export const maxTextLength = 65_536;

/** The most characters of HTML in which visible text is looked for. */
export const maxHtmlLength = 4 * maxTextLength;

/** The limits of the parser: bytes of all headers, and how deep parts may contain parts. */
export const parserLimits = { maxHeadersSize: 1024 * 1024, maxNestingDepth: 64 } as const;

interface ParserAddress {
  readonly name?: string | undefined;
  readonly address?: string | undefined;
  readonly group?: readonly ParserAddress[] | undefined;
}

/** A mail as JavaScript parsers return it. */
export interface ParserOutput {
  readonly headers?: readonly { readonly key: string; readonly value: string }[] | undefined;
  readonly from?: ParserAddress | undefined;
  readonly to?: readonly ParserAddress[] | undefined;
  readonly cc?: readonly ParserAddress[] | undefined;
  readonly subject?: string | undefined;
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  readonly attachments?:
    | readonly { readonly filename: string | null; readonly mimeType: string }[]
    | undefined;
}

/** Decodes the encoded words of a header (RFC 2047). */
type DecodeWords = (text: string) => string;

const listMailboxes = (one: ParserAddress): readonly ParserAddress[] => one.group ?? [one];

const toSender = (from: ParserAddress | undefined): Sender | null => {
  const [first] = from === undefined ? [] : listMailboxes(from);
  return first?.address ? { name: first.name ?? "", address: first.address } : null;
};

/** Cuts the text without splitting a surrogate pair. */
const truncate = (text: string): string =>
  text.length <= maxTextLength ? text : text.slice(0, maxTextLength).replace(/[\ud800-\udbff]$/, "");

const words = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** True if the visible text of the HTML has a word that the plain text lacks. */
const saysMore = (visible: string, plain: string): boolean => {
  const known = new Set(words(plain));
  return words(visible).some((word) => !known.has(word));
};

type ReadTexts = Pick<ParsedMail, "text" | "htmlText" | "isTextCut">;

const readTexts = ({ text = "", html = "" }: ParserOutput): ReadTexts => {
  const visible = htmlToText(html.slice(0, maxHtmlLength), maxHtmlLength);
  const isHtmlCut = html.length > maxHtmlLength || visible.length > maxTextLength;
  const shown = truncate(visible).replaceAll("\r\n", "\n");
  if (text.trim() === "") return { text: shown, htmlText: null, isTextCut: isHtmlCut };
  const plain = truncate(text).replaceAll("\r\n", "\n");
  return {
    text: plain,
    htmlText: saysMore(shown, plain) ? shown : null,
    isTextCut: isHtmlCut || text.length > maxTextLength,
  };
};

const decoded = (value: string, decodeWords: DecodeWords): string =>
  value.includes("=?") ? decodeWords(value) : value;

/** Converts a parser's output; without `decodeWords` headers stay encoded. Uses the HTML's text when the plain text is missing or lacks some of its words. */
export const toParsedMail = (mail: ParserOutput, decodeWords: DecodeWords = (text) => text): ParsedMail => ({
  from: toSender(mail.from),
  to: [...(mail.to ?? []), ...(mail.cc ?? [])].flatMap(listMailboxes).flatMap(({ address }) => address || []),
  subject: mail.subject ?? "",
  headers: (mail.headers ?? []).map(({ key, value }) => ({
    name: key.toLowerCase(),
    value: decoded(value, decodeWords),
  })),
  attachments: (mail.attachments ?? []).map(({ filename, mimeType }) => ({
    name: filename ?? "",
    type: mimeType.toLowerCase(),
  })),
  ...readTexts(mail),
});
