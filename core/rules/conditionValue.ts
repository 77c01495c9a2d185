import * as t from "io-ts";
import { isStorable, such } from "../contract/text.ts";
import { splitAtCommas } from "./commaList.ts";
import type { ValueKind } from "./operator.ts";
import { longestPattern, patternTooLong } from "./pattern.ts";
import { TimeRange } from "./timeRange.ts";

/** What a condition compares with; which of them, its field and operator say. */
export type ConditionValue =
  | string
  | number
  | readonly string[]
  | readonly [number, number]
  | readonly [string, string]
  | TimeRange;

const mostEntries = 100;
const longestEntry = 1_000;

const entryNeeded = "Enter what to compare with";

const EntryText = such(
  such(
    such(t.string, isStorable, "Please remove characters that cannot be stored"),
    (text) => text.trim() !== "",
    entryNeeded,
  ),
  (text) => text.length <= longestEntry,
  `What to compare with can have at most ${longestEntry} characters`,
);

const Entries = such(
  such(t.readonlyArray(EntryText, "list"), (entries) => entries.length > 0, entryNeeded),
  (entries) => entries.length <= mostEntries,
  `A list can have at most ${mostEntries} entries`,
);

/** A list, or text with commas that means one (RU5). */
const List: t.Type<readonly string[], readonly string[], unknown> = new t.Type(
  "list",
  Entries.is,
  (u, context) => Entries.validate(typeof u === "string" ? splitAtCommas(u) : u, context),
  (entries) => entries,
);

/** Text, or a list of which any entry serves (D30). */
const Text: t.Type<string | readonly string[], unknown, unknown> = new t.Type(
  "text",
  (u): u is string | readonly string[] => EntryText.is(u) || Entries.is(u),
  (u, context) => (Array.isArray(u) ? Entries : EntryText).validate(u, context),
  (value) => value,
);

const Pattern = such(EntryText, (pattern) => pattern.length <= longestPattern, patternTooLong);

const numberNeeded = "Enter a number, such as 30";

/** A number of 0 or more. */
const Amount = such(
  new t.Type(
    "number",
    t.number.is,
    (u, context) => (Number.isFinite(u) ? t.success(u as number) : t.failure(u, context, numberNeeded)),
    (value) => value,
  ),
  (value) => value >= 0,
  "Enter 0 or more",
);

const inOrder = "Enter the smaller value first";

const Amounts = such(t.readonly(t.tuple([Amount, Amount])), ([from, to]) => from <= to, inOrder);

const isoDay = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** Whether a calendar has the day: there is no 30 February. */
const isDay = (text: string): boolean => {
  const day = text.slice(0, 10);
  if (!isoDay.test(text) || Number.isNaN(Date.parse(text)) || Number.isNaN(Date.parse(day))) return false;
  return new Date(Date.parse(day)).toISOString().startsWith(day);
};

const Day = such(t.string, isDay, "Enter a date, such as 2026-12-24");

const Days = such(
  t.readonly(t.tuple([Day, Day])),
  ([from, to]) => Date.parse(from) <= Date.parse(to),
  inOrder,
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

/** Reads what a condition of this kind compares with, each refusal with a sentence that says what to do. */
export const valueDecoder = (kind: ValueKind): t.Decoder<unknown, ConditionValue> => decoders[kind];
