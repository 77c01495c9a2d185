import { mailboxKey } from "../../mail/emailAddress.ts";
import type { ParsedMail } from "../../mail/parsedMail.ts";
import type { Action, ActionOf } from "../model/action.ts";
import type { ActionType } from "../model/actionType.ts";
import type { Rule } from "../model/rule.ts";
import { blockedDecision, type Decision, deliverTo } from "./decision.ts";
import type { Reason } from "./explanation.ts";
import type { AccountFacts, MaskFacts } from "./facts.ts";
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

/** The input of a decision: a mail, the mask that received it, and the mask's account. */
export interface EvaluationContext {
  readonly mail: ParsedMail;
  readonly mask: MaskFacts;
  readonly account: AccountFacts;
}

/** The decision of the matching rules, and why single actions had no effect. */
export interface ActionOutcome {
  readonly decision: Decision;
  readonly skipped: ReadonlyMap<Action, Reason>;
}

const isA =
  <T extends ActionType>(type: T) =>
  (action: Action): action is ActionOf<T> =>
    action.type === type;

const isSameMailbox = (a: string, b: string): boolean => mailboxKey(a) === mailboxKey(b);

/** Removes addresses of the same mailbox, however they are written. */
const distinct = (addresses: readonly string[]): readonly string[] =>
  addresses.filter((address, n) => addresses.findIndex((one) => isSameMailbox(one, address)) === n);

/** Returns the decision for a mail that no rule matches: it is forwarded to the mask's forward-to address. */
export const defaultDecision = ({ forwardTo }: MaskFacts): Decision => deliverTo([forwardTo]);

const toAppliedRule = ({ id, name, type, actions }: Rule, skipped: ReadonlyMap<Action, Reason>) => ({
  id,
  name,
  type,
  actions: actions.filter((action) => !skipped.has(action)).map((action) => action.type),
});

const blockOutcome = (rules: readonly Rule[], by: Rule, block: ActionOf<"block">): ActionOutcome => {
  const skipped = new Map(
    rules
      .flatMap(({ actions }) => actions)
      .filter((action) => action !== block)
      .map((action): [Action, Reason] => [action, "overruled-by-block"]),
  );
  return {
    decision: {
      ...blockedDecision({ how: block.params.silentBlock ? "silent" : "refuse", ruleId: by.id }),
      applied: [toAppliedRule(by, skipped)],
    },
    skipped,
  };
};

/** Returns the actions that have no effect although their rule applies. */
const findSkippedActions = (
  actions: readonly Action[],
  { mail, mask, account }: EvaluationContext,
): ReadonlyMap<Action, Reason> => {
  const confirmed = new Set([mask.forwardTo, ...account.confirmed].map(mailboxKey));
  const [reply, ...furtherReplies] = actions.filter(isA("auto-reply"));
  const obstacle = reply && findReplyObstacle(mail, mask, account);
  return new Map<Action, Reason>([
    ...actions
      .filter(isA("forward"))
      .filter(({ params }) => !confirmed.has(mailboxKey(params.email)))
      .map((action): [Action, Reason] => [action, "unconfirmed"]),
    ...furtherReplies.map((action): [Action, Reason] => [action, obstacle ?? "answered-already"]),
    ...(reply && obstacle ? [[reply, obstacle] as const] : []),
  ]);
};

/**
 * Applies the actions of the matching rules (D32). The first block wins over everything else (D30). Otherwise
 * the mail goes to the confirmed addresses of its forward actions, to no address when it is only archived,
 * and else to the mask's own forward-to address.
 */
export const applyActions = (rules: readonly Rule[], context: EvaluationContext): ActionOutcome => {
  const { mail, mask } = context;
  for (const rule of rules) {
    const block = rule.actions.find(isA("block"));
    if (block) return blockOutcome(rules, rule, block);
  }
  const skipped = findSkippedActions(
    rules.flatMap(({ actions }) => actions),
    context,
  );
  const applied = rules.flatMap(({ id, actions }) =>
    actions.filter((action) => !skipped.has(action)).map((action) => ({ id, action })),
  );
  const appliedActions = applied.map(({ action }) => action);
  const forwards = appliedActions.filter(isA("forward"));
  const archives = appliedActions.filter(isA("archive"));
  const modifications = appliedActions.filter(isA("modify"));
  const tags = [...new Set(appliedActions.filter(isA("tag")).map(({ params }) => params.tag))];
  const addressesOf = (immediate: boolean): readonly string[] =>
    forwards.filter(({ params }) => params.immediate === immediate).map(({ params }) => params.email);
  const immediateAddresses = distinct(addressesOf(true));
  const digest = distinct(addressesOf(false)).filter(
    (address) => !immediateAddresses.some((one) => isSameMailbox(one, address)),
  );
  const isElsewhere = forwards.length > 0 || archives.length > 0;
  const replies = applied.flatMap(({ id, action }) =>
    action.type === "auto-reply" ? [{ ruleId: id, ...action.params }] : [],
  );
  return {
    decision: {
      block: null,
      destinations: isElsewhere ? immediateAddresses : [mask.forwardTo],
      digest,
      tags,
      subject: markSubject(
        mail.subject,
        modifications.map(({ params }) => params.subjectPrefix).filter((prefix) => prefix !== ""),
        tags,
      ),
      removeTrackers: modifications.some(({ params }) => params.removeTrackers),
      notify: applied.flatMap(({ id, action }) =>
        action.type === "notify" ? [{ ruleId: id, message: action.params.message }] : [],
      ),
      autoReply: replies[0] ?? null,
      archive:
        archives.length === 0 ? null : { markAsRead: archives.some(({ params }) => params.markAsRead) },
      applied: rules.map((rule) => toAppliedRule(rule, skipped)),
    },
    skipped,
  };
};
