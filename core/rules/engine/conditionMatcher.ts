import * as E from "fp-ts/lib/Either.js";
import type { Attachment, ParsedMail } from "../../mail/parsedMail.ts";
import type { CompilePattern } from "../../ports/patterns.ts";
import type { Condition } from "../model/condition.ts";
import type { ConditionField, KindOf } from "../model/conditionField.ts";
import type { ConditionValue } from "../model/conditionValue.ts";
import { createTimeMatcher, type MinuteOfDay, minuteOfDayIn, type TimeRange } from "../model/timeRange.ts";
import { type ComparedMail, normalizeText, type ProofFacts } from "./facts.ts";
import {
  type ConditionMatcher,
  type FieldMatcher,
  missingReason,
  neverMatching,
  neverUnknown,
  noReason,
  type Read,
} from "./fieldMatcher.ts";
import { type IsCut, type TextPart, textField } from "./textField.ts";
import { createDateMatcher, createNumberMatcher } from "./valueMatchers.ts";

const isTimeRange = (value: ConditionValue): value is TimeRange =>
  typeof value === "object" && "timeZone" in value;

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
      isUnknown: neverUnknown,
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
      isUnknown: neverUnknown,
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
      isUnknown: neverUnknown,
      readActual: ({ now }) => formatMinute(minuteAt(now)),
      reason: noReason,
    };
  },
};

/** Bytes in the unit of the field `size`. */
const bytesPerUnit = 1_024;

const subject: TextPart = { raw: ({ mail }) => mail.subject, normalized: ({ subject }) => subject };
const body: TextPart = { raw: ({ mail }) => mail.text, normalized: ({ text }) => text() };
/** The visible text of the HTML where the plain text lacks some of it. */
const html: TextPart = { raw: ({ mail }) => mail.htmlText, normalized: ({ htmlText }) => htmlText() };
const isTextCut: IsCut = ({ mail }) => mail.isTextCut;
const sender: TextPart = {
  raw: ({ mail }) => mail.from?.address ?? "",
  normalized: ({ sender }) => sender,
};
const normalizedAll = (texts: readonly string[]): readonly string[] => texts.map(normalizeText);
const recipient: TextPart = {
  raw: ({ mail }) => mail.to,
  normalized: ({ mail }) => normalizedAll(mail.to),
};
const valuesOf = ({ headers }: ParsedMail, name: string): readonly string[] =>
  headers.flatMap((one) => (one.name === name ? [one.value] : []));
const maskAddress: TextPart = {
  raw: ({ mask }) => mask.maskEmail,
  normalized: ({ mask }) => normalizeText(mask.maskEmail),
};
const maskLabel: TextPart = {
  raw: ({ mask }) => mask.labels,
  normalized: ({ mask }) => normalizedAll(mask.labels),
};
/** Every header of this name; a mail can have several. */
const headerPart = (name: string): TextPart => ({
  raw: ({ mail }) => valuesOf(mail, name),
  normalized: ({ mail }) => normalizedAll(valuesOf(mail, name)),
});
/** The value of List-Id, and the identifier in it (RFC 2919, 3). */
const listsOf = (mail: ParsedMail): readonly string[] =>
  valuesOf(mail, "list-id").flatMap((value) => {
    const end = value.lastIndexOf(">");
    const start = value.lastIndexOf("<", end);
    return start === -1 ? [value] : [value.slice(start + 1, end), value];
  });
const list: TextPart = {
  raw: ({ mail }) => listsOf(mail),
  normalized: ({ mail }) => normalizedAll(listsOf(mail)),
};
/** The tags of Content-Language (RFC 3282), and of "de-CH" also "de". */
const languagesOf = (mail: ParsedMail): readonly string[] =>
  valuesOf(mail, "content-language")
    .flatMap((value) => value.split(","))
    .map((tag) => tag.trim().toLowerCase())
    .flatMap((tag) => (tag.includes("-") ? [tag, tag.slice(0, tag.indexOf("-"))] : tag || []));
const language: TextPart = {
  raw: ({ mail }) => languagesOf(mail),
  normalized: ({ mail }) => languagesOf(mail),
};
const attachmentPart = (part: keyof Attachment): TextPart => {
  const read = ({ mail }: ComparedMail): readonly string[] => mail.attachments.map((one) => one[part]);
  return { raw: read, normalized: (mail) => normalizedAll(read(mail)) };
};
const check = (name: keyof ProofFacts): TextPart => ({
  raw: ({ proof }) => proof?.[name] ?? null,
  normalized: ({ proof }) => proof?.[name] ?? null,
});
/** Any header, by the name that the condition has. */
const headerField: FieldMatcher<"text"> = {
  kind: "text",
  create: (condition, compile) =>
    textField("text", [headerPart((condition.header ?? "").toLowerCase())]).create(condition, compile),
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
  recipient: textField("address", [recipient]),
  mask: textField("address", [maskAddress]),
  maskLabel: textField("category", [maskLabel]),
  header: headerField,
  list: textField("text", [list]),
  language: textField("category", [language]),
  size: numberField("measure", ({ size }) => size / bytesPerUnit),
  attachmentName: textField("text", [attachmentPart("name")]),
  attachmentType: textField("text", [attachmentPart("type")]),
  attachmentCount: numberField("count", ({ mail }) => mail.attachments.length),
  spf: textField("category", [check("spf")]),
  dkim: textField("category", [check("dkim")]),
  dmarc: textField("category", [check("dmarc")]),
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
