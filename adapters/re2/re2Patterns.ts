import * as E from "fp-ts/lib/Either.js";
import type { RE2JS } from "re2js";
import type { CompilePattern } from "../../core/ports/patterns.ts";
import { foldCase, requiredText } from "./requiredText.ts";

type Engine = typeof RE2JS;

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

const compileWith =
  (engine: Engine): CompilePattern =>
  (pattern) => {
    try {
      const compiled = engine.compile(pattern, engine.CASE_INSENSITIVE);
      return compiled.programSize() > maxInstructions
        ? E.left(tooComplicated)
        : E.right(createTest(pattern, compiled));
    } catch (error) {
      return E.left(toReason(error));
    }
  };

/** Loads RE2's JavaScript port (about 60 kB); only regular expressions need it. */
export const loadRe2Patterns = (): Promise<CompilePattern> =>
  import("./re2Library.ts").then(({ engine }) => compileWith(engine));
