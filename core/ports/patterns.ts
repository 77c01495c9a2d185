import type { Either } from "fp-ts/lib/Either.js";

/** Whether the expression is found anywhere in the text, whatever its case. */
export type PatternTest = (text: string) => boolean;

/** Compiles a regular expression for an engine whose time is linear in the text; left: what is wrong with it. */
export type CompilePattern = (pattern: string) => Either<string, PatternTest>;

/** Gets what compiles regular expressions, which is large: asked for when one is met. Rejects when it cannot be had. */
export type LoadPatterns = () => Promise<CompilePattern>;
