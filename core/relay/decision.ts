import type { ActionType } from "../rules/actionType.ts";
import type { RuleId } from "../rules/rule.ts";
import type { RuleType } from "../rules/ruleType.ts";

/** A rule that was carried out, as statistics count it. */
export interface AppliedRule {
  readonly id: RuleId;
  readonly name: string;
  readonly type: RuleType;
  /** What of it was carried out. */
  readonly actions: readonly ActionType[];
}

/** What will happen to a mail (D30, D32). A blocked one is nowhere delivered, tagged, announced or answered. */
export interface Decision {
  /** `silent`: accepted and dropped; `refuse`: answered 550. */
  readonly block: { readonly how: "silent" | "refuse"; readonly ruleId: RuleId } | null;
  /** Who receives it at once. */
  readonly destinations: readonly string[];
  /** Who receives it with the hourly batch. */
  readonly digest: readonly string[];
  readonly tags: readonly string[];
  /** As it is sent on; null when it stays as it is. */
  readonly subject: string | null;
  readonly removeTrackers: boolean;
  /** One text for each notification; empty text means the usual one. */
  readonly notify: readonly { readonly ruleId: RuleId; readonly message: string }[];
  /** The answer to its sender, who gets one in 7 days at most. */
  readonly autoReply: {
    readonly ruleId: RuleId;
    readonly subject: string;
    readonly message: string;
  } | null;
  /** Kept in the account's archive, and not sent to forward-to. */
  readonly archive: { readonly markAsRead: boolean } | null;
  readonly applied: readonly AppliedRule[];
}

/** A decision in which nothing is done but to deliver. */
export const plain = (destinations: readonly string[]): Decision => ({
  block: null,
  destinations,
  digest: [],
  tags: [],
  subject: null,
  removeTrackers: false,
  notify: [],
  autoReply: null,
  archive: null,
  applied: [],
});

/** A decision in which a mail is stopped and nothing else is done. */
export const stopped = (block: NonNullable<Decision["block"]>): Decision => ({ ...plain([]), block });
