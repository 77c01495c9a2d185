import { mailboxKey } from "../mail/emailAddress.ts";
import type { Action, ActionOf } from "../rules/action.ts";
import type { ActionType } from "../rules/actionType.ts";
import type { Rule } from "../rules/rule.ts";
import { type Decision, plain, stopped } from "./decision.ts";
import type { Reason } from "./explanation.ts";
import type { AccountFacts, MaskFacts } from "./facts.ts";
import { whyNotAnswer } from "./mayAnswer.ts";
import type { Message } from "./message.ts";
import { sentSubject } from "./sentSubject.ts";

/** What is decided about: a mail, the mask it came to, and the account whose mask that is. */
export interface Circumstances {
  readonly message: Message;
  readonly mask: MaskFacts;
  readonly account: AccountFacts;
}

/** What comes of rules that apply: the decision, and why single actions came to nothing. */
export interface Outcome {
  readonly decision: Decision;
  readonly held: ReadonlyMap<Action, Reason>;
}

const isA =
  <T extends ActionType>(type: T) =>
  (action: Action): action is ActionOf<T> =>
    action.type === type;

const isSameMailbox = (one: string, other: string): boolean => mailboxKey(one) === mailboxKey(other);

/** Each mailbox once, however it is written. */
const distinct = (addresses: readonly string[]): readonly string[] =>
  addresses.filter((address, n) => addresses.findIndex((one) => isSameMailbox(one, address)) === n);

/** What happens to a mail to which no rule applies: it goes where the mask's mail goes. */
export const plainDecision = ({ forwardTo }: MaskFacts): Decision => plain([forwardTo]);

const applied = ({ id, name, type, actions }: Rule, held: ReadonlyMap<Action, Reason>) => ({
  id,
  name,
  type,
  actions: actions.filter((action) => !held.has(action)).map((action) => action.type),
});

const blocked = (rules: readonly Rule[], by: Rule, block: ActionOf<"block">): Outcome => {
  const held = new Map(
    rules
      .flatMap(({ actions }) => actions)
      .filter((action) => action !== block)
      .map((action): [Action, Reason] => [action, "overruled-by-block"]),
  );
  return {
    decision: {
      ...stopped({ how: block.params.silentBlock ? "silent" : "refuse", ruleId: by.id }),
      applied: [applied(by, held)],
    },
    held,
  };
};

/** Actions that come to nothing though their rule applies. */
const heldActions = (
  actions: readonly Action[],
  { message, mask, account }: Circumstances,
): ReadonlyMap<Action, Reason> => {
  const confirmed = new Set([mask.forwardTo, ...account.confirmed].map(mailboxKey));
  const [answer, ...furtherAnswers] = actions.filter(isA("auto-reply"));
  const whyNot = answer && whyNotAnswer(message, mask, account);
  return new Map<Action, Reason>([
    ...actions
      .filter(isA("forward"))
      .filter(({ params }) => !confirmed.has(mailboxKey(params.email)))
      .map((action): [Action, Reason] => [action, "unconfirmed"]),
    ...furtherAnswers.map((action): [Action, Reason] => [action, whyNot ?? "answered-already"]),
    ...(answer && whyNot ? [[answer, whyNot] as const] : []),
  ]);
};

/**
 * Carries out the rules that apply (D32). The first block wins over all else (D30). Without one, mail goes to the
 * addresses it is forwarded to and that are confirmed; to none, where it is archived; else to the mask's own.
 */
export const carryOut = (rules: readonly Rule[], circumstances: Circumstances): Outcome => {
  const { message, mask } = circumstances;
  for (const rule of rules) {
    const block = rule.actions.find(isA("block"));
    if (block) return blocked(rules, rule, block);
  }
  const held = heldActions(
    rules.flatMap(({ actions }) => actions),
    circumstances,
  );
  const done = rules.flatMap(({ id, actions }) =>
    actions.filter((action) => !held.has(action)).map((action) => ({ id, action })),
  );
  const all = done.map(({ action }) => action);
  const forwards = all.filter(isA("forward"));
  const archives = all.filter(isA("archive"));
  const changes = all.filter(isA("modify"));
  const tags = [...new Set(all.filter(isA("tag")).map(({ params }) => params.tag))];
  const at = (immediate: boolean): readonly string[] =>
    forwards.filter(({ params }) => params.immediate === immediate).map(({ params }) => params.email);
  const now = distinct(at(true));
  const digest = distinct(at(false)).filter((address) => !now.some((one) => isSameMailbox(one, address)));
  const isElsewhere = forwards.length > 0 || archives.length > 0;
  const answers = done.flatMap(({ id, action }) =>
    action.type === "auto-reply" ? [{ ruleId: id, ...action.params }] : [],
  );
  return {
    decision: {
      block: null,
      destinations: isElsewhere ? now : [mask.forwardTo],
      digest,
      tags,
      subject: sentSubject(
        message.subject,
        changes.map(({ params }) => params.subjectPrefix).filter((prefix) => prefix !== ""),
        tags,
      ),
      removeTrackers: changes.some(({ params }) => params.removeTrackers),
      notify: done.flatMap(({ id, action }) =>
        action.type === "notify" ? [{ ruleId: id, message: action.params.message }] : [],
      ),
      autoReply: answers[0] ?? null,
      archive:
        archives.length === 0 ? null : { markAsRead: archives.some(({ params }) => params.markAsRead) },
      applied: rules.map((rule) => applied(rule, held)),
    },
    held,
  };
};
