import * as t from "io-ts";
import { saying, such } from "../contract/text.ts";

/** An address as RFC 5321 writes it, in the case its owner wrote it. */
export type EmailAddress = string;

const localPart = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const domain =
  /^(?=.{1,253}$)(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.)*[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u;

const octets = (text: string): number => encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, "_").length;

/**
 * Whether mail can be sent to this on the public network: a dot-atom of at most 64 octets, "@", a host name;
 * 254 octets in all (RFC 5321, 4.5.3.1; RFC 6531 for other scripts). Quoted local parts and address
 * literals are legal and refused: no provider gives them out, and too many programs misread them.
 */
export const isEmailAddress = (text: string): boolean => {
  const at = text.lastIndexOf("@");
  if (at < 1 || /\p{Surrogate}/u.test(text)) return false;
  return (
    localPart.test(text.slice(0, at)) &&
    domain.test(text.slice(at + 1)) &&
    !/^[\d.]+$/.test(text.slice(at + 1)) &&
    octets(text.slice(0, at)) <= 64 &&
    octets(text) <= 254
  );
};

/** What makes two spellings the same mailbox for us: everything in lower case, Unicode in one form. */
export const mailboxKey = (address: EmailAddress): string => address.normalize("NFC").toLowerCase();

export const localPartOf = (address: EmailAddress): string => address.slice(0, address.lastIndexOf("@"));
export const domainOf = (address: EmailAddress): string => address.slice(address.lastIndexOf("@") + 1);

/** In one form of Unicode, as `mailboxKey` is: what is sent to an address must reach whoever counts as its owner. */
const spaceless: t.Type<string, string, unknown> = new t.Type(
  "e-mail address",
  t.string.is,
  (u, context) =>
    typeof u === "string"
      ? t.success(u.replace(/^[ \t]+|[ \t]+$/g, "").normalize("NFC"))
      : t.failure(u, context),
  (value) => value,
);

/** The codec of an address, with the sentences of SI2 for an empty and for an unusable one. */
export const emailAddress = (sentences: {
  readonly required: string;
  readonly invalid: string;
}): t.Type<EmailAddress, string, unknown> =>
  such(
    such(saying(spaceless, sentences.required), (text) => text !== "", sentences.required),
    isEmailAddress,
    sentences.invalid,
  );
