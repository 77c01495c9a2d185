import type { BlockReason } from "../../core/masks/mailStatistics.ts";
import type { Decision } from "../../core/relay/decision.ts";
import type { Message } from "../../core/relay/message.ts";
import type { SpamJudgement } from "../spam/spamFilter.ts";
import type { Route } from "../store/routes.ts";
import type { Read } from "./judge.ts";

/** A mail on its way to one address, complete as it will arrive. */
export interface Copy {
  readonly recipient: string;
  readonly content: Uint8Array;
}

/** An answer to the sender that a rule asks for. */
export interface AutomaticAnswer extends Copy {
  /** Tells this sender from others at this mask, and nothing else. */
  readonly senderHash: string;
}

/** What becomes of a mail for one mask: everything that its transaction writes. */
export interface Passage {
  readonly route: Route;
  readonly decision: Decision;
  /** How much of the mail was looked at for it. */
  readonly read: Read;
  /** What its header says; null where nobody needed that. */
  readonly message: Message | null;
  /** Of From, in lower case; empty where it has none. */
  readonly senderDomain: string;
  /** What the mail is for; null while its owner wants no mail classified. */
  readonly category: string | null;
  /** Bytes, as it came. */
  readonly size: number;
  /** Why it is stopped; null when it is not. */
  readonly block: BlockReason | null;
  /** What the spam filter says of it; null where its mask does not ask. */
  readonly spam: SpamJudgement | null;
  readonly copies: readonly Copy[];
  /** With the hourly mail. */
  readonly digest: readonly Copy[];
  /** Kept here; where there is no room it is sent to forward-to instead. */
  readonly archive: { readonly content: Uint8Array; readonly markAsRead: boolean } | null;
  readonly answer: AutomaticAnswer | null;
}

/** How many times the mail is written for it. */
export const timesWritten = ({ copies, digest, archive }: Passage): number =>
  copies.length + digest.length + (archive ? 1 : 0);

/** All bytes a passage writes. */
export const weightOf = ({ copies, digest, archive, answer }: Passage): number =>
  [...copies, ...digest, ...(answer ? [answer] : []), ...(archive ? [archive] : [])].reduce(
    (sum, { content }) => sum + content.length,
    0,
  );
