import type { PassedMail } from "../relay/countMails.ts";
import type { Authentication } from "../spam/evidence.ts";
import type { Count, CountKind } from "../store/counts.ts";
import type { Route } from "../store/routes.ts";
import { monthOf } from "../store/usage.ts";
import { dayOf, periodOf } from "./history.ts";

interface Fact {
  readonly kind: CountKind;
  readonly key: string;
}

const of = (kind: CountKind, keys: readonly string[]): readonly Fact[] => keys.map((key) => ({ kind, key }));

/** What became of a mail: received always, and each thing that happened to it. */
const flowOf = ({ passage, forwarded, archived, answered }: PassedMail): readonly string[] => [
  "received",
  ...(forwarded ? ["forwarded"] : []),
  ...(passage.block === null ? [] : ["blocked"]),
  ...(archived ? ["archived"] : []),
  ...(answered ? ["answered"] : []),
];

const verdictsIn = (authentication: Authentication): readonly string[] =>
  Object.entries(authentication).map(([check, result]) => `${check}=${result}`);

/** What a check of a mail's sender adds to the figures of its mask and its account. */
export const countedVerdicts = (
  { userId, maskId, historyMs }: Route,
  authentication: Authentication,
  now: number,
): readonly Count[] =>
  [null, maskId].flatMap((id) =>
    of("verdict", verdictsIn(authentication)).map((fact) => ({
      userId,
      maskId: id,
      period: periodOf(historyMs, now),
      n: 1,
      ...fact,
    })),
  );

/** Senders are those of mail that was let through: how many a stopped flood invents is the flood's to say. */
const sendersOf = ({ block, senderDomain }: PassedMail["passage"]): readonly string[] =>
  block === null && senderDomain !== "" ? [senderDomain] : [];

/** What a mail adds to the figures of its mask and, with the rules named by their mask too, of its account. */
export const countsOf = (mail: PassedMail, now: number): readonly Count[] => {
  const { passage } = mail;
  const { route, decision, block, category } = passage;
  const { userId, maskId, historyMs } = route;
  const flow = flowOf(mail);
  const shared: readonly Fact[] = [
    ...of("flow", flow),
    ...of("sender", sendersOf(passage)),
    ...of("category", category === null ? [] : [category]),
    ...of("tag", decision.tags),
    ...of(
      "action",
      decision.applied.flatMap(({ actions }) => actions),
    ),
    ...of(
      "type",
      decision.applied.map(({ type }) => type),
    ),
    ...of("block", block === null ? [] : [block.reason]),
  ];
  const rules = decision.applied.map(({ id }) => id);
  const ofMask = [...shared, ...of("rule", rules)];
  const ofAccount = [
    ...shared,
    ...of(
      "rule",
      rules.map((id) => `${maskId} ${id}`),
    ),
  ];
  const counted = (id: string | null, facts: readonly Fact[], period: string): readonly Count[] =>
    facts.map((fact) => ({ userId, maskId: id, period, n: 1, ...fact }));
  const period = periodOf(historyMs, now);
  return [null, maskId].flatMap((id) => [
    ...counted(id, id === null ? ofAccount : ofMask, period),
    ...counted(id, of("day", flow), dayOf(now)),
    ...counted(id, of("month", flow), monthOf(now)),
    ...(id === null && passage.spam ? countedVerdicts(route, passage.spam.authentication, now) : []),
  ]);
};
