import { addressParser } from "postal-mime";
import type { Sender } from "../../core/mail/forwardedFrom.ts";
import { decodeEncodedWords } from "./charsets.ts";
import { separateWords } from "./comments.ts";
import type { HeaderBlock } from "./headerBlock.ts";
import { decodeHeaderText, encodeDisplayName } from "./headerText.ts";

/** A mail with its header parsed. */
export interface MailWithHeader {
  readonly content: Buffer;
  readonly header: HeaderBlock;
}

/** Of a longer field only the beginning is read. */
export const maxFieldBytes = 65_536;

/** Returns the raw values of all fields with a name, unfolded. */
export const fieldValues = ({ content, header }: MailWithHeader, name: string): readonly string[] =>
  header.fields
    .filter((field) => field.name === name)
    .map(({ valueStart, end }) =>
      decodeHeaderText(content.subarray(valueStart, Math.min(end, valueStart + maxFieldBytes)))
        .replaceAll("\r\n", "")
        .trim(),
    );

/** Returns the text of a field with encoded words decoded (RFC 2047); empty when it is missing. */
export const fieldWords = (mail: MailWithHeader, name: string): string =>
  decodeEncodedWords(fieldValues(mail, name)[0] ?? "");

/** Returns all mailboxes with an address in the fields with a name, including groups. */
export const mailboxesIn = (mail: MailWithHeader, name: string): readonly Sender[] =>
  fieldValues(mail, name)
    .flatMap((value) => addressParser(separateWords(value), { flatten: true }))
    .flatMap(({ name: shown, address }) =>
      address?.includes("@") ? [{ name: decodeEncodedWords(shown), address }] : [],
    );

/** Writes mailboxes as the value of an address field, one per line. */
export const writeMailboxes = (mailboxes: readonly Sender[]): string =>
  mailboxes
    .map(({ name, address }) =>
      name === "" ? `<${address}>` : `${encodeDisplayName(name)}\r\n <${address}>`,
    )
    .join(",\r\n ");

/** True if a program wrote the mail (RFC 3834, 5). */
export const isAutomatic = (mail: MailWithHeader): boolean => {
  const [submitted = "no"] = fieldValues(mail, "auto-submitted");
  const [precedence = ""] = fieldValues(mail, "precedence");
  const [type = ""] = fieldValues(mail, "content-type");
  return (
    !/^no\b/i.test(submitted) ||
    /^(?:bulk|junk|list|auto_reply)\b/i.test(precedence) ||
    /^multipart\/report\b/i.test(type) ||
    fieldValues(mail, "x-autoreply").length + fieldValues(mail, "x-autorespond").length > 0
  );
};
