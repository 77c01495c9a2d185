import * as t from "io-ts";
import { isStorable, refined } from "../../api/textCodecs.ts";
import type { ValueKind } from "./conditionOperator.ts";
import { TimeRange } from "./timeRange.ts";

/** Matches one entry up to its comma; inside double quotes a quote is doubled. */
const entryPattern = /\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))(?:,|$)/gy;

/** Splits text at commas (RU5), trims entries and drops empty ones; double quotes keep commas in an entry. */
export const splitAtCommas = (text: string): readonly string[] =>
  Array.from(text.matchAll(entryPattern), ([, quoted, plain = ""]) =>
    quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'),
  ).filter((text) => text.trim() !== "");

const needsQuotes = (text: string): boolean =>
  text.includes(",") || text.startsWith('"') || text !== text.trim();

const inQuotes = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Joins entries so that `splitAtCommas` returns them again. */
export const joinWithCommas = (entries: readonly string[]): string =>
  entries.map((text) => (needsQuotes(text) ? inQuotes(text) : text)).join(", ");

/** The most characters of a regular expression (D30). */
export const maxPatternLength = 256;

const patternTooLongMessage = `A regular expression can have at most ${maxPatternLength} characters`;

/** Returns the message for an expression that the engine refuses; `reason` comes from the engine. */
export const patternRefusedMessage = (reason: string): string =>
  `This regular expression cannot be used: ${reason}`;

/** The value of a condition; its field and operator determine the kind. */
export type ConditionValue =
  | string
  | number
  | readonly string[]
  | readonly [number, number]
  | readonly [string, string]
  | TimeRange;

const maxEntries = 100;
const maxEntryLength = 1_000;

const entryNeeded = "Enter what to compare with";

const EntryText = refined(
  refined(
    refined(t.string, isStorable, "Remove characters that cannot be stored"),
    (text) => text.trim() !== "",
    entryNeeded,
  ),
  (text) => text.length <= maxEntryLength,
  `What to compare with can have at most ${maxEntryLength} characters`,
);

const Entries = refined(
  refined(t.readonlyArray(EntryText, "list"), (entries) => entries.length > 0, entryNeeded),
  (entries) => entries.length <= maxEntries,
  `A list can have at most ${maxEntries} entries. Put the others into another rule.`,
);

/** Decodes a list, or comma-separated text that means one (RU5). */
const List: t.Type<readonly string[], readonly string[], unknown> = new t.Type(
  "list",
  Entries.is,
  (u, context) => Entries.validate(typeof u === "string" ? splitAtCommas(u) : u, context),
  (entries) => entries,
);

/** Decodes text, or a list of which any entry may match (D30). */
const Text: t.Type<string | readonly string[], unknown, unknown> = new t.Type(
  "text",
  (u): u is string | readonly string[] => EntryText.is(u) || Entries.is(u),
  (u, context) => (Array.isArray(u) ? Entries : EntryText).validate(u, context),
  (value) => value,
);

const Pattern = refined(EntryText, (pattern) => pattern.length <= maxPatternLength, patternTooLongMessage);

const numberNeeded = "Enter a number, such as 30";

const toNumber = (u: unknown): unknown => (typeof u === "string" && u.trim() !== "" ? Number(u) : u);

/** Decodes a number of 0 or more, also when it is sent as text. */
const Amount = refined(
  new t.Type(
    "number",
    t.number.is,
    (u, context) => {
      const amount = toNumber(u);
      return typeof amount === "number" && Number.isFinite(amount)
        ? t.success(amount)
        : t.failure(u, context, numberNeeded);
    },
    (value) => value,
  ),
  (value) => value >= 0,
  "Enter 0 or more",
);

type Pair<A> = readonly [A, A];

const wrongOrder = "Enter the smaller value first";

/** Two values of a kind; `required` is the message for what is no pair. */
const pairOf = <A>(one: t.Type<A, A, unknown>, required: string): t.Type<Pair<A>, Pair<A>, unknown> => {
  const pair: t.Type<Pair<A>, Pair<A>, unknown> = t.readonly(t.tuple([one, one]));
  return new t.Type(
    "pair",
    pair.is,
    (u, context) =>
      Array.isArray(u) && u.length === 2 ? pair.validate(u, context) : t.failure(u, context, required),
    pair.encode,
  );
};

const Amounts = refined(
  pairOf(Amount, "Enter two numbers, such as 5 and 30"),
  ([from, to]) => from <= to,
  wrongOrder,
);

const isoDay = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** True if the text is an existing calendar day: there is no February 30. */
const isDay = (text: string): boolean => {
  const day = text.slice(0, 10);
  if (!isoDay.test(text) || Number.isNaN(Date.parse(text)) || Number.isNaN(Date.parse(day))) return false;
  return new Date(Date.parse(day)).toISOString().startsWith(day);
};

const Day = refined(t.string, isDay, "Enter a date, such as 2026-12-24");

const Days = refined(
  pairOf(Day, "Enter two dates, such as 2026-12-01 and 2026-12-24"),
  ([from, to]) => Date.parse(from) <= Date.parse(to),
  wrongOrder,
);

const decoders: Readonly<Record<ValueKind, t.Decoder<unknown, ConditionValue>>> = {
  list: List,
  text: Text,
  pattern: Pattern,
  number: Amount,
  numberRange: Amounts,
  date: Day,
  dateRange: Days,
  timeRange: TimeRange,
};

/** Returns the decoder of a value kind; every error message says how to correct the value. */
export const valueDecoder = (kind: ValueKind): t.Decoder<unknown, ConditionValue> => decoders[kind];
