import type { MailOutcome } from "./decision/mailDecision.ts";

/** The counters of arriving mail; the server registers them. */
export interface RelayMetrics {
  /** Counts what has become of a stored mail at a mask. */
  readonly countMail: (outcome: MailOutcome) => void;
  readonly countReply: (result: "sent" | "refused") => void;
  readonly countRspamd: (result: "answered" | "failed") => void;
  /** Counts reports of receivers: "read", or the name of the problem for which one is refused. */
  readonly countReport: (result: string) => void;
}
