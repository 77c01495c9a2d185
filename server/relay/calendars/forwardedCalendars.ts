import { originalPrefix } from "../../delivery/maskField.ts";
import {
  type CalendarFormat,
  calendarFormatOf,
  fromPairs,
  isAmbiguous,
  toPairs,
  widthOf,
} from "../../mime/calendarParts.ts";
import { type HeaderBlock, readHeaderBlock } from "../../mime/headerBlock.ts";
import { findMimeLeaves, findTransferEncoding, type MimeLeaf, parseField } from "../../mime/mimeLeaves.ts";
import { applyEdits } from "../../mime/quotedPrintable.ts";
import type { CalendarNames, CalendarPerson } from "./calendarNames.ts";
import { findPeople } from "./calendarPeople.ts";
import { replaceInJson, replaceInXml } from "./otherFormats.ts";

/** The maximum size of a calendar's part in bytes, in its encoding: a calendar of 5 MB in base 64. */
export const maxCalendarBytes = 7 * 1024 * 1024;

/** Attached mails in attached mails beyond this depth have no calendars that are read. */
const maxAttached = 5;

/** The reason for which a calendar cannot be led through the mask: it is signed or encrypted, too large, or cannot be read. */
export type CalendarObstacle = "sealed" | "size" | "encoding" | "parts";

/** Bytes that take the place of others in a mail. */
interface ByteEdit {
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
}

/** Calendars of a mail as the owner gets them. */
export interface WrittenCalendars {
  readonly edits: readonly ByteEdit[];
  /** True if the mail has a calendar, readable or not. */
  readonly isFound: boolean;
  /** The reason for which a calendar was not led through the mask; null when all were. */
  readonly obstacle: CalendarObstacle | null;
  /** True if the whole mail is a calendar that no program may take for one. */
  readonly isRootDisarmed: boolean;
  /** The bytes of its calendars. */
  readonly size: number;
}

/** null: no calendar is read, and no program takes one for a calendar. */
type Names = CalendarNames | null;

class Writer {
  readonly edits: ByteEdit[] = [];
  readonly #names: Names;
  readonly #isAttached: boolean;
  isFound = false;
  obstacle: CalendarObstacle | null = null;
  isRootDisarmed = false;
  size = 0;

  constructor(names: Names, isAttached = false) {
    this.#names = names;
    this.#isAttached = isAttached;
  }

  write(content: Buffer, header: HeaderBlock, from: number, depth: number): void {
    if (!mayHaveCalendar(content, header)) return;
    const found = depth > maxAttached ? null : findMimeLeaves(content, header);
    if (found === null) this.#disarmAll(content, header, from);
    else for (const leaf of found.leaves) this.#writeLeaf(content, leaf, from, depth);
  }

  #writeLeaf(content: Buffer, leaf: MimeLeaf, from: number, depth: number): void {
    if (leaf.type.startsWith("message/")) {
      if (!leaf.isSealed) this.#writeAttached(content, leaf, from, depth);
      return;
    }
    const ambiguous = isAmbiguous(content.toString("latin1", leaf.headerStart, leaf.start));
    const format = calendarFormatOf(leaf);
    if (format === null && !ambiguous) return;
    this.isFound = true;
    if (leaf.isSealed) this.obstacle ??= "sealed";
    else if (format === null || ambiguous) this.#disarm(content, leaf, from, "parts");
    else this.#writeCalendar(content, leaf, format, from);
  }

  #writeCalendar(content: Buffer, leaf: MimeLeaf, format: CalendarFormat, from: number): void {
    const { start, end } = leaf;
    this.size += end - start;
    const written =
      this.#names && end - start <= maxCalendarBytes
        ? writeCalendar(content.subarray(start, end), leaf, format, this.#names)
        : "size";
    if (typeof written === "string") this.#disarm(content, leaf, from, written);
    else if (written !== unchanged) this.edits.push({ start: from + start, end: from + end, bytes: written });
  }

  /** Calendars of an attached mail, which programs open too. */
  #writeAttached(content: Buffer, { start, end, encoding }: MimeLeaf, from: number, depth: number): void {
    const part = content.subarray(start, end);
    const coding = findTransferEncoding(encoding);
    if (!coding || /^(?:|[78]bit|binary)$/.test(encoding)) {
      const header = readHeaderBlock(part);
      if (header) this.#writeNested(part, header, from + start, depth + 1);
      return;
    }
    const mail = Buffer.from(coding.decode(part), "latin1");
    const header = readHeaderBlock(mail);
    if (!header) return;
    const inner = new Writer(this.#names, true);
    inner.write(mail, header, 0, depth + 1);
    this.#take(inner);
    if (inner.edits.length === 0) return;
    const edited = Buffer.concat(applyByteEdits(mail, inner.edits, 0, mail.length));
    const bytes = coding.encode(edited.toString("latin1"));
    this.edits.push({ start: from + start, end: from + end, bytes });
  }

  #writeNested(mail: Buffer, header: HeaderBlock, from: number, depth: number): void {
    const inner = new Writer(this.#names, true);
    inner.write(mail, header, from, depth);
    this.#take(inner);
    this.edits.push(...inner.edits);
  }

  #take({ isFound, obstacle, size }: Writer): void {
    this.size += size;
    this.isFound ||= isFound;
    this.obstacle ??= obstacle;
  }

  /** Renames the fields by which programs take a part for a calendar; its bytes stay. */
  #disarm(content: Buffer, { headerStart, start }: MimeLeaf, from: number, why: CalendarObstacle): void {
    this.obstacle ??= why;
    if (headerStart === 0 && !this.#isAttached) {
      this.isRootDisarmed = true;
      return;
    }
    const header = readHeaderBlock(content.subarray(headerStart, start));
    let prefix = `${plainType}${originalPrefix}`;
    for (const field of header?.fields ?? []) {
      if (!disarmedFields.has(field.name)) continue;
      const at = from + headerStart + field.start;
      this.edits.push({ start: at, end: at, bytes: Buffer.from(prefix) });
      prefix = originalPrefix;
    }
  }

  /** Disarms all calendars of a mail whose parts are not read. */
  #disarmAll(content: Buffer, header: HeaderBlock, from: number): void {
    const body = content.toString("latin1", header.end);
    for (const { index } of body.matchAll(calendarField)) {
      this.isFound = true;
      this.obstacle ??= "parts";
      const at = from + header.end + index;
      this.edits.push({ start: at, end: at, bytes: Buffer.from(originalPrefix) });
    }
  }
}

/** The fields by which programs take a part for a calendar. */
export const disarmedFields: ReadonlySet<string> = new Set(["content-type", "content-disposition"]);

/** The type of a part that no program takes for a calendar. */
export const plainType = "Content-Type: application/octet-stream\r\n";

const calendarField =
  /^content-(?:type|disposition)[ \t]*:(?=(?:[^\r\n]|\r?\n[ \t]){0,4000}(?:calendar|\b(?:x-)?(?:ics|ical|vcs|vcal|ifb)\b))/gim;

const unchanged = Buffer.alloc(0);

/** Base 64 that goes on after its end, which programs read differently. */
const goesOn = /=[^=\s]/;

/** The maximum size of a calendar in JSON or XML in bytes: each of its values is read. */
const maxOtherBytes = 64 * 1024;

type TransferEncoding = NonNullable<ReturnType<typeof findTransferEncoding>>;

const writeOtherFormat = (
  text: string,
  format: Exclude<CalendarFormat, "lines">,
  encoding: TransferEncoding,
  names: CalendarNames,
): Buffer | CalendarObstacle => {
  if (text.length > maxOtherBytes) return "size";
  const utf8 = Buffer.from(text, "latin1").toString("utf8");
  const written = format === "json" ? replaceInJson(utf8, names) : replaceInXml(utf8, names);
  return written === null ? "encoding" : encoding.encode(Buffer.from(written, "utf8").toString("latin1"));
};

/** Returns a calendar in its encoding with the names of people; `unchanged`, or why it cannot be read. */
const writeCalendar = (
  part: Buffer,
  leaf: MimeLeaf,
  format: CalendarFormat,
  names: CalendarNames,
): Buffer | CalendarObstacle => {
  const encoding = findTransferEncoding(/^["'\s]*([\w-]*)/.exec(leaf.encoding)?.[1] ?? "");
  const text = encoding?.decode(part) ?? "";
  const width = widthOf(text, leaf.charset);
  if (!encoding || width === null) return "encoding";
  if (format !== "lines") return writeOtherFormat(text, format, encoding, names);
  const utf8 = width === "ascii" ? text : fromPairs(text, width);
  const edits = findPeople(utf8, names);
  if (edits === null) return "size";
  if (width !== "ascii") return encoding.encode(toPairs(applyEdits(utf8, edits), width));
  if (leaf.encoding === "base64" && goesOn.test(part.toString("latin1")))
    return encoding.encode(applyEdits(text, edits));
  return edits.length === 0 ? unchanged : encoding.edit(part, edits);
};

/** True if a mail may have a calendar, by its own header: only multiparts, attached mails and calendars can. */
export const mayHaveCalendar = (head: Buffer, header: HeaderBlock): boolean => {
  const { value: type, params } = parseField(head, header, "content-type");
  if (/^(?:multipart|message)\//.test(type)) return true;
  const { params: more } = parseField(head, header, "content-disposition");
  const name = more["filename"] ?? params["name"] ?? "";
  return calendarFormatOf({ type, name }) !== null || isAmbiguous(head.toString("latin1", 0, header.end));
};

/** Returns the bytes of a mail from one offset to another, with edits. */
export const applyByteEdits = (
  content: Buffer,
  edits: readonly ByteEdit[],
  start: number,
  end: number,
): readonly Buffer[] => {
  const pieces: Buffer[] = [];
  let copied = start;
  for (const edit of edits) {
    pieces.push(content.subarray(copied, edit.start), edit.bytes);
    copied = edit.end;
  }
  return [...pieces, content.subarray(copied, end)];
};

/**
 * Writes the calendars of a mail for its owner: who is in them is named so that answers go through the mask. A calendar
 * that cannot be read keeps its bytes, under a type that no program takes for a calendar; one that is signed or encrypted
 * stays. With null all calendars lose their type.
 */
export const writeCalendars = (
  content: Buffer,
  header: HeaderBlock,
  names: CalendarNames | null,
): WrittenCalendars => {
  const writer = new Writer(names);
  writer.write(content, header, 0, 0);
  return writer;
};

/** The content of a mail's calendars. */
export interface MailCalendars {
  /** Everyone to whom a calendar program may write because of the mail. */
  readonly people: readonly CalendarPerson[];
  /** The reason for which a calendar cannot be led through the mask; null when all can. */
  readonly obstacle: CalendarObstacle | null;
}

/** Reads the calendars of a mail; null for a mail without calendars. */
export const readMailCalendars = (content: Buffer, header: HeaderBlock): MailCalendars | null => {
  const people = new Map<string, CalendarPerson>();
  const { isFound, obstacle } = writeCalendars(content, header, {
    isOwn: () => false,
    recipient: "",
    ownIdOf: () => null,
    reverseOf: ({ name, address }, isOrganizer) => {
      const before = people.get(address);
      if (!before || (isOrganizer && !before.isOrganizer))
        people.set(address, { name, address, isOrganizer });
      return null;
    },
  });
  return isFound ? { people: [...people.values()], obstacle } : null;
};
