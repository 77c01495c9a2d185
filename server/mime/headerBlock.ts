/** One header field, by its offsets in the mail. */
export interface HeaderField {
  /** Lower case, without white space before the colon. */
  readonly name: string;
  readonly start: number;
  /** Offset of the first byte after the colon. */
  readonly valueStart: number;
  /** Offset after the field's last line break, folded lines included. */
  readonly end: number;
}

/** The part of a mail before its first empty line. */
export interface HeaderBlock {
  readonly fields: readonly HeaderField[];
  /** Offset after the block: the empty line, or the end of the mail. */
  readonly end: number;
  /** True if the mail starts with an mbox line ("From bob Mon Jan 1 …"), which is not a field. */
  readonly hasMailboxLine: boolean;
  /** True if the mail starts with something that is not a field; then the whole mail is text. */
  readonly isText: boolean;
}

const colon = 0x3a;
const space = 0x20;
const tab = 0x09;
const lineBreak = Buffer.from("\r\n");
const emptyLine = Buffer.from("\r\n\r\n");

/** Maximum size of a header in bytes (RFC 5321 sets no limit; large providers accept a fifth of this). */
export const maxHeaderBytes = 512 * 1024;

const isFieldName = (name: string): boolean => /^[\x21-\x39\x3b-\x7e]+$/.test(name);

const parseFieldName = (
  content: Buffer,
  start: number,
  end: number,
): Pick<HeaderField, "name" | "valueStart"> | null => {
  const length = content.subarray(start, end).indexOf(colon);
  if (length === -1) return null;
  const name = content
    .toString("latin1", start, start + length)
    .trimEnd()
    .toLowerCase();
  return isFieldName(name) ? { name, valueStart: start + length + 1 } : null;
};

const endOfLine = (content: Buffer, start: number, limit: number): number => {
  const at = content.indexOf(lineBreak, start);
  return at === -1 || at >= limit ? limit : at + lineBreak.length;
};

const endOfField = (content: Buffer, start: number, limit: number): number => {
  let end = endOfLine(content, start, limit);
  while (end < limit && (content[end] === space || content[end] === tab))
    end = endOfLine(content, end, limit);
  return end;
};

/** Returns the offset where the header ends; null when it exceeds the maximum. */
const endOfHeader = (content: Buffer, maxBytes: number): number | null => {
  if (content.subarray(0, 2).equals(lineBreak)) return 0;
  const at = content.indexOf(emptyLine);
  const end = at === -1 ? content.length : at + lineBreak.length;
  return end > maxBytes ? null : end;
};

const startsWithText = (content: Buffer, start: number): boolean => {
  const end = endOfLine(content, start, content.length);
  return end > start + lineBreak.length && parseFieldName(content, start, end) === null;
};

/**
 * Finds the header fields of a mail with CRLF line endings, up to the first empty line (RFC 5322, 2.1); other
 * lines are skipped. Null when the header exceeds the maximum size in bytes.
 */
export const readHeaderBlock = (content: Buffer, maxBytes = maxHeaderBytes): HeaderBlock | null => {
  const hasMailboxLine = /^>?From /.test(content.toString("latin1", 0, 6));
  const first = hasMailboxLine ? endOfLine(content, 0, content.length) : 0;
  if (startsWithText(content, first)) return { fields: [], end: first, hasMailboxLine, isText: true };
  const end = endOfHeader(content, maxBytes);
  if (end === null) return null;
  const fields: HeaderField[] = [];
  for (let start = first; start < end; ) {
    const found = parseFieldName(content, start, endOfLine(content, start, end));
    const fieldEnd = endOfField(content, start, end);
    if (found) fields.push({ ...found, start, end: fieldEnd });
    start = fieldEnd;
  }
  return { fields, end, hasMailboxLine, isText: false };
};
