import * as E from "fp-ts/lib/Either.js";
import { RE2JS } from "re2js";
import type { CompilePattern } from "../../core/ports/patterns.ts";
import { foldCase, requiredText } from "./requiredText.ts";

/**
 * The maximum number of instructions of an expression. At 10 ns each per character, the worst one takes a third of a
 * second on the longest text that rules read.
 */
const maxInstructions = 500;

const tooComplicated = "it is too complicated. Use fewer or smaller repetitions.";

const toReason = (error: unknown): string =>
  String(error instanceof Error ? error.message : error)
    .replace(/^error parsing regexp: /, "")
    .replaceAll("(?i)", "");

/** Looks for the text that every match contains first, which takes a hundredth of the time. */
const createTest = (pattern: string, compiled: RE2JS): ((text: string) => boolean) => {
  const required = requiredText(pattern);
  if (required === null) return (text) => compiled.test(text);
  return (text) => foldCase(text).includes(required) && compiled.test(text);
};

/** Compiles an expression with RE2's JavaScript port. */
export const compilePattern: CompilePattern = (pattern) => {
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    return compiled.programSize() > maxInstructions
      ? E.left(tooComplicated)
      : E.right(createTest(pattern, compiled));
  } catch (error) {
    return E.left(toReason(error));
  }
};
