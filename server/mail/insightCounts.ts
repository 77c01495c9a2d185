import type { Clock } from "../../core/ports/clock.ts";
import { findUsersWithConsent } from "../contentAccess/consentQueries.ts";
import { monthOf } from "../delivery/usageQueries.ts";
import { addCounts, type Count, type CountKind } from "../insights/countQueries.ts";
import { dayOf, periodOf } from "../insights/history.ts";
import { addRecentMails, type MailOutcome, type RecentMail } from "../insights/recentMailQueries.ts";
import type { MailRoute } from "../masks/mailRoute.ts";
import type { Authentication } from "../proof/evidence.ts";
import type { Database } from "../store/database.ts";
import type { Engine } from "../store/engine.ts";
import type { CommittedMail, CountMails } from "./deliveryPlan.ts";
import type { RecordVerdict } from "./sampleSenders.ts";

interface CountFact {
  readonly kind: CountKind;
  readonly key: string;
}

const factsOf = (kind: CountKind, keys: readonly string[]): readonly CountFact[] =>
  keys.map((key) => ({ kind, key }));

const flowOf = ({ plan, forwarded, archived, answered }: CommittedMail): readonly string[] => [
  "received",
  ...(forwarded ? ["forwarded"] : []),
  ...(plan.block === null ? [] : ["blocked"]),
  ...(archived ? ["archived"] : []),
  ...(answered ? ["answered"] : []),
];

const verdictKeys = (authentication: Authentication): readonly string[] =>
  Object.entries(authentication).map(([check, result]) => `${check}=${result}`);

const verdictCounts = (
  { userId, maskId, historyMs }: MailRoute,
  authentication: Authentication,
  now: number,
): readonly Count[] =>
  [null, maskId].flatMap((id) =>
    factsOf("verdict", verdictKeys(authentication)).map((fact) => ({
      userId,
      maskId: id,
      period: periodOf(historyMs, now),
      n: 1,
      ...fact,
    })),
  );

/** Only delivered mail counts senders, because blocked mail can invent any number of them. */
const countedSenders = ({ block, senderDomain }: CommittedMail["plan"]): readonly string[] =>
  block === null && senderDomain !== "" ? [senderDomain] : [];

/** The account's rule keys also contain the mask. */
const mailCounts = (mail: CommittedMail, now: number): readonly Count[] => {
  const { plan } = mail;
  const { route, decision, block, category } = plan;
  const { userId, maskId, historyMs } = route;
  const flow = flowOf(mail);
  const sharedFacts: readonly CountFact[] = [
    ...factsOf("flow", flow),
    ...factsOf("sender", countedSenders(plan)),
    ...factsOf("category", category === null ? [] : [category]),
    ...factsOf("tag", decision.tags),
    ...factsOf(
      "action",
      decision.applied.flatMap(({ actions }) => actions),
    ),
    ...factsOf(
      "type",
      decision.applied.map(({ type }) => type),
    ),
    ...factsOf("block", block === null ? [] : [block.reason]),
  ];
  const rules = decision.applied.map(({ id }) => id);
  const maskFacts = [...sharedFacts, ...factsOf("rule", rules)];
  const accountFacts = [
    ...sharedFacts,
    ...factsOf(
      "rule",
      rules.map((id) => `${maskId} ${id}`),
    ),
  ];
  const toCounts = (id: string | null, facts: readonly CountFact[], period: string): readonly Count[] =>
    facts.map((fact) => ({ userId, maskId: id, period, n: 1, ...fact }));
  const period = periodOf(historyMs, now);
  return [null, maskId].flatMap((id) => [
    ...toCounts(id, id === null ? accountFacts : maskFacts, period),
    ...toCounts(id, factsOf("day", flow), dayOf(now)),
    ...toCounts(id, factsOf("month", flow), monthOf(now)),
    ...(id === null && plan.spam ? verdictCounts(route, plan.spam.authentication, now) : []),
  ]);
};

const toOutcome = ({ plan, forwarded, archived }: CommittedMail): MailOutcome => {
  if (plan.block !== null) return "blocked";
  if (archived) return "archived";
  if (!forwarded) return "dropped";
  return plan.copies.length > 0 ? "forwarded" : "digest";
};

const toRecentMail = (mail: CommittedMail): RecentMail => {
  const { route, senderDomain, category, block } = mail.plan;
  return {
    userId: route.userId,
    maskId: route.maskId,
    senderDomain,
    category,
    outcome: toOutcome(mail),
    threatLevel: block?.threatLevel ?? null,
    reason: block?.reason ?? null,
  };
};

/** Removes the category of mails whose owner withdrew consent while the mail was processed. */
const withoutWithdrawnConsent = (
  mails: readonly CommittedMail[],
  allowed: ReadonlySet<string>,
): readonly CommittedMail[] =>
  mails.map((mail) => {
    const { plan } = mail;
    return plan.category === null || allowed.has(plan.route.userId)
      ? mail
      : { ...mail, plan: { ...plan, category: null } };
  });

/** Mails per owner between deletions of older ones. */
const pruneEach = 25;

/** Returns the owners with enough mails since the last deletion; the first time, each. */
const createDuePrunes = () => {
  const counts = new Map<string, number>();
  return (mails: readonly CommittedMail[]): ReadonlySet<string> => {
    const due = new Set<string>();
    for (const { plan } of mails) {
      const { userId } = plan.route;
      const count = (counts.get(userId) ?? pruneEach) + 1;
      counts.set(userId, count);
      if (count > pruneEach) due.add(userId);
    }
    for (const userId of due) counts.set(userId, 0);
    return due;
  };
};

/** Creates the function that counts mails for insights in their transaction. */
export const createCountMails = (engine: Pick<Engine, "jsonRows">): CountMails => {
  const duePrunes = createDuePrunes();
  return async (db, mails, now) => {
    if (mails.length === 0) return;
    const classified = mails.filter(({ plan }) => plan.category !== null);
    const owners = [...new Set(classified.map(({ plan }) => plan.route.userId))];
    const counted = withoutWithdrawnConsent(mails, await findUsersWithConsent(db, owners, now));
    await addCounts(
      db,
      engine,
      counted.flatMap((mail) => mailCounts(mail, now)),
      now,
    );
    await addRecentMails(db, engine, counted.map(toRecentMail), now, duePrunes(mails));
  };
};

/** Creates the function that counts a sender check which finished after its mail was counted. */
export const createRecordVerdict =
  (database: Database, clock: Pick<Clock, "now">): RecordVerdict =>
  async (route, authentication) => {
    const now = clock.now();
    await database.transaction((db) =>
      addCounts(db, database.engine, verdictCounts(route, authentication, now), now),
    );
  };
