import { type HeaderBlock, readHeaderBlock } from "../delivery/headerBlock.ts";
import { findParts, findTransferEncoding, parseField, sealedTypes } from "../delivery/mimeLeaves.ts";
import { rewritePlainText } from "./clientTraces.ts";
import { fieldValues, type MailWithHeader } from "./mailFields.ts";
import type { Replace } from "./ownerTraces.ts";
import { isPgpText } from "./pgpText.ts";
import { rewriteCalendar } from "./replyCalendar.ts";
import { rewriteHtml } from "./replyHtml.ts";

/** Returns the public id for a Content-ID. */
type RenameId = (id: string) => string;

export interface MimeContext {
  readonly replace: Replace;
  readonly renameId: RenameId;
  /** Returns the new header of an attached mail, without its MIME fields. */
  readonly writeAttachedHeader: (mail: MailWithHeader) => string;
  /** Returns a boundary that does not identify the author's mail program. */
  readonly newBoundary: () => string;
}

interface Written {
  readonly pieces: readonly Buffer[];
  /** Whether a part is signed or encrypted and was not changed. */
  readonly isSealed: boolean;
}

/** The mail has more parts or levels than normal mail. */
export class TooManyParts extends Error {}

const maxDepth = 10;
const maxParts = 200;
const maxPartHeaderBytes = 64 * 1024;

const rewrittenTypes = new Set(["text/plain", "text/html", "text/calendar", "application/ics"]);

const toBytes = (text: string): Buffer => Buffer.from(text, "latin1");

const decodeText = (bytes: Buffer, charset: string): string => {
  try {
    return new TextDecoder(charset === "" || charset === "us-ascii" ? "utf-8" : charset).decode(bytes);
  } catch {
    return bytes.toString("latin1");
  }
};

/** Parameters that only the owner's program understands. */
const plainParameters = (value: string): string => value.replaceAll(/;\s*x-[\w-]+=(?:"[^"]*"|[^;\s]*)/gi, "");

const isAscii = (text: string): boolean => /^[\t\r\n\x20-\x7e]*$/.test(text);

const quotedPrintable = findTransferEncoding("quoted-printable");
const base64 = findTransferEncoding("base64");

const rewriteText = (type: string, text: string, { replace, renameId }: MimeContext): string => {
  if (type === "text/html") return rewriteHtml(text, { replace, replaceHidden: replace, renameId });
  return type === "text/plain"
    ? rewritePlainText(text, replace)
    : rewriteCalendar(text, { replace, replaceHidden: replace });
};

interface Part {
  readonly content: Buffer;
  readonly type: string;
  readonly params: Readonly<Record<string, string>>;
  readonly rawType: string;
  readonly encoding: string;
  readonly disposition: string;
  readonly contentId: string;
  readonly bodyStart: number;
}

const readPart = (content: Buffer, header: HeaderBlock): Part => {
  const { value: type, params } = parseField(content, header, "content-type");
  const first = (name: string): string => fieldValues({ content, header }, name)[0] ?? "";
  return {
    content,
    type: type === "" ? "text/plain" : type,
    params,
    rawType: first("content-type"),
    encoding: first("content-transfer-encoding"),
    disposition: first("content-disposition"),
    contentId: first("content-id"),
    bodyStart: header.end + (content[header.end] === 0x0d ? 2 : 0),
  };
};

const fieldLine = (name: string, value: string): string => (value === "" ? "" : `${name}: ${value}\r\n`);

/** Includes the empty line. */
const endOfHeader = ({ disposition, contentId }: Part, { renameId }: MimeContext): string =>
  `${fieldLine("Content-Disposition", plainParameters(disposition))}${fieldLine("Content-ID", contentId === "" ? "" : renameId(contentId))}\r\n`;

const writeAsItIs = (part: Part, context: MimeContext, isSealed: boolean): Written => {
  const type = isSealed ? part.rawType : plainParameters(part.rawType);
  const fields = `${fieldLine("Content-Type", type)}${fieldLine("Content-Transfer-Encoding", part.encoding)}`;
  return {
    pieces: [Buffer.from(`${fields}${endOfHeader(part, context)}`), part.content.subarray(part.bodyStart)],
    isSealed,
  };
};

const keptParameters = (params: Part["params"], names: readonly string[]): string =>
  names
    .filter((name) => /^[\w./+-]{1,80}$/.test(params[name] ?? ""))
    .map((name) => `; ${name}="${params[name]}"`)
    .join("");

/** null for parts that are not rewritten. */
const readText = ({ content, type, params, encoding, disposition, bodyStart }: Part): string | null => {
  const coding = findTransferEncoding(encoding.toLowerCase());
  const isAttachment = /^attachment/i.test(disposition) && !/calendar|ics/.test(type);
  const body = content.subarray(bodyStart);
  if (isAttachment || !rewrittenTypes.has(type) || !coding) return null;
  return decodeText(Buffer.from(coding.decode(body), "latin1"), (params["charset"] ?? "").toLowerCase());
};

const writeText = (part: Part, text: string, context: MimeContext): Written => {
  const rewritten = rewriteText(part.type, text, context).replaceAll(/\r\n?|\n/g, "\r\n");
  const bytes = Buffer.from(rewritten, "utf8").toString("latin1");
  const [name, coding] = isAscii(rewritten.slice(0, 10_000))
    ? ["quoted-printable", quotedPrintable]
    : ["base64", base64];
  const type = `${part.type}; charset=utf-8${keptParameters(part.params, ["format", "delsp", "method", "name"])}`;
  const fields = `Content-Type: ${type}\r\nContent-Transfer-Encoding: ${name}\r\n${endOfHeader(part, context)}`;
  return {
    pieces: [Buffer.from(fields), coding?.encode(bytes) ?? toBytes(bytes), toBytes("\r\n")],
    isSealed: false,
  };
};

/**
 * Writes a part for others: unnecessary fields are omitted, texts are rewritten, and signed or encrypted parts
 * stay unchanged. Throws `TooManyParts`.
 */
export const writeMimePart = (content: Buffer, header: HeaderBlock, context: MimeContext): Written => {
  let count = 0;

  const writeMultipart = (part: Part, depth: number): Written => {
    const boundary = context.newBoundary();
    const body = part.content.subarray(part.bodyStart);
    const parts = findParts(body, part.params["boundary"] ?? "");
    const written = parts
      .map(([start, end]) => body.subarray(start, end))
      .map((inner) => {
        const innerHeader = readHeaderBlock(inner, maxPartHeaderBytes);
        if (!innerHeader) throw new TooManyParts();
        return visit(inner, innerHeader, depth + 1);
      });
    const type = `${part.type};\r\n boundary="${boundary}"${keptParameters(part.params, ["type", "method"])}`;
    return {
      pieces: [
        Buffer.from(`Content-Type: ${type}\r\n${endOfHeader(part, context)}`),
        ...written.flatMap(({ pieces }) => [toBytes(`--${boundary}\r\n`), ...pieces, toBytes("\r\n")]),
        toBytes(`--${boundary}--\r\n`),
      ],
      isSealed: written.some(({ isSealed }) => isSealed),
    };
  };

  /** An attached mail is never encoded as a whole (RFC 2046, 5.2.1); one that is stays as it is. */
  const writeAttachedMail = (part: Part, depth: number): Written => {
    const inner = part.content.subarray(part.bodyStart);
    const innerHeader = readHeaderBlock(inner, maxPartHeaderBytes);
    if (!innerHeader || !/^(?:7bit|8bit|binary)?$/i.test(part.encoding))
      return writeAsItIs(part, context, false);
    const { pieces, isSealed } = visit(inner, innerHeader, depth + 1);
    const head = `Content-Type: message/rfc822\r\n${endOfHeader(part, context)}${context.writeAttachedHeader({ content: inner, header: innerHeader })}`;
    return { pieces: [Buffer.from(head), ...pieces], isSealed };
  };

  const visit = (bytes: Buffer, block: HeaderBlock, depth: number): Written => {
    count += 1;
    if (depth > maxDepth || count > maxParts) throw new TooManyParts();
    const part = readPart(bytes, block);
    if (sealedTypes.test(part.type)) return writeAsItIs(part, context, true);
    if (part.type.startsWith("multipart/")) return writeMultipart(part, depth);
    if (part.type === "message/rfc822") return writeAttachedMail(part, depth);
    const text = readText(part);
    if (text === null) return writeAsItIs(part, context, false);
    return part.type === "text/plain" && isPgpText(text)
      ? writeAsItIs(part, context, true)
      : writeText(part, text, context);
  };

  return visit(content, header, 0);
};
