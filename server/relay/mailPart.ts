import type { ParsedMail } from "../../core/mail/parsedMail.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Obstacle } from "../../core/rules/engine/decision.ts";
import type { SenderList } from "../../core/senders/maskSenders.ts";
import type { SharedBody } from "../delivery/outgoingCopy.ts";
import type { KeptLimits } from "../delivery/queue/keptBytes.ts";
import type { Database, Db } from "../platform/store/database.ts";
import type { Evidence } from "../proof/evidence.ts";
import type { SmtpReply } from "../smtp/smtpReplies.ts";
import type { CalendarNames, CalendarPerson } from "./calendars/calendarNames.ts";
import type { RawMailWithHeader } from "./decision/arrivedMail.ts";
import type { ArrivalReason, CommittedMail, MailDecision } from "./decision/mailDecision.ts";
import type { FactsOfMask } from "./evaluate/evaluate.ts";
import type { ReachedShare } from "./limits/monthlyQuota.ts";
import type { MailRoute } from "./mailRoute.ts";
import type { Notes } from "./notes.ts";
import type { RecipientKind } from "./receive/recipientKind.ts";

/** Reads facts that rules may ask for. */
export interface MailFact {
  /** Tells if a mask needs the facts; others cost nothing. */
  readonly isNeeded: (route: MailRoute) => boolean;
  /** Must not reject for a reason that the sender can cause. `parsed` is null where the header cannot be parsed. */
  readonly read: (
    mail: { readonly parsed: ParsedMail | null; readonly content: Buffer; readonly now: number },
    route: MailRoute,
  ) => Promise<Partial<FactsOfMask>>;
}

/** A mail at a mask, with what the checks of its sender have found. */
export interface JudgedMail {
  readonly mail: RawMailWithHeader;
  readonly route: MailRoute;
  /** True if the author counts as proven at the mask. */
  readonly isProven: boolean;
  /** Null when the sender was not checked. */
  readonly evidence: Evidence | null;
}

/** The result of a judge: refuse a mail, hold it for its owner, or let it pass whatever the engine's own judges suspect. */
export type Verdict =
  | { readonly kind: "refuse"; readonly by: Obstacle }
  | { readonly kind: "hold"; readonly reason: ArrivalReason }
  | { readonly kind: "allow" };

/** The opinion of a judge about a mail. */
export interface Opinion {
  /** null without one: the next judge is asked. */
  readonly verdict: Verdict | null;
  /** The list of the mask that names the sender; null for none. */
  readonly listed: SenderList | null;
}

/** Judges a mail at a mask besides its rules. */
export type MailJudge = (mail: JudgedMail) => Promise<Opinion>;

/** Fields that a treatment writes into a copy. */
export interface TreatedFields {
  /** Complete lines. */
  readonly text: string;
  /** They stand behind the fields about trackers and calendars. */
  readonly isLast?: true;
  /** Original fields that are renamed, in lower case. */
  readonly replaced?: ReadonlySet<string>;
}

/** The sender's fields of a copy, by which answers go through the mask. */
export interface AnswerFields extends TreatedFields {
  readonly replaced: ReadonlySet<string>;
  /** The address for From. */
  readonly from: string;
  /** Returns the names of people in calendars, for the copy of a recipient. */
  readonly calendarNames: (recipient: string) => CalendarNames;
}

/** A copy as the treatments before have left it. */
export interface CopyDraft {
  readonly route: MailRoute;
  readonly evidence: Evidence | null;
  /** Below the header. */
  readonly body: SharedBody;
  /** Names of original fields that are written anew, in lower case. */
  readonly replaced: ReadonlySet<string>;
  /** The people in the calendars of the mail. */
  readonly people: readonly CalendarPerson[];
  /** The page on which the list of the mail is left through the mask; null without one. */
  readonly unsubscribeUrl: string | null;
}

/** The changes of one treatment to a copy; members that are absent stay as they are. */
export interface Treated {
  readonly body?: SharedBody;
  readonly unsubscribeUrl?: string;
  /** Fields before those of rules. */
  readonly fields?: TreatedFields;
  /** Of several treatments the last counts. */
  readonly answer?: AnswerFields;
  readonly notes?: Notes;
}

/**
 * Treats the copies of a mail, each mask's on its own. The outer function is called once for a mail, so that masks share what
 * does not differ; the inner one for each mask.
 */
export type Treatment = (mail: RawMailWithHeader) => (draft: CopyDraft) => Promise<Treated> | Treated;

/** The transaction that stores mails. */
export interface MailCommit {
  readonly database: Database;
  readonly db: Db;
  readonly now: number;
  readonly random: Random;
  /** The month that the mails count for. */
  readonly month: string;
  /** The shares of the month that users have reached by these mails. */
  readonly reached: readonly ReachedShare[];
}

/** A decision that is stored, before its mask counts it. */
export interface StoredDecision {
  /** Our bounce address, or empty for the null sender. */
  readonly envelopeSender: string;
  readonly decided: MailDecision;
  /** The mail's entry in its owner's log; null when it is not logged. */
  readonly logId: string | null;
  /** The network that sends it; null where it is not limited. */
  readonly network: string | null;
  /** The limits of what is kept for its owner; null without any. */
  readonly limits: KeptLimits | null;
}

/** The effect of a record that keeps a mail instead of the queue. */
export interface StoredEffect {
  readonly archived?: true;
  /** True if a mail that could not be kept is sent instead. */
  readonly isSentInstead?: true;
}

/** Mail that was refused at masks. */
export interface RefusedAtMasks {
  readonly routes: readonly MailRoute[];
  /** The sender of the envelope. */
  readonly sender: string;
  /** Bytes; absent before the content. */
  readonly size?: number;
  /** The network of the client; null where it speaks for many senders. */
  readonly network: string | null;
  readonly reply: SmtpReply;
}

/**
 * Stores what a feature keeps of mails: rows, counters, notifications and events, in the transaction that queues their copies.
 * The functions are called in this order, each for all parts in the order of the features.
 */
export interface MailRecord<Prepared = unknown> {
  /** Prepares, before the transaction, what is stored of a mail; must not reject. */
  prepare?(mail: RawMailWithHeader, decisions: readonly MailDecision[]): Promise<Prepared>;
  /** Returns the bytes of memory that it has prepared. */
  weightOf?(prepared: Prepared): number;
  /** Keeps one mail instead of the queue; undefined where it does nothing. */
  keep?(commit: MailCommit, mail: StoredDecision): Promise<StoredEffect> | undefined;
  /** Counts mails at rows that it locks, before their copies are stored; false when something has changed meanwhile. */
  claim?(commit: MailCommit, mails: readonly CommittedMail[]): Promise<boolean>;
  /** Stores mails; `prepared` is in their order. */
  store?(commit: MailCommit, mails: readonly CommittedMail[], prepared: readonly Prepared[]): Promise<void>;
  /** Learns of a mail that was stored; returns at once and must not throw. */
  stored?(mail: RawMailWithHeader, decisions: readonly MailDecision[]): void;
  /** Learns of mail that was refused; returns at once and must not throw. */
  refused?(mail: RefusedAtMasks): void;
  /** Learns that an account had no room for a mail that is refused with this reply. */
  noRoom?(route: Pick<MailRoute, "userId">, reply: SmtpReply): Promise<void>;
}

/** The part of a feature that has to do with mail. The relay folds the parts of all features in their order. */
export interface MailPart {
  readonly recipients?: readonly RecipientKind[];
  readonly facts?: readonly MailFact[];
  readonly judges?: readonly MailJudge[];
  readonly treatments?: readonly Treatment[];
  readonly records?: readonly MailRecord[];
}

/** The parts of all features as one, with no member missing. */
export type FoldedParts = Required<MailPart>;

/** Folds the parts of features; called once at the start. */
export const foldParts = (parts: readonly MailPart[]): FoldedParts => ({
  recipients: parts.flatMap(({ recipients = [] }) => recipients),
  facts: parts.flatMap(({ facts = [] }) => facts),
  judges: parts.flatMap(({ judges = [] }) => judges),
  treatments: parts.flatMap(({ treatments = [] }) => treatments),
  records: parts.flatMap(({ records = [] }) => records),
});
