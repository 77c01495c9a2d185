import * as t from "io-ts";
import { Suggestion } from "./suggestion.ts";

const counts = t.record(t.string, t.number);
const flow = { received: t.number, forwarded: t.number, blocked: t.number };

/** What of the mail of one mask the comparison and the breakdowns show. */
const MaskFlow = t.type({ id: t.string, description: t.string, active: t.boolean, ...flow });
export type MaskFlow = t.TypeOf<typeof MaskFlow>;

const RuleFlow = t.type({
  id: t.string,
  maskId: t.string,
  name: t.string,
  type: t.string,
  applied: t.number,
  lastApplied: t.union([t.string, t.null]),
});

const SecurityEvent = t.type({
  date: t.string,
  maskId: t.string,
  threatLevel: t.string,
  reason: t.string,
});

/** One mail as the list of the newest shows it: without address, subject or text. */
const RecentEmail = t.type({
  date: t.string,
  maskId: t.string,
  senderDomain: t.string,
  category: t.union([t.string, t.null]),
  outcome: t.string,
});

/**
 * The figures of an account's mail, or of one mask's (IN2, IN4, IN5, IN7). Every figure is counted when the mail passes;
 * dates are ISO 8601, days "2026-11-20" in UTC. What is derived from content is empty while content access is off.
 */
export const InsightsAnswer = t.intersection([
  t.type({
    /** Mails received since `since`. */
    total: t.number,
    thisMonth: t.number,
    categoryBreakdown: counts,
    topCategories: t.array(t.type({ category: t.string, count: t.number })),
    recentEmails: t.array(RecentEmail),
    summaryStats: t.type({
      promotionalEmails: t.number,
      importantEmails: t.number,
      transactionalEmails: t.number,
      newsletterEmails: t.number,
    }),
    suggestions: t.array(Suggestion),
  }),
  t.partial({
    plan: t.string,
    /** What is counted begins here: the account's first day, or as far back as its plan keeps history. */
    since: t.string,
    flow: t.type(flow),
    flowThisMonth: t.type(flow),
    /** Mail of the service itself this month, such as sign-in codes; it does not count against the limit (D11). */
    systemEmails: t.number,
    byDay: t.array(t.type({ day: t.string, ...flow })),
    senders: t.array(t.type({ domain: t.string, received: t.number, masks: t.number })),
    rules: t.array(RuleFlow),
    rulesByType: counts,
    tags: counts,
    actions: counts,
    blockReasons: t.array(t.type({ reason: t.string, count: t.number })),
    /** Verdicts of SPF, DKIM and DMARC, as "dmarc=fail". */
    verdicts: counts,
    securityEvents: t.array(SecurityEvent),
    masks: t.array(MaskFlow),
  }),
]);
export type InsightsAnswer = t.TypeOf<typeof InsightsAnswer>;

/** What is shown while nothing is known (IN6). */
export const noInsights: InsightsAnswer = {
  total: 0,
  thisMonth: 0,
  categoryBreakdown: {},
  topCategories: [],
  recentEmails: [],
  summaryStats: { promotionalEmails: 0, importantEmails: 0, transactionalEmails: 0, newsletterEmails: 0 },
  suggestions: [],
};
