import { contentOf, isInMemory, type OutgoingCopy, type SharedBody } from "../../delivery/outgoingCopy.ts";
import type { HeaderBlock } from "../../mime/headerBlock.ts";
import type { CalendarNames } from "../calendars/calendarNames.ts";
import {
  applyByteEdits,
  disarmedFields,
  plainType,
  type WrittenCalendars,
  writeCalendars,
} from "../calendars/forwardedCalendars.ts";
import type { CalendarFields } from "./forwardedMail.ts";

/** The bytes of one mail's copies that each have calendars of their own, in memory until they are delivered. */
const maxCopyBytes = 32 * 1024 * 1024;
/** The bytes of one mail's calendars in all its copies, which bounds how long other mail waits for them; the first is free. */
const maxBytesOfCalendars = 4 * 1024 * 1024;

const noFields: ReadonlySet<string> = new Set();

type Result = Pick<WrittenCalendars, "isFound" | "obstacle" | "isRootDisarmed">;

const statusOf = ({ obstacle }: Result): string => {
  if (obstacle === null) return "through the mask";
  return obstacle === "sealed" ? "kept (sealed)" : `disarmed (${obstacle})`;
};

/** Returns the fields of a copy for what became of its calendars; null where it has none. */
const fieldsOf = (written: Result): CalendarFields | null =>
  written.isFound
    ? {
        value: statusOf(written),
        replaced: written.isRootDisarmed ? disarmedFields : noFields,
        text: written.isRootDisarmed ? plainType : "",
      }
    : null;

type CopyBytes = Omit<OutgoingCopy, "recipient">;

/** Returns the whole mail that a body is of, with its original header. */
export const wholeOf = async ({ content }: SharedBody, readAll: () => Promise<Buffer>): Promise<Buffer> =>
  isInMemory(content) ? content.head : readAll();

/** Writes a copy of a mail with calendars for the owner whose address is in `names`. */
type WriteCalendarCopy = (
  whole: Buffer,
  body: SharedBody,
  names: CalendarNames,
  writeHead: (fields: CalendarFields | null) => Buffer,
) => CopyBytes;

/** Returns what a function has returned for the same mail and offset. */
const createMemory = <Result>(create: (whole: Buffer, at: number) => Result) => {
  const known = new Map<Buffer, Map<number, Result>>();
  return (whole: Buffer, at: number): Result => {
    const ofMail = known.get(whole) ?? new Map<number, Result>();
    known.set(whole, ofMail);
    const result = ofMail.get(at) ?? create(whole, at);
    ofMail.set(at, result);
    return result;
  };
};

/**
 * Creates the writing of the copies of one mail. Each has the calendars of its recipient, and what follows them is shared.
 * Beyond the limits the calendars are disarmed as those that cannot be read.
 */
export const createCalendarCopies = (header: HeaderBlock): WriteCalendarCopy => {
  let copied = 0;
  let read = 0;
  const restFrom = createMemory(
    (whole, at): SharedBody => ({ content: contentOf(whole.subarray(at)), skip: 0 }),
  );
  const disarm = createMemory((whole, skip) => {
    const written = writeCalendars(whole, header, null);
    const content = contentOf(Buffer.concat(applyByteEdits(whole, written.edits, 0, whole.length)));
    const { isFound, isRootDisarmed } = written;
    return { fields: fieldsOf({ isFound, isRootDisarmed, obstacle: "size" }), body: { content, skip } };
  });
  return (whole, body, names, writeHead) => {
    const disarmAll = (): CopyBytes => {
      const all = disarm(whole, header.end);
      return { head: writeHead(all.fields), body: all.body };
    };
    if (read > maxBytesOfCalendars) return disarmAll();
    const written = writeCalendars(whole, header, names);
    read += written.size;
    const last = written.edits.at(-1)?.end ?? header.end;
    if (copied + last > maxCopyBytes) return disarmAll();
    const head = writeHead(fieldsOf(written));
    if (last === header.end) return { head, body };
    copied += last;
    const rewritten = applyByteEdits(whole, written.edits, header.end, last);
    return { head: Buffer.concat([head, ...rewritten]), body: restFrom(whole, last) };
  };
};
