import type { NewLogEntry } from "../../delivery/mailLog/logQueries.ts";
import type { SmtpReply } from "../../smtp/replies.ts";
import type { MailDecision } from "../decision/mailDecision.ts";
import type { MailRoute } from "../mailRoute.ts";

/** A mail that is refused. */
export interface RefusedMail {
  readonly sender: string;
  readonly size?: number;
  /** That of the client; null where it speaks for many senders. */
  readonly network: string | null;
}

/** Logs the mail of users who want that. */
export interface ReceivedLog {
  /** Prepares the entry of each decision before the commit; null for one that is not logged. Never rejects. */
  readonly prepare: (decisions: readonly MailDecision[]) => Promise<readonly (NewLogEntry | null)[]>;
  /** Logs mail that is refused with a reply, without waiting for it. */
  readonly refused: (routes: readonly MailRoute[], mail: RefusedMail, reply: SmtpReply) => void;
}
