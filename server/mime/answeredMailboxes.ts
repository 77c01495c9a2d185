import { addressParser } from "postal-mime";
import { toAnswerable } from "../../core/mail/answerableAddress.ts";
import type { Sender } from "../../core/mail/forwardedFrom.ts";
import { decodeEncodedWords } from "./charsets.ts";
import { separateWords } from "./comments.ts";
import { fieldValues, type MailWithHeader } from "./mailFields.ts";

/** Addresses without angle brackets that the parser would change: quoted ones, and those at a literal. */
const bareOddAddress =
  /(?<=^|[\s,;:)])(?:"(?:[^"\\<>]|\\[^<>]){1,256}"@[^\s,;<>()"]{1,256}|[^\s@<>()[\]\\,;:"]{1,256}@\[[^\s\][<>]{1,64}\])/g;

interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** The parser drops these between two words, so that they become one address; with this sign they are none. */
const controls = /(?<=[^\s,;:<>])[\0-\x08\x0b\x0c\x0e-\x1f\x7f]+(?=[^\s,;:<>])/g;

const parse = (value: string): readonly Mailbox[] =>
  addressParser(separateWords(value.replaceAll(controls, "[")).replaceAll(bareOddAddress, "<$&>"), {
    flatten: true,
  }).map(({ name, address = "" }) => ({ name, address }));

const toSender = ({ name, address }: Mailbox): readonly Sender[] => {
  const answerable = address.includes("=?") ? null : toAnswerable(address);
  return answerable === null ? [] : [{ name: decodeEncodedWords(name), address: answerable }];
};

/**
 * Returns the mailboxes in the fields with a name to which a mail program may write: with an address that can be answered,
 * also in groups. Encoded words are allowed in names alone (RFC 2047, 5), but some programs write addresses in them, which
 * count where the fields name nobody else.
 */
export const answeredMailboxes = (mail: MailWithHeader, name: string): readonly Sender[] => {
  const values = fieldValues(mail, name);
  const found = values.flatMap(parse).flatMap(toSender);
  return found.length > 0 || !values.some((value) => value.includes("=?"))
    ? found
    : values.map(decodeEncodedWords).flatMap(parse).flatMap(toSender);
};
