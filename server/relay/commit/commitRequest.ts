import type { NewLogEntry } from "../../delivery/mailLog/logQueries.ts";
import type { OutgoingCopy } from "../../delivery/outgoingCopy.ts";
import type { RawMail } from "../../mime/rawMail.ts";
import type { MailDecision, MailOutcome } from "../decision/mailDecision.ts";

/** A received mail with the decision for each of its masks. */
export interface CommitRequest {
  /** The id of the mail, which the ids of its copies begin with. */
  readonly mailId: string;
  /** The month that the mail counts for. */
  readonly month: string;
  /** Our bounce address, or empty for the null sender. */
  readonly envelopeSender: string;
  /** The authenticated sender that a report about a failed delivery may go to; null when there is none. */
  readonly reportTo: string | null;
  readonly decisions: readonly MailDecision[];
  /** The sources whose daily share the mail counts for; empty for mail that is not limited. */
  readonly sources: readonly string[];
  /** The network that sends it; null where it is not limited. */
  readonly network: string | null;
  /** Copy for the postmaster, which counts for no month. */
  readonly notice: OutgoingCopy | null;
  /** The entry in the owner's log for each decision; null or absent where none is kept. */
  readonly logEntries: readonly (NewLogEntry | null)[];
  /** The preparations of the records of features, in their order. */
  readonly prepared: readonly unknown[];
  /** Bytes of memory in the preparations. */
  readonly preparedBytes: number;
  /** What the way in stores in the same transaction; absent where it has nothing to store. */
  readonly inCommit?: RawMail["inCommit"];
}

/** The mail is queued completely, or nothing of it is stored. */
export interface CommitResult {
  readonly kind: "queued" | "limit" | "share" | "full" | "waiting" | "changed";
  /** A lower bound of the mails used in the month, by user id. */
  readonly received: ReadonlyMap<string, number>;
  /** True if a copy must be read from the store by the delivery. */
  readonly isWaiting: boolean;
  /** The daily shares that are used up, of a mail that is not stored because of them. */
  readonly usedUp: readonly string[];
  /** The users without room to keep the mail, which is not stored because of them. */
  readonly full: readonly string[];
  /** The outcomes of a queued mail at each of its masks. */
  readonly outcomes: readonly MailOutcome[];
}
