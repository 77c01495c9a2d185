import { readHeaderBlock } from "../../../server/delivery/headerBlock.ts";

/** What a field says, its folds undone; one for each field of that name. */
const valuesOf = (mail: Buffer, wanted: string): readonly string[] =>
  (readHeaderBlock(mail)?.fields ?? [])
    .filter(({ name }) => name === wanted)
    .map(({ valueStart, end }) => mail.toString("latin1", valueStart, end).replaceAll("\r\n", "").trim());

const parameterOf = (value: string, name: string): string =>
  new RegExp(`;\\s*${name}\\s*=\\s*"?([^";\\s]*)`, "i").exec(value)?.[1]?.toLowerCase() ?? "";

/**
 * From names one mailbox as RFC 5322 wants it. Of several, ours reads the first and Sieve asks all; what is broken,
 * each mends in its own way, and ours reads addresses of other scripts (RFC 6532).
 */
export const hasPlainFrom = (mail: Buffer): boolean => {
  const [from, ...more] = valuesOf(mail, "from");
  return more.length === 0 && /^(?:[^,;:()<>@]*<[\w.+-]+@[\w.-]+>|[\w.+-]+@[\w.-]+)$/.test(from ?? "");
};

/**
 * The mail is one plain text, in an encoding and a charset that both know, with no bytes that its charset does not
 * have. Ours reads what a person is shown first, at most 64 Ki characters; Sieve reads every text part, and makes its
 * own of HTML, of forwarded mails, of attached texts, and of encodings that do not exist.
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
