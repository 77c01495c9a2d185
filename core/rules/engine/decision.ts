import type { ActionType } from "../model/actionType.ts";
import type { RuleId } from "../model/rule.ts";
import type { AccountPlace } from "../model/rulePlace.ts";
import type { RuleType } from "../model/ruleType.ts";

/** A rule that was applied; the statistics of its mask count it. */
export interface AppliedRule {
  readonly id: RuleId;
  readonly name: string;
  readonly type: RuleType;
  /** The place in the rules for all masks; absent for a rule of the mask itself. */
  readonly place?: AccountPlace;
  readonly actions: readonly ActionType[];
}

/** An obstacle to a mail besides rules: its mask, its sender or the spam filter. */
export type Obstacle =
  | "switched-off"
  | "blocked-sender"
  | "unknown-sender"
  | "forged-sender"
  | "undecided-sender"
  | "spam-filter";

/** `silent`: the mail is accepted and dropped; `refuse`: it is answered with 550. */
type Block = { readonly how: "silent" | "refuse" } & (
  | { readonly by: "rule"; readonly ruleId: RuleId }
  | { readonly by: Obstacle }
);

/** The decision about a mail (D30, D32). A blocked mail is not delivered, tagged, announced or answered. */
export interface Decision {
  readonly block: Block | null;
  /** The mail waits for its owner's decision before it is delivered; null when it does not. */
  readonly hold: { readonly ruleId: RuleId } | null;
  /** The addresses that receive the mail immediately. */
  readonly destinations: readonly string[];
  /** The addresses that receive the mail with the hourly batch. */
  readonly digest: readonly string[];
  /** The addresses that receive the mail with the daily batch. */
  readonly dailyDigest: readonly string[];
  readonly tags: readonly string[];
  /** The changed subject; null when it stays as it is. */
  readonly subject: string | null;
  readonly removeTrackers: boolean;
  /** One text for each notification; an empty text means the default one. */
  readonly notify: readonly { readonly ruleId: RuleId; readonly message: string }[];
  /** The automatic reply to the sender, who gets at most one in 7 days. */
  readonly autoReply: {
    readonly ruleId: RuleId;
    readonly subject: string;
    readonly message: string;
  } | null;
  /** The mail is stored in the account's archive instead of being forwarded. */
  readonly archive: { readonly markAsRead: boolean } | null;
  readonly applied: readonly AppliedRule[];
}

/** Returns a decision that only delivers the mail. */
export const deliverTo = (destinations: readonly string[]): Decision => ({
  block: null,
  hold: null,
  destinations,
  digest: [],
  dailyDigest: [],
  tags: [],
  subject: null,
  removeTrackers: false,
  notify: [],
  autoReply: null,
  archive: null,
  applied: [],
});

/** Returns a decision that only blocks the mail. */
export const blockedDecision = (block: Block): Decision => ({
  ...deliverTo([]),
  block,
});
