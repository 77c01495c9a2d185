import * as E from "fp-ts/lib/Either.js";
import type { CompilePattern } from "../ports/patterns.ts";
import type { ConditionField } from "../rules/conditionField.ts";
import type { Operator } from "../rules/operator.ts";
import { folded } from "./seen.ts";

/** Whether a text is what a condition wants; `null` texts are asked about nowhere. */
export type TextTest = (text: string) => boolean;

const anyOf = (entries: readonly string[], holds: (entry: string) => TextTest): TextTest => {
  const tests = entries.map(holds);
  const [only] = tests;
  if (tests.length === 1 && only) return only;
  return (text) => tests.some((test) => test(text));
};

const contains =
  (entry: string): TextTest =>
  (text) =>
    text.includes(entry);

const startsWith =
  (entry: string): TextTest =>
  (text) =>
    text.trimStart().startsWith(entry);

const endsWith =
  (entry: string): TextTest =>
  (text) =>
    text.trimEnd().endsWith(entry);

/** "example.org" ends what comes from example.org and its subdomains, not what comes from notexample.org. */
const endsWithDomain = (entry: string): TextTest => {
  if (/[@]/.test(entry) || entry.startsWith(".")) return endsWith(entry);
  return (address) => {
    const before = address.length - entry.length - 1;
    return before >= 0 && address.endsWith(entry) && (address[before] === "@" || address[before] === ".");
  };
};

const equals = (entries: readonly string[]): TextTest => {
  const wanted = new Set(entries.map((entry) => entry.trim()));
  return (text) => wanted.has(text.trim());
};

const isAddress = (field: ConditionField): boolean => field === "sender" || field === "email";

/**
 * What an operator on text wants, as a test of folded text; entries are folded here. Negative operators give the test
 * of which the contrary is wanted. null: it is no operator on text.
 */
export const textTest = (
  field: ConditionField,
  operator: Operator,
  value: string | readonly string[],
): TextTest | null => {
  const entries = [value].flat().map(folded);
  switch (operator) {
    case "contains":
    case "not_contains":
      return anyOf(entries, contains);
    case "equals":
    case "in_list":
    case "not_in_list":
      return equals(entries);
    case "starts_with":
      return anyOf(
        entries.map((entry) => entry.trimStart()),
        startsWith,
      );
    case "ends_with":
      return anyOf(
        entries.map((entry) => entry.trimEnd()),
        isAddress(field) ? endsWithDomain : endsWith,
      );
    default:
      return null;
  }
};

/** What an expression wants, as a test of text as it came; null when the engine does not take it. */
export const patternTest = (pattern: string, compile: CompilePattern): TextTest | null => {
  const compiled = compile(pattern);
  return E.isRight(compiled) ? compiled.right : null;
};
