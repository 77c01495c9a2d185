import { domainToASCII } from "node:url";
import { domainOf, localPartOf } from "../../../core/mail/emailAddress.ts";
import type { Extensions } from "./extensions.ts";

/** A mail as it is sent: an envelope and bytes. */
export interface OutgoingMail {
  /** Empty for the null sender. */
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly size: number;
  /** Returns all bytes in order, an array when they are in memory; may be called again for a retry. */
  readonly chunks: () => Iterable<Buffer> | AsyncIterable<Buffer>;
}

const nonAscii = /[^\x00-\x7f]/;
const unusable = /[\x00-\x20\x7f<>]/;
/** Only a quoted local part may have spaces (RFC 5321, 4.1.2). */
const quoted = /^"[^"\\]*"@[^"\s]+$/;

const isUsable = (address: string): boolean =>
  !unusable.test(quoted.test(address) ? address.replaceAll(" ", "") : address);

/** Returns an address with an ASCII domain; null when no SMTP command can contain it. */
export const toPath = (address: string): string | null => {
  if (!isUsable(address)) return null;
  if (!nonAscii.test(domainOf(address))) return address;
  const domain = domainToASCII(domainOf(address));
  return domain === "" ? null : `${localPartOf(address)}@${domain}`;
};

/** True if the paths need SMTPUTF8. */
export const needsUtf8 = (paths: readonly string[]): boolean => paths.some((path) => nonAscii.test(path));

/** Returns MAIL with the parameters that the server understands. */
export const mailCommand = (path: string, size: number, isUtf8: boolean, offered: Extensions): string =>
  [
    `MAIL FROM:<${path}>`,
    ...(offered.size ? [`SIZE=${size}`] : []),
    ...(offered.eightBit ? ["BODY=8BITMIME"] : []),
    ...(isUtf8 ? ["SMTPUTF8"] : []),
  ]
    .join(" ")
    .concat("\r\n");
