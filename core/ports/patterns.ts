import type { Either } from "fp-ts/lib/Either.js";

/** Tests whether the expression matches anywhere in the text, ignoring case. */
export type PatternMatcher = (text: string) => boolean;

/** Compiles a regular expression for an engine that runs in linear time. Left is the syntax error. */
export type CompilePattern = (pattern: string) => Either<string, PatternMatcher>;

/** Loads the regular expression engine, which is large, when it is first needed. Rejects when loading fails. */
export type LoadPatterns = () => Promise<CompilePattern>;
