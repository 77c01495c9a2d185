import { type Signal, signals } from "./signals.ts";
import { wordsOf } from "./words.ts";

const sign = (signal: Signal, isThere: boolean): string => `${isThere ? "+" : "-"}${signal}`;

/** What the classifier sees of a mail: each signal that is there or missing, and the words of the subject. */
export const featuresOf = (present: readonly Signal[], subject: string): readonly string[] => [
  ...signals.map((signal) => sign(signal, present.includes(signal))),
  ...wordsOf(subject),
];
