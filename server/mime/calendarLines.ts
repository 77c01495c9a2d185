import ICAL from "ical.js";

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

/** Returns the content lines of a text, without empty ones, in linear time. */
export function* calendarLines(text: string): Iterable<CalendarLine> {
  let pieces: string[] = [];
  let [start, end, next, at] = [0, 0, 0, 0];
  const line = (): CalendarLine => {
    const joined = pieces.join("");
    return { start, end, next, text: joined, name: nameOf(joined) };
  };
  while (at < text.length) {
    lineBreak.lastIndex = at;
    const found = lineBreak.exec(text);
    const [stop, after] = found ? [found.index, lineBreak.lastIndex] : [text.length, text.length];
    if (stop > at) {
      const isFolded = pieces.length > 0 && isFold(text, at);
      if (!isFolded && pieces.length > 0) yield line();
      if (!isFolded) [pieces, start] = [[], at];
      pieces.push(text.slice(isFolded ? at + 1 : at, stop));
      [end, next] = [stop, after];
    }
    at = after;
  }
  if (pieces.length > 0) yield line();
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
