import { readHeaderBlock } from "../../../../server/mime/headerBlock.ts";

/** Returns the unfolded values of all fields of that name. */
const valuesOf = (mail: Buffer, wanted: string): readonly string[] =>
  (readHeaderBlock(mail)?.fields ?? [])
    .filter(({ name }) => name === wanted)
    .map(({ valueStart, end }) => mail.toString("latin1", valueStart, end).replaceAll("\r\n", "").trim());

const parameterOf = (value: string, name: string): string =>
  new RegExp(`;\\s*${name}\\s*=\\s*"?([^";\\s]*)`, "i").exec(value)?.[1]?.toLowerCase() ?? "";

/**
 * Returns whether From names one mailbox in valid RFC 5322 syntax. Of several mailboxes, Bauta reads the first and Sieve
 * tests all; both repair invalid syntax differently, and only Bauta reads internationalized addresses (RFC 6532).
 */
export const hasPlainFrom = (mail: Buffer): boolean => {
  const [from, ...more] = valuesOf(mail, "from");
  return more.length === 0 && /^(?:[^,;:()<>@]*<[\w.+-]+@[\w.-]+>|[\w.+-]+@[\w.-]+)$/.test(from ?? "");
};

/**
 * Returns whether the mail is one plain text, in an encoding and a charset that both support, with valid bytes only.
 * Bauta reads the part that a person sees first, at most 64 Ki characters; Sieve reads every text part, and converts
 * HTML, forwarded mails, attached texts and unknown encodings in its own way.
 */
export const isPlainText = (mail: Buffer): boolean => {
  const [type = "text/plain"] = valuesOf(mail, "content-type");
  const [encoding = "7bit"] = valuesOf(mail, "content-transfer-encoding");
  const charset = parameterOf(type, "charset");
  const isAscii = charset === "" || charset === "us-ascii";
  const encodings = isAscii ? /^[78]bit$/i : /^(?:[78]bit|quoted-printable|base64)$/i;
  return (
    /^text\/plain\s*(?:;|$)/i.test(type) &&
    encodings.test(encoding) &&
    (isAscii ? mail.every((byte) => byte < 0x80) : ["utf-8", "iso-8859-1"].includes(charset))
  );
};
