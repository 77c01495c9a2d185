/** The longest regular expression a condition may have, in characters (D30). */
export const longestPattern = 256;

export const patternTooLong = `A regular expression can have at most ${longestPattern} characters`;

/** What is said of an expression the engine does not take; `reason` is the engine's. */
export const patternRefused = (reason: string): string => `This regular expression cannot be used: ${reason}`;
