/** One field of a header, by where it stands in the mail. */
export interface HeaderField {
  /** In lower case, without white space before the colon. */
  readonly name: string;
  readonly start: number;
  /** The first byte after the colon. */
  readonly valueStart: number;
  /** The first byte after the field's last line break, folded lines included. */
  readonly end: number;
}

/** The part of a mail in front of its first empty line. */
export interface HeaderBlock {
  readonly fields: readonly HeaderField[];
  /** The first byte after the block: the empty line, or the end of the mail. */
  readonly end: number;
  /** A line an mbox file put in front ("From bob Mon Jan 1 …"), which is no field. */
  readonly mailboxLine: boolean;
  /** True when the mail begins with something that is no field: then the whole of it is text. */
  readonly isText: boolean;
}

const colon = 0x3a;
const space = 0x20;
const tab = 0x09;
const lineBreak = Buffer.from("\r\n");
const emptyLine = Buffer.from("\r\n\r\n");

/** A larger header is no honest mail (RFC 5321 sets no limit; large providers take a fifth of this). */
const largestHeader = 512 * 1024;

const isFieldName = (name: string): boolean => /^[\x21-\x39\x3b-\x7e]+$/.test(name);

const nameOf = (
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

/** Where the header ends; null when that is later than `largest`. */
const endOfHeader = (content: Buffer, largest: number): number | null => {
  if (content.subarray(0, 2).equals(lineBreak)) return 0;
  const at = content.indexOf(emptyLine);
  const end = at === -1 ? content.length : at + lineBreak.length;
  return end > largest ? null : end;
};

const beginsWithText = (content: Buffer, start: number): boolean => {
  const end = endOfLine(content, start, content.length);
  return end > start + lineBreak.length && nameOf(content, start, end) === null;
};

/**
 * Finds the fields of a mail whose lines end in CRLF. The header is everything up to the first empty line
 * (RFC 5322, 2.1); a line in it that is no field is passed over. null: the header is larger than `largest` bytes.
 */
export const readHeaderBlock = (content: Buffer, largest = largestHeader): HeaderBlock | null => {
  const mailboxLine = /^>?From /.test(content.toString("latin1", 0, 6));
  const first = mailboxLine ? endOfLine(content, 0, content.length) : 0;
  if (beginsWithText(content, first)) return { fields: [], end: first, mailboxLine, isText: true };
  const end = endOfHeader(content, largest);
  if (end === null) return null;
  const fields: HeaderField[] = [];
  for (let start = first; start < end; ) {
    const found = nameOf(content, start, endOfLine(content, start, end));
    const fieldEnd = endOfField(content, start, end);
    if (found) fields.push({ ...found, start, end: fieldEnd });
    start = fieldEnd;
  }
  return { fields, end, mailboxLine, isText: false };
};
