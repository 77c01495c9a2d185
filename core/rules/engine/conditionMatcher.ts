import * as E from "fp-ts/lib/Either.js";
import type { CompilePattern } from "../../ports/patterns.ts";
import type { Condition } from "../model/condition.ts";
import {
  type ConditionField,
  type FieldKind,
  type FieldSource,
  fieldEntry,
  type KindOf,
} from "../model/conditionField.ts";
import { type ConditionValue, splitAtCommas } from "../model/conditionValue.ts";
import { isPatternOperator } from "../model/operator.ts";
import { createTimeMatcher, type MinuteOfDay, minuteOfDayIn, type TimeRange } from "../model/timeRange.ts";
import type { Reason } from "./explanation.ts";
import type { ComparedMail } from "./facts.ts";
import {
  createDateMatcher,
  createNumberMatcher,
  createPatternMatcher,
  createTextMatcher,
  type TextMatcher,
} from "./valueMatchers.ts";

/** A condition prepared for matching many mails. */
export interface ConditionMatcher {
  readonly condition: Condition;
  readonly matches: (mail: ComparedMail) => boolean;
  readonly readActual: (mail: ComparedMail) => string | number | null;
  /** Why the condition cannot match any mail, or not this one. */
  readonly reason: (mail: ComparedMail) => Reason | null;
}

type Read<A> = (mail: ComparedMail) => A | null;

interface FieldMatcher<K extends FieldKind> {
  readonly kind: K;
  readonly create: (condition: Condition, compile: CompilePattern) => ConditionMatcher;
}

/** Why a field has no value, by its source; null where it always has one or the rule is not evaluated without it. */
const missingReasons: Readonly<Record<FieldSource, Reason | null>> = {
  header: null,
  text: null,
  classifier: "no-category",
  clock: null,
  history: "no-earlier-mail",
  month: null,
};

const missingReason = ({ field }: Condition, actual: string | number | null): Reason | null =>
  actual === null ? missingReasons[fieldEntry(field).source] : null;

/** The most characters of a text that an explanation shows. */
const maxShownCharacters = 200;

const noReason = (): null => null;

/** Creates the matcher of a condition that never matches: a value of the wrong kind, or an unusable expression. */
const neverMatching = (condition: Condition, reason: Reason | null): ConditionMatcher => ({
  condition,
  matches: () => false,
  readActual: noReason,
  reason: () => reason,
});

const isTextValue = (value: ConditionValue): value is string | readonly string[] =>
  typeof value === "string" || (Array.isArray(value) && value.every((one) => typeof one === "string"));

const isTimeRange = (value: ConditionValue): value is TimeRange =>
  typeof value === "object" && "timeZone" in value;

/** One text of a mail, as it was written and normalized; null when the mail has none. */
interface TextPart {
  readonly raw: Read<string>;
  readonly normalized: Read<string>;
}

const isFoundIn =
  (read: Read<string>, textMatches: TextMatcher) =>
  (mail: ComparedMail): boolean => {
    const text = read(mail);
    return text !== null && textMatches(text);
  };

/** Whether any of the texts matches; expressions run on the texts as they were written. */
const isFoundInAny = (parts: readonly TextPart[], isPattern: boolean, textMatches: TextMatcher) => {
  const found = parts.map(({ raw, normalized }) => isFoundIn(isPattern ? raw : normalized, textMatches));
  const [first] = found;
  return found.length === 1 && first ? first : (mail: ComparedMail) => found.some((one) => one(mail));
};

const readTexts =
  (parts: readonly TextPart[]): Read<string> =>
  (mail) => {
    const texts = parts.flatMap(({ raw }) => raw(mail) ?? []);
    return texts.length === 0 ? null : texts.join("\n").slice(0, maxShownCharacters);
  };

/** Whether the text of a mail was cut, so that nothing can be said about what it does not contain. */
type IsCut = (mail: ComparedMail) => boolean;

const neverCut: IsCut = () => false;

/** Typed addresses and categories are lists, because neither contains a comma. Other text is compared as a whole. */
const toEntries = (kind: FieldKind, value: string | readonly string[]): string | readonly string[] =>
  kind !== "text" && typeof value === "string" && value.includes(",") ? splitAtCommas(value) : value;

/** Matches a field that consists of one text, or of several of which any may match. */
const textField = <K extends "text" | "address" | "category">(
  kind: K,
  parts: readonly [TextPart, ...TextPart[]],
  isCut: IsCut = neverCut,
): FieldMatcher<K> => ({
  kind,
  create: (condition, compile) => {
    const { operator, value } = condition;
    if (!isTextValue(value)) return neverMatching(condition, null);
    const isPattern = isPatternOperator(operator);
    const test = isPattern
      ? createPatternMatcher(String(value), compile)
      : createTextMatcher(operator, toEntries(kind, value), kind === "address");
    if (test === null) return neverMatching(condition, isPattern ? "pattern-refused" : null);
    const isFound = isFoundInAny(parts, isPattern, test.matches);
    const readActual = readTexts(parts);
    const isUnknown: IsCut = test.isNegated ? (mail) => isCut(mail) && !isFound(mail) : neverCut;
    return {
      condition,
      matches: test.isNegated ? (mail) => !isFound(mail) && !isCut(mail) : isFound,
      readActual,
      reason: (mail) => (isUnknown(mail) ? "text-cut" : missingReason(condition, readActual(mail))),
    };
  },
});

const numberField = <K extends "measure" | "count">(kind: K, read: Read<number>): FieldMatcher<K> => ({
  kind,
  create: (condition) => {
    const numberMatches = createNumberMatcher(condition.operator, condition.value);
    if (numberMatches === null) return neverMatching(condition, null);
    return {
      condition,
      matches: (mail) => {
        const number = read(mail);
        return number !== null && numberMatches(number);
      },
      readActual: (mail) => {
        const number = read(mail);
        return number === null ? null : Math.round(number * 10) / 10;
      },
      reason: (mail) => missingReason(condition, read(mail)),
    };
  },
});

const dateField: FieldMatcher<"date"> = {
  kind: "date",
  create: (condition) => {
    const dateMatches = createDateMatcher(condition.operator, condition.value);
    if (dateMatches === null) return neverMatching(condition, null);
    return {
      condition,
      matches: ({ now }) => dateMatches(now),
      readActual: ({ now }) => new Date(now).toISOString(),
      reason: noReason,
    };
  },
};

const formatMinute = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");

const timeField: FieldMatcher<"time"> = {
  kind: "time",
  create: (condition) => {
    const { value } = condition;
    const clock = isTimeRange(value) ? minuteOfDayIn(value.timeZone) : E.left("");
    if (!isTimeRange(value) || E.isLeft(clock)) return neverMatching(condition, null);
    const isWithin = createTimeMatcher(value);
    const minuteAt: MinuteOfDay = clock.right;
    return {
      condition,
      matches: ({ now }) => isWithin(minuteAt(now)),
      readActual: ({ now }) => formatMinute(minuteAt(now)),
      reason: noReason,
    };
  },
};

const subject: TextPart = { raw: ({ mail }) => mail.subject, normalized: ({ subject }) => subject };
const body: TextPart = { raw: ({ mail }) => mail.text, normalized: ({ text }) => text() };
/** The visible text of the HTML where the plain text lacks some of it. */
const html: TextPart = { raw: ({ mail }) => mail.htmlText, normalized: ({ htmlText }) => htmlText() };
const isTextCut: IsCut = ({ mail }) => mail.isTextCut;
const sender: TextPart = {
  raw: ({ mail }) => mail.from?.address ?? "",
  normalized: ({ sender }) => sender,
};
const category: TextPart = {
  raw: ({ category }) => category?.raw ?? null,
  normalized: ({ category }) => category?.normalized ?? null,
};

/** The matcher of every field; a field of conditionField.ts without one, or with one of another kind, does not compile. */
const fieldMatchers: { readonly [F in ConditionField]: FieldMatcher<KindOf<F>> } = {
  subject: textField("text", [subject]),
  body: textField("text", [body, html], isTextCut),
  text: textField("text", [subject, body, html], isTextCut),
  sender: textField("address", [sender]),
  email: textField("address", [sender]),
  category: textField("category", [category]),
  time: timeField,
  date: dateField,
  lastActivity: numberField("measure", ({ days }) => days),
  days: numberField("measure", ({ days }) => days),
  openRate: numberField("measure", ({ forwardedShare }) => forwardedShare),
  percentage: numberField("measure", ({ forwardedShare }) => forwardedShare),
  emailCount: numberField("count", ({ receivedThisMonth }) => receivedThisMonth),
  number: numberField("count", ({ receivedThisMonth }) => receivedThisMonth),
};

/** Prepares a condition; an invalid value, which the codecs reject, never matches. */
export const createConditionMatcher = (condition: Condition, compile: CompilePattern): ConditionMatcher =>
  fieldMatchers[condition.field].create(condition, compile);
