import { encode as encodeQuoted, wrap } from "nodemailer/lib/qp";

interface TransferEncoding {
  /** Each byte as the character of its number. */
  readonly decode: (bytes: Buffer) => string;
  readonly encode: (text: string) => Buffer;
}

const asItIs: TransferEncoding = {
  decode: (bytes) => bytes.toString("latin1"),
  encode: (text) => Buffer.from(text, "latin1"),
};

const base64: TransferEncoding = {
  decode: (bytes) => Buffer.from(bytes.toString("latin1"), "base64").toString("latin1"),
  encode: (text) =>
    Buffer.from(Buffer.from(text, "latin1").toString("base64").replace(/.{76}/g, "$&\r\n"), "latin1"),
};

/** White space at the end of a line is none of its text (RFC 2045, 6.7); looked for from where it begins, so once. */
const unquoted = (text: string): string =>
  text
    .replace(/(?<![ \t])[ \t]+\r\n/g, "\r\n")
    .replace(/=\r\n/g, "")
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const quotedPrintable: TransferEncoding = {
  decode: (bytes) => unquoted(bytes.toString("latin1")),
  encode: (text) => Buffer.from(wrap(encodeQuoted(Buffer.from(text, "latin1"))), "latin1"),
};

const encodings: Readonly<Record<string, TransferEncoding>> = {
  "": asItIs,
  "7bit": asItIs,
  "8bit": asItIs,
  binary: asItIs,
  base64,
  "quoted-printable": quotedPrintable,
};

/** How a part's bytes travel (RFC 2045, 6); undefined for an encoding nobody has agreed on. */
export const transferEncoding = (name: string): TransferEncoding | undefined =>
  Object.hasOwn(encodings, name) ? encodings[name] : undefined;
