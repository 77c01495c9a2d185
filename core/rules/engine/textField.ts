import type { FieldKind } from "../model/conditionField.ts";
import { isPatternOperator } from "../model/conditionOperator.ts";
import { type ConditionValue, splitAtCommas } from "../model/conditionValue.ts";
import type { ComparedMail } from "./facts.ts";
import { type FieldMatcher, missingReason, neverMatching, type Read } from "./fieldMatcher.ts";
import { createPatternMatcher, createTextMatcher, type TextMatcher } from "./valueMatchers.ts";

const isTextValue = (value: ConditionValue): value is string | readonly string[] =>
  typeof value === "string" || (Array.isArray(value) && value.every((one) => typeof one === "string"));

/** A text of a mail, or several of one kind, as written and normalized; null or none when the mail has none. */
export interface TextPart {
  readonly raw: Read<string | readonly string[]>;
  readonly normalized: Read<string | readonly string[]>;
}

const isFoundIn =
  (read: TextPart["raw"], textMatches: TextMatcher) =>
  (mail: ComparedMail): boolean => {
    const text = read(mail);
    if (typeof text === "string") return textMatches(text);
    return text?.some(textMatches) ?? false;
  };

/** Looks for a text that matches among several; expressions run on the texts as they were written. */
const isFoundInAny = (parts: readonly TextPart[], isPattern: boolean, textMatches: TextMatcher) => {
  const found = parts.map(({ raw, normalized }) => isFoundIn(isPattern ? raw : normalized, textMatches));
  const [first] = found;
  return found.length === 1 && first ? first : (mail: ComparedMail) => found.some((one) => one(mail));
};

/** The most characters of a text that an explanation shows. */
const maxShownCharacters = 200;

const readTexts =
  (parts: readonly TextPart[]): Read<string> =>
  (mail) => {
    const texts = parts.flatMap(({ raw }) => raw(mail) ?? []);
    return texts.length === 0 ? null : texts.join("\n").slice(0, maxShownCharacters);
  };

/** True if the text of a mail was cut, so that nothing can be said about what it does not contain. */
export type IsCut = (mail: ComparedMail) => boolean;

const neverCut: IsCut = () => false;

/** Typed addresses and categories are lists, because neither contains a comma. Other text is compared as a whole. */
const toEntries = (kind: FieldKind, value: string | readonly string[]): string | readonly string[] =>
  kind !== "text" && typeof value === "string" && value.includes(",") ? splitAtCommas(value) : value;

/** Matches a field that consists of one text, or of several of which any may match. */
export const textField = <K extends "text" | "address" | "category">(
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
    const isUnknown: IsCut = (mail) => isCut(mail) && !isFound(mail);
    return {
      condition,
      matches: test.isNegated ? (mail) => !isFound(mail) && !isCut(mail) : isFound,
      isUnknown,
      readActual,
      reason: (mail) =>
        test.isNegated && isUnknown(mail) ? "text-cut" : missingReason(condition, readActual(mail)),
    };
  },
});
