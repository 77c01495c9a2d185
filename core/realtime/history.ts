/** Something that happened to the connection. */
export type HistoryEvent =
  /** `attempt`: how many tries in a row went before. */
  | { readonly kind: "connecting"; readonly attempt: number }
  | { readonly kind: "opened" }
  | { readonly kind: "closed"; readonly code: number; readonly reason: string }
  | { readonly kind: "timed-out" }
  | { readonly kind: "no-reply" }
  | { readonly kind: "no-token" }
  /** The server has not accepted who this is. */
  | { readonly kind: "refused"; readonly error: string }
  /** The server has said that something is wrong. */
  | { readonly kind: "server-error"; readonly error: string }
  /** Something was asked over the connection and not answered. */
  | { readonly kind: "unanswered"; readonly error: string }
  | { readonly kind: "inactive" }
  | { readonly kind: "resumed" }
  | { readonly kind: "gave-up" };

/** `at` in milliseconds since 1970. */
export type HistoryEntry = HistoryEvent & { readonly at: number };

/** How many entries are kept (RT11). */
const historyLength = 20;

/** The history with one more entry, the newest last. */
export const recorded = (history: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] => [
  ...history.slice(1 - historyLength),
  entry,
];
