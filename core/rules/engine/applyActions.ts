import { isSameMailbox, mailboxName } from "../../mail/mailboxName.ts";
import type { ParsedMail } from "../../mail/parsedMail.ts";
import type { ActionOf, RuleAction } from "../model/action.ts";
import type { ActionType } from "../model/actionType.ts";
import type { Rule, RuleId } from "../model/rule.ts";
import type { AccountPlace } from "../model/rulePlace.ts";
import { type AppliedRule, blockedDecision, type Decision } from "./decision.ts";
import type { Reason } from "./explanation.ts";
import type { Facts } from "./facts.ts";
import { findReplyObstacle } from "./mayReply.ts";

const maxSubjectLength = 900;

/**
 * Adds prefixes and then tags in brackets before the subject, in their order. A mark that the subject already
 * contains, as in a reply, is not added again. Null when nothing is added.
 */
export const markSubject = (
  subject: string,
  prefixes: readonly string[],
  tags: readonly string[],
): string | null => {
  const marks = [...prefixes, ...tags.map((tag) => `[${tag}]`)];
  const present = subject.toLowerCase();
  const added = [...new Set(marks)].filter((mark) => !present.includes(mark.toLowerCase()));
  if (added.length === 0) return null;
  return [...added, subject].join(" ").trim().slice(0, maxSubjectLength);
};

/** The decision of the matching rules, and why single actions had no effect. */
export interface ActionOutcome {
  readonly decision: Decision;
  readonly skipped: ReadonlyMap<RuleAction, Reason>;
}

const isA =
  <T extends ActionType>(type: T) =>
  (action: RuleAction): action is ActionOf<T> =>
    action.type === type;

/** Removes addresses of the same mailbox, however they are written. */
const distinct = (addresses: readonly string[]): readonly string[] =>
  addresses.filter((address, n) => addresses.findIndex((one) => isSameMailbox(one, address)) === n);

/** A rule, and where it stands when it is one for all masks. */
export interface PlacedRule extends Rule {
  readonly place?: AccountPlace;
}

const toAppliedRule = (
  { id, name, type, actions, place }: PlacedRule,
  skipped: ReadonlyMap<RuleAction, Reason>,
): AppliedRule => ({
  id,
  name,
  type,
  ...(place && { place }),
  actions: actions.filter((action) => !skipped.has(action)).map((action) => action.type),
});

const blockOutcome = (
  rules: readonly PlacedRule[],
  by: PlacedRule,
  block: ActionOf<"block">,
): ActionOutcome => {
  const skipped = new Map(
    rules
      .flatMap(({ actions }) => actions)
      .filter((action) => action !== block)
      .map((action): [RuleAction, Reason] => [action, "overruled-by-block"]),
  );
  return {
    decision: {
      ...blockedDecision({ how: block.params.silentBlock ? "silent" : "refuse", by: "rule", ruleId: by.id }),
      applied: [toAppliedRule(by, skipped)],
    },
    skipped,
  };
};

const findSkippedActions = (
  actions: readonly RuleAction[],
  mail: ParsedMail,
  { mask, account }: Facts,
): ReadonlyMap<RuleAction, Reason> => {
  const confirmed = new Set([mask.forwardTo, ...account.confirmed].map(mailboxName));
  const isHeld = actions.some(isA("hold"));
  const [reply, ...furtherReplies] = isHeld ? [] : actions.filter(isA("auto-reply"));
  const obstacle = reply && findReplyObstacle(mail, mask, account);
  return new Map<RuleAction, Reason>([
    ...actions
      .filter(isA("forward"))
      .filter(({ params }) => !confirmed.has(mailboxName(params.email)))
      .map((action): [RuleAction, Reason] => [action, "unconfirmed"]),
    ...(isHeld ? actions.filter(({ type }) => type === "archive" || type === "auto-reply") : []).map(
      (action): [RuleAction, Reason] => [action, "overruled-by-hold"],
    ),
    ...furtherReplies.map((action): [RuleAction, Reason] => [action, obstacle ?? "answered-already"]),
    ...(reply && obstacle ? [[reply, obstacle] as const] : []),
  ]);
};

/** The effects of the applied actions of all matching rules, in their order. */
interface Effects {
  readonly holds: NonNullable<Decision["hold"]>[];
  readonly forwards: ActionOf<"forward">["params"][];
  readonly tags: string[];
  readonly prefixes: string[];
  readonly notify: Decision["notify"][number][];
  readonly replies: NonNullable<Decision["autoReply"]>[];
  readonly archives: NonNullable<Decision["archive"]>[];
  removeTrackers: boolean;
}

const collectEffects = (rules: readonly Rule[], skipped: ReadonlyMap<RuleAction, Reason>): Effects => {
  const effects: Effects = {
    holds: [],
    forwards: [],
    tags: [],
    prefixes: [],
    notify: [],
    replies: [],
    archives: [],
    removeTrackers: false,
  };
  const add = (ruleId: RuleId, action: RuleAction): void => {
    switch (action.type) {
      case "block":
        return;
      case "hold":
        effects.holds.push({ ruleId });
        return;
      case "forward":
        effects.forwards.push(action.params);
        return;
      case "tag":
        effects.tags.push(action.params.tag);
        return;
      case "notify":
        effects.notify.push({ ruleId, message: action.params.message });
        return;
      case "auto-reply":
        effects.replies.push({ ruleId, ...action.params });
        return;
      case "archive":
        effects.archives.push(action.params);
        return;
      case "modify": {
        const { subjectPrefix, removeTrackers } = action.params;
        if (subjectPrefix !== "") effects.prefixes.push(subjectPrefix);
        effects.removeTrackers ||= removeTrackers;
        return;
      }
      default:
        action satisfies never;
    }
  };
  for (const { id, actions } of rules)
    for (const action of actions) if (!skipped.has(action)) add(id, action);
  return effects;
};

/**
 * Applies the actions of the matching rules (D32). The first block wins over everything else (D30). Otherwise
 * a held mail waits, and is neither archived nor answered;
 * the mail goes to the confirmed addresses of its forward actions, to no address when it is only archived,
 * and else to the mask's own forward-to address.
 */
export const applyActions = (rules: readonly PlacedRule[], mail: ParsedMail, facts: Facts): ActionOutcome => {
  for (const rule of rules) {
    const block = rule.actions.find(isA("block"));
    if (block) return blockOutcome(rules, rule, block);
  }
  const skipped = findSkippedActions(
    rules.flatMap(({ actions }) => actions),
    mail,
    facts,
  );
  const { holds, forwards, archives, prefixes, notify, replies, removeTrackers, ...effects } = collectEffects(
    rules,
    skipped,
  );
  const tags = [...new Set(effects.tags)];
  const addressesOf = (when: (forward: (typeof forwards)[number]) => boolean): readonly string[] =>
    distinct(forwards.filter(when).map(({ email }) => email));
  const without = (addresses: readonly string[], others: readonly string[]): readonly string[] =>
    addresses.filter((address) => !others.some((one) => isSameMailbox(one, address)));
  const immediateAddresses = addressesOf(({ immediate }) => immediate);
  const digest = without(
    addressesOf(({ immediate, daily }) => !(immediate || daily)),
    immediateAddresses,
  );
  const dailyDigest = without(
    addressesOf(({ immediate, daily }) => !immediate && daily),
    [...immediateAddresses, ...digest],
  );
  const isElsewhere = forwards.length > 0 || archives.length > 0;
  return {
    decision: {
      block: null,
      hold: holds[0] ?? null,
      destinations: isElsewhere ? immediateAddresses : [facts.mask.forwardTo],
      digest,
      dailyDigest,
      tags,
      subject: markSubject(mail.subject, prefixes, tags),
      removeTrackers,
      notify,
      autoReply: replies[0] ?? null,
      archive: archives.length === 0 ? null : { markAsRead: archives.some(({ markAsRead }) => markAsRead) },
      applied: rules.map((rule) => toAppliedRule(rule, skipped)),
    },
    skipped,
  };
};
