/** The codes of refused replies; each has a section in the page of help. */
const refusalCodes = [
  "BAUTA-R1",
  "BAUTA-R2",
  "BAUTA-R3",
  "BAUTA-R4",
  "BAUTA-R5",
  "BAUTA-R6",
  "BAUTA-R7",
  "BAUTA-R8",
  "BAUTA-R9",
  "BAUTA-R10",
  "BAUTA-R11",
  "BAUTA-R12",
  "BAUTA-R16",
  "BAUTA-R17",
  "BAUTA-R18",
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

export const isRefusalCode = (text: string): text is RefusalCode =>
  refusalCodes.some((code) => code === text);

/** Returns the code that a sentence about a refused reply names; null where it names none. */
export const refusalCodeIn = (sentence: string): RefusalCode | null =>
  sentence.match(/\bBAUTA-R\d+\b/g)?.find(isRefusalCode) ?? null;
