import type { Sender } from "./forwardedFrom.ts";
import { textOfHtml } from "./htmlText.ts";

/** One line of a header: its name in lower case, its value unfolded. */
export interface MessageHeader {
  readonly name: string;
  readonly value: string;
}

/** What rules know of a mail, however it was read. */
export interface Message {
  /** The From address and its name; null when there is none that can be read. */
  readonly from: Sender | null;
  /** The addresses of To and Cc. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly headers: readonly MessageHeader[];
  /** What a person reads, at most `mostText` characters; null when it was not read or cannot be. */
  readonly text: string | null;
  /** The classifier's word for the mail; null when it has none. */
  readonly category: string | null;
}

/** How much of a mail's text rules look at, in characters. */
export const mostText = 65_536;

interface ParsedAddress {
  readonly name?: string | undefined;
  readonly address?: string | undefined;
  readonly group?: readonly ParsedAddress[] | undefined;
}

/** A mail as parsers for JavaScript give it. */
export interface ParsedMail {
  readonly headers?: readonly { readonly key: string; readonly value: string }[] | undefined;
  readonly from?: ParsedAddress | undefined;
  readonly to?: readonly ParsedAddress[] | undefined;
  readonly cc?: readonly ParsedAddress[] | undefined;
  readonly subject?: string | undefined;
  readonly text?: string | undefined;
  readonly html?: string | undefined;
}

const mailboxes = (one: ParsedAddress): readonly ParsedAddress[] => one.group ?? [one];

const senderOf = (from: ParsedAddress | undefined): Sender | null => {
  const [first] = from === undefined ? [] : mailboxes(from);
  return first?.address ? { name: first.name ?? "", address: first.address } : null;
};

/** Cut between characters, not inside one. */
const firstOf = (text: string): string =>
  text.length <= mostText ? text : text.slice(0, mostText).replace(/[\ud800-\udbff]$/, "");

const readableText = ({ text, html }: ParsedMail): string => {
  const plain = text?.trim() ? text : null;
  return firstOf(plain ?? textOfHtml(html ?? "", mostText)).replaceAll("\r\n", "\n");
};

/** What rules know of a parsed mail: its plain text, or what its HTML says where it has no other. */
export const messageOf = (mail: ParsedMail, category: string | null = null): Message => ({
  from: senderOf(mail.from),
  to: [...(mail.to ?? []), ...(mail.cc ?? [])].flatMap(mailboxes).flatMap(({ address }) => address || []),
  subject: mail.subject ?? "",
  headers: (mail.headers ?? []).map(({ key, value }) => ({ name: key.toLowerCase(), value })),
  text: readableText(mail),
  category,
});
