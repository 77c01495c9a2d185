import type { ParsedMail } from "../../../core/mail/parsedMail.ts";
import type { ForwardedCalendars, KeptTrackers } from "../../../core/mailLog/logEntry.ts";
import type { BlockReason } from "../../../core/masks/mailStatistics.ts";
import type { Decision } from "../../../core/rules/engine/decision.ts";
import type { SenderList } from "../../../core/senders/maskSenders.ts";
import type { OutgoingCopy } from "../../delivery/outgoingCopy.ts";
import type { MailSummary } from "../../mime/mailSummary.ts";
import type { Evidence } from "../../proof/evidence.ts";
import type { ReadDepth } from "../evaluate/evaluate.ts";
import type { SpamVerdict } from "../evaluate/spamFilter.ts";
import type { MailRoute } from "../mailRoute.ts";
import type { Notes } from "../notes.ts";

/** The reason for which a mail is held when it arrives. */
export type ArrivalReason = "suspicious" | "spam" | "unknown" | "rule" | "off";

/** A complete mail for one recipient, in memory. */
export interface WholeCopy {
  readonly recipient: string;
  readonly content: Uint8Array;
}

/** An automatic reply that a rule sends to the sender. */
export interface AutoReply extends WholeCopy {
  /** Identifies this sender at this mask and reveals nothing else. */
  readonly senderHash: string;
}

/** A copy that is held, why, and who gets it when its owner releases it. */
export interface HeldCopy extends MailSummary {
  readonly reason: ArrivalReason;
  readonly copy: OutgoingCopy;
  readonly recipients: readonly string[];
}

/** Everything that is stored and sent of a mail for one mask. */
export interface MailDecision {
  readonly route: MailRoute;
  readonly decision: Decision;
  readonly readDepth: ReadDepth;
  /** null when it was not needed. */
  readonly parsedMail: ParsedMail | null;
  /** The From address, or else the envelope's sender; empty when there is none. */
  readonly from: string;
  /** Domain of the From address, in lower case; empty when there is none. */
  readonly senderDomain: string;
  /** null when its owner has not turned classification on. */
  readonly category: string | null;
  /** Bytes of the mail as received. */
  readonly size: number;
  /** Values for the records of features. */
  readonly notes: Notes;
  /** The list of the mask that names the sender; null for none. */
  readonly listed: SenderList | null;
  /** null when the mail is not blocked. */
  readonly block: BlockReason | null;
  /** True if the sender is proven, or need not be: for a trusted network, or as the mask's owner says. */
  readonly isProven: boolean;
  /** The evidence about the sender; null when nothing was checked. */
  readonly evidence: Evidence | null;
  /** Result of the spam filter; null when the mask's filter is off. */
  readonly spam: SpamVerdict | null;
  /** The reason for which trackers may still be in it although a rule removes them; null without one. */
  readonly keptTrackers: KeptTrackers | null;
  /** The number of tracking pixels and links that were taken out of its HTML. */
  readonly removedTrackers: number;
  /** The treatment of its calendars; null without any. */
  readonly calendars: ForwardedCalendars | null;
  readonly copies: readonly OutgoingCopy[];
  /**
   * The copies that are held for the owner's decision instead of sent; two when some recipients have a key and some have none.
   */
  readonly held: readonly HeldCopy[];
  readonly digest: readonly DigestCopy[];
  /** Copy for the archive; when the archive is full, `ifFull` is sent to the destination instead. */
  readonly archive: {
    readonly content: Uint8Array;
    readonly ifFull: Uint8Array;
    readonly markAsRead: boolean;
  } | null;
  readonly autoReply: AutoReply | null;
}

/** A copy that goes with the mails of an hour, or of a day. */
export interface DigestCopy extends WholeCopy {
  readonly isDaily: boolean;
}

/** Returns how many copies of the mail are written. */
export const copyCount = ({ copies, held, digest, archive }: MailDecision): number =>
  copies.length + held.length + digest.length + (archive ? 1 : 0);

/** Returns the bytes of memory that a decision stores. */
export const bytesInDecision = ({ copies, held, digest, archive, autoReply }: MailDecision): number =>
  [...copies, ...held.map(({ copy }) => copy)].reduce(
    (sum, { head, body }) => sum + head.length + (body?.content.head.length ?? 0),
    0,
  ) +
  [...digest, ...(autoReply ? [autoReply] : []), ...(archive ? [archive] : [])].reduce(
    (sum, { content }) => sum + content.length,
    0,
  );

/** A mail that is stored for a mask, with its effects. */
export interface CommittedMail {
  readonly decided: MailDecision;
  /** True if the mail is sent on, immediately or with the hourly digest. */
  readonly forwarded: boolean;
  readonly archived: boolean;
  readonly answered: boolean;
  /** The mail's entry in its owner's log; null when it is not logged. */
  readonly logId: string | null;
  /** The ids in the queue of the copies in `decided.held`, in their order. */
  readonly heldIds: readonly string[];
  /** The network that sends it; null where it is not limited. */
  readonly network: string | null;
}

/** The outcome of a mail at a mask. */
export type MailOutcome = "forwarded" | "digest" | "held" | "archived" | "dropped" | "blocked";

/** Returns what has become of a mail at a mask. */
export const toOutcome = ({ decided, forwarded, archived }: CommittedMail): MailOutcome => {
  if (decided.block !== null) return "blocked";
  if (decided.held.length > 0) return "held";
  if (archived) return "archived";
  if (!forwarded) return "dropped";
  return decided.copies.length > 0 ? "forwarded" : "digest";
};
