import { isAscii } from "node:buffer";
import { domainToASCII } from "node:url";
import { buildHeaderValue, parseHeaderValue } from "nodemailer/lib/mime-funcs";
import { addressParser } from "postal-mime";
import { domainOf, localPartOf } from "../../core/mail/emailAddress.ts";
import { decodeEncodedWords } from "./charsets.ts";
import { type HeaderBlock, type HeaderField, maxHeaderBytes, readHeaderBlock } from "./headerBlock.ts";
import { decodeHeaderText, encodeUnstructured } from "./headerText.ts";
import { writeMailboxes } from "./mailFields.ts";
import { findParts, parseField } from "./mimeLeaves.ts";
import { encodeQuotedPrintable } from "./quotedPrintable.ts";

/** The mail cannot be written in 7 bits without breaking a signature, or at all. */
class NotWritable extends Error {}

const maxDepth = 10;
const maxParts = 200;
const maxPartHeaderBytes = 64 * 1024;
const highBytes = /[\x80-\xff]/g;

const addressFields =
  /^(?:(?:resent-)?(?:from|sender|to|cc|bcc|reply-to)|mail-(?:reply-to|followup-to)|errors-to)$/;
const parameterFields = /^content-(?:type|disposition)$/;
/** Fields of a fixed form, in which no encoded word is allowed (RFC 2047, 5); they are kept as RFC 6857, 3.1.10 says. */
const fixedFields =
  /^(?:(?:resent-)?(?:message-id|date)|references|in-reply-to|content-(?:id|transfer-encoding)|mime-version|received|return-path|dkim-signature|arc-.*|authentication-results|list-.*)$/;
/** Their bytes are signed or encrypted. */
const sealedTypes = /^(?:multipart\/(?:signed|encrypted)|application\/(?:x-)?pkcs7-)/;
const mailTypes = /^message\/(?:rfc822|global|news)$/;
const plainEncodings: ReadonlySet<string> = new Set(["", "7bit", "8bit", "binary"]);

const toBytes = (text: string): Buffer => Buffer.from(text, "latin1");

const withoutHighBytes = (bytes: Buffer, instead: string): Buffer =>
  isAscii(bytes) ? bytes : toBytes(bytes.toString("latin1").replace(highBytes, () => instead));

const asciiMailboxes = (value: string): string =>
  writeMailboxes(
    addressParser(value, { flatten: true }).map(({ name, address = "" }) => {
      const written = domainOf(address);
      // A literal is in ASCII, and has no other form.
      const domain = isAscii(Buffer.from(written)) ? written : domainToASCII(written);
      const ascii = `${localPartOf(address)}@${domain}`;
      if (domain === "" || !isAscii(Buffer.from(ascii))) throw new NotWritable();
      return { name: decodeEncodedWords(name), address: ascii };
    }),
  );

const asciiParameters = (value: string): string => {
  const built = buildHeaderValue(parseHeaderValue(value));
  if (!isAscii(Buffer.from(built))) throw new NotWritable();
  return built.replaceAll("; ", ";\r\n ");
};

/** Returns a field with 8-bit bytes as one with encoded words (RFC 2047) or encoded parameters (RFC 2231). */
const asciiField = (content: Buffer, { name, start, valueStart, end }: HeaderField): string => {
  const label = content.toString("latin1", start, valueStart);
  const value = decodeHeaderText(content.subarray(valueStart, end)).replaceAll("\r\n", "").trim();
  if (addressFields.test(name)) return `${label} ${asciiMailboxes(value)}\r\n`;
  if (parameterFields.test(name)) return `${label} ${asciiParameters(value)}\r\n`;
  const prefix = fixedFields.test(name) ? "Downgraded-" : "";
  return `${prefix}${label} ${encodeUnstructured(value)}\r\n`;
};

const transferEncoding = "content-transfer-encoding";

/** Returns a header in 7 bits, without its empty line; with `encoding` as its only transfer encoding, unless it is null. */
const asciiHeader = (content: Buffer, { fields, end }: HeaderBlock, encoding: string | null): Buffer => {
  const pieces: Buffer[] = [];
  let copied = 0;
  for (const field of fields) {
    const bytes = content.subarray(field.start, field.end);
    const isReplaced = encoding !== null && field.name === transferEncoding;
    if (!isReplaced && isAscii(bytes)) continue;
    pieces.push(withoutHighBytes(content.subarray(copied, field.start), "?"));
    if (!isReplaced) pieces.push(toBytes(asciiField(content, field)));
    copied = field.end;
  }
  const added = encoding ? `Content-Transfer-Encoding: ${encoding}\r\n` : "";
  return Buffer.concat([...pieces, withoutHighBytes(content.subarray(copied, end), "?"), toBytes(added)]);
};

interface EncodedBody {
  readonly encoding: string;
  readonly body: Buffer;
}

const encodeBody = (body: Buffer, type: string, encoding: string): EncodedBody => {
  if (encoding === "base64") return { encoding, body: withoutHighBytes(body, "") };
  if (encoding === "quoted-printable") {
    const escaped = body
      .toString("latin1")
      .replace(highBytes, (byte) => `=${byte.charCodeAt(0).toString(16).toUpperCase()}`);
    return { encoding, body: toBytes(escaped) };
  }
  if (!plainEncodings.has(encoding)) throw new NotWritable();
  if (type === "" || type.startsWith("text/"))
    return { encoding: "quoted-printable", body: encodeQuotedPrintable(body.toString("latin1")) };
  const lines = body.toString("base64").replace(/.{76}(?=.)/g, "$&\r\n");
  return { encoding: "base64", body: toBytes(lines) };
};

class SevenBitWriter {
  #parts = 0;

  write(content: Buffer, maxBytes: number, depth: number): Buffer {
    this.#parts += 1;
    if (depth > maxDepth || this.#parts > maxParts) throw new NotWritable();
    if (isAscii(content)) return content;
    const header = readHeaderBlock(content, maxBytes);
    if (!header || header.isText) throw new NotWritable();
    const emptyLine = content.subarray(header.end, header.end + 2);
    const body = content.subarray(header.end + emptyLine.length);
    if (isAscii(body)) return Buffer.concat([asciiHeader(content, header, null), emptyLine, body]);
    const { value: type, params } = parseField(content, header, "content-type");
    if (sealedTypes.test(type)) throw new NotWritable();
    const encoding = parseField(content, header, transferEncoding).value;
    const written = this.#writeBody(body, { type, encoding, boundary: params["boundary"] ?? "" }, depth);
    return Buffer.concat([asciiHeader(content, header, written.encoding), emptyLine, written.body]);
  }

  #writeBody(
    body: Buffer,
    {
      type,
      encoding,
      boundary,
    }: { readonly type: string; readonly encoding: string; readonly boundary: string },
    depth: number,
  ): EncodedBody {
    if (type.startsWith("multipart/")) return { encoding: "", body: this.#writeParts(body, boundary, depth) };
    if (mailTypes.test(type) && plainEncodings.has(encoding))
      return { encoding: "", body: this.write(body, maxHeaderBytes, depth + 1) };
    if (type.startsWith("message/")) throw new NotWritable();
    return encodeBody(body, type, encoding);
  }

  #writeParts(body: Buffer, boundary: string, depth: number): Buffer {
    const ranges = findParts(body, boundary);
    if (ranges.length === 0 || ranges.length > maxParts || !isAscii(Buffer.from(boundary)))
      throw new NotWritable();
    const pieces: Buffer[] = [];
    let copied = 0;
    for (const [start, end] of ranges) {
      pieces.push(withoutHighBytes(body.subarray(copied, start), "?"));
      pieces.push(this.write(body.subarray(start, end), maxPartHeaderBytes, depth + 1));
      copied = end;
    }
    return Buffer.concat([...pieces, withoutHighBytes(body.subarray(copied), "?")]);
  }
}

/**
 * Returns a mail in 7 bits, for servers that take no other (RFC 6152, 3): encoded words in fields, quoted-printable texts,
 * other parts in base 64. Null where that cannot be done, or would change what is signed or encrypted. What is in 7 bits
 * already keeps its bytes.
 */
export const toSevenBit = (content: Buffer): Buffer | null => {
  try {
    return new SevenBitWriter().write(content, maxHeaderBytes, 0);
  } catch (error) {
    if (error instanceof NotWritable) return null;
    throw error;
  }
};

/** Returns a mail whose header is in 7 bits, and whose body keeps its bytes; null where that cannot be done. */
export const withSevenBitHeader = (content: Buffer): Buffer | null => {
  const header = readHeaderBlock(content);
  if (!header || header.isText) return null;
  try {
    return Buffer.concat([asciiHeader(content, header, null), content.subarray(header.end)]);
  } catch (error) {
    if (error instanceof NotWritable) return null;
    throw error;
  }
};
