import ICAL from "ical.js";

/** Octets of a line: the library does not count the blank before a continued one, which then has 75 (RFC 5545, 3.1). */
ICAL.foldLength = 74;

/** A content line of a calendar (RFC 5545, 3.1), by the offsets of its text. */
export interface CalendarLine {
  readonly start: number;
  /** Before its line break. */
  readonly end: number;
  /** After its line break. */
  readonly next: number;
  /** The line without folds. */
  readonly text: string;
  /** The name of its property, in upper case; empty without one. */
  readonly name: string;
}

/** Parameters by their names in lower case. */
export type CalendarParams = Record<string, string | readonly string[]>;

/** A property as jCal has it (RFC 7265, 3.4), with its name in lower case. */
export interface CalendarProperty {
  readonly name: string;
  readonly params: CalendarParams;
  readonly type: string;
  readonly values: readonly unknown[];
}

/** A run of carriage returns is one break: "\r\r\n" comes of a broken one, and empty lines mean nothing. */
const lineBreak = /\r+\n?|\n/g;

const nameOf = (text: string): string => /^\s*([\w.-]{1,100})\s*[;:]/.exec(text)?.[1]?.toUpperCase() ?? "";

const isFold = (text: string, at: number): boolean => text[at] === " " || text[at] === "\t";

/** A line of a text that is not empty. */
type PhysicalLine = Pick<CalendarLine, "start" | "end" | "next">;

function* physicalLines(text: string): Iterable<PhysicalLine> {
  let start = 0;
  for (const { 0: found, index } of text.matchAll(lineBreak)) {
    const next = index + found.length;
    if (index > start) yield { start, end: index, next };
    start = next;
  }
  if (start < text.length) yield { start, end: text.length, next: text.length };
}

const joinFolds = (text: string, lines: readonly PhysicalLine[]): CalendarLine => {
  const joined = lines.map(({ start, end }, n) => text.slice(n === 0 ? start : start + 1, end)).join("");
  const first = lines[0];
  const last = lines.at(-1);
  return {
    start: first?.start ?? 0,
    end: last?.end ?? 0,
    next: last?.next ?? 0,
    text: joined,
    name: nameOf(joined),
  };
};

/** Returns the content lines of a text, without empty ones, in linear time. */
export function* calendarLines(text: string): Iterable<CalendarLine> {
  let lines: PhysicalLine[] = [];
  for (const line of physicalLines(text)) {
    if (lines.length > 0 && !isFold(text, line.start)) {
      yield joinFolds(text, lines);
      lines = [];
    }
    lines.push(line);
  }
  if (lines.length > 0) yield joinFolds(text, lines);
}

/** At most 60 parameters before the value: the library searches the line anew for each. */
const readableHead = /^[^":;]{1,100}(?:;[^":;]*(?:"[^"]*"[^":;]*)*){0,60}:/;

const isParam = (value: unknown): value is string | readonly string[] =>
  typeof value === "string" ||
  (Array.isArray(value) && value.every((one: unknown) => typeof one === "string"));

/** Returns a property of jCal; null when it is none. */
export const toProperty = (given: unknown): CalendarProperty | null => {
  if (!Array.isArray(given)) return null;
  const [name, params, type, ...values] = given as readonly unknown[];
  if (typeof name !== "string" || typeof type !== "string" || typeof params !== "object") return null;
  const entries = Object.entries(params ?? {});
  return entries.every(([, value]) => isParam(value))
    ? { name, params: Object.fromEntries(entries) as CalendarParams, type, values }
    : null;
};

/** The property as jCal has it. */
export const toJCal = ({ name, params, type, values }: CalendarProperty): readonly unknown[] => [
  name,
  params,
  type,
  ...values,
];

/** Reads an unfolded content line; null when it cannot be read. */
export const readCalendarLine = (text: string): CalendarProperty | null => {
  if (!readableHead.test(text)) return null;
  try {
    return toProperty(ICAL.parse.property(text.trimStart()));
  } catch {
    return null;
  }
};

/** Writes a property as a folded content line, without the last line break; null when it cannot be written. */
export const writeCalendarLine = (property: CalendarProperty): string | null => {
  try {
    return ICAL.stringify.property([...toJCal(property)], ICAL.design.defaultSet, false);
  } catch {
    return null;
  }
};

/** True if a method answers an event of the owner (RFC 5546, 1.4); only such events have ids of theirs. */
export const isAnswerMethod = (method: unknown): boolean =>
  typeof method === "string" && /^\s*(?:REPLY|COUNTER|REFRESH)\s*$/i.test(method);
