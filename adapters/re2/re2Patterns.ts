import * as E from "fp-ts/lib/Either.js";
import type { RE2JS } from "re2js";
import type { CompilePattern } from "../../core/ports/patterns.ts";

type Engine = typeof RE2JS;

/**
 * How many instructions a compiled expression may have. An unlucky text costs about 10 ns for each character and
 * instruction, so this keeps the worst expression on the longest text that rules read to a third of a second.
 */
const mostInstructions = 500;

const tooComplicated = "it is too complicated. Use fewer or smaller repetitions.";

const reasonIn = (error: unknown): string =>
  String(error instanceof Error ? error.message : error)
    .replace(/^error parsing regexp: /, "")
    .replaceAll("(?i)", "");

const compileWith =
  (engine: Engine): CompilePattern =>
  (pattern) => {
    try {
      const compiled = engine.compile(pattern, engine.CASE_INSENSITIVE);
      return compiled.programSize() > mostInstructions
        ? E.left(tooComplicated)
        : E.right((text) => compiled.test(text));
    } catch (error) {
      return E.left(reasonIn(error));
    }
  };

/** Loads RE2's JavaScript port, which is some 60 kB: only where somebody uses regular expressions. */
export const loadRe2Patterns = (): Promise<CompilePattern> =>
  import("re2js").then(({ RE2JS }) => compileWith(RE2JS));
