import type { Check } from "../features/operator/check.ts";

const marks = { ok: "ok      ", warning: "warning ", problem: "PROBLEM ", unknown: "unknown " } as const;

/** Returns a check as lines of text. */
export const checkLines = ({ name, state, is, advice }: Check): readonly string[] => [
  `${marks[state]} ${name}: ${is}`,
  ...(advice === null ? [] : [`          ${advice}.`]),
];
