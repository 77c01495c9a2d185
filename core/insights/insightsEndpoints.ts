import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { completed, givenFields, openAnswer, readableList } from "../api/wireCodecs.ts";
import { Suggestion, SuggestionStatus } from "./suggestion.ts";

const counts = t.record(t.string, t.number);
const flow = { received: t.number, forwarded: t.number, blocked: t.number };

/** `replied` counts the owner's mails from masks, by recipient, `cleaned` the mails that trackers were removed from; absent without any. */
const Totals = t.intersection([t.type(flow), t.partial({ replied: t.number, cleaned: t.number })]);

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

/** A recent mail, without address, subject or text. */
const RecentEmail = t.type({
  date: t.string,
  maskId: t.string,
  senderDomain: t.string,
  category: t.union([t.string, t.null]),
  outcome: t.string,
});

const InsightsFields = t.intersection([
  t.type({
    /** The number of mails received since `since`. */
    total: t.number,
    thisMonth: t.number,
    categoryBreakdown: counts,
    topCategories: readableList(t.type({ category: t.string, count: t.number })),
    recentEmails: readableList(RecentEmail),
    summaryStats: t.type({
      promotionalEmails: t.number,
      importantEmails: t.number,
      transactionalEmails: t.number,
      newsletterEmails: t.number,
    }),
    suggestions: readableList(Suggestion),
  }),
  t.partial({
    plan: t.string,
    /** The start of the counts: the account's first day, or the start of its plan's history. */
    since: t.string,
    flow: Totals,
    flowThisMonth: Totals,
    /** Mail that was held, and how much of it was released by its owner or deleted after 7 days. */
    heldMail: t.type({ held: t.number, released: t.number, expired: t.number }),
    /** Mails of the service itself this month, such as sign-in codes; they do not count against the limit (D11). */
    systemEmails: t.number,
    byDay: readableList(t.type({ day: t.string, ...flow })),
    senders: readableList(t.type({ domain: t.string, received: t.number, masks: t.number })),
    rules: readableList(RuleFlow),
    rulesByType: counts,
    tags: counts,
    actions: counts,
    blockReasons: readableList(t.type({ reason: t.string, count: t.number })),
    /** The numbers of SPF, DKIM, DMARC and ARC results, by keys such as "dmarc=fail". */
    verdicts: counts,
    securityEvents: readableList(SecurityEvent),
    masks: readableList(MaskFlow),
  }),
]);

/** The empty figures shown before anything is loaded (IN6). */
export const noInsights: t.TypeOf<typeof InsightsFields> = {
  total: 0,
  thisMonth: 0,
  categoryBreakdown: {},
  topCategories: [],
  recentEmails: [],
  summaryStats: { promotionalEmails: 0, importantEmails: 0, transactionalEmails: 0, newsletterEmails: 0 },
  suggestions: [],
};

/**
 * The figures of an account's mail or of one mask's (IN2, IN4, IN5, IN7), counted when a mail passes. Dates
 * are ISO 8601, days are "2026-11-20" in UTC. Figures derived from content are empty while content access is
 * off.
 */
export const InsightsAnswer = completed(InsightsFields, ({ plan, ...given }) => ({
  ...noInsights,
  ...given,
  plan: typeof plan === "string" ? plan : undefined,
  summaryStats: { ...noInsights.summaryStats, ...givenFields(given["summaryStats"]) },
}));
export type InsightsAnswer = t.TypeOf<typeof InsightsAnswer>;

/** Returns the figures of all masks, or of one with `maskId`; 404 when the user has no such mask. */
export const getInsights = endpoint("GET", "/ai/insights", {
  tokens: "log:read",
  params: t.partial({ maskId: t.string }),
  answer: InsightsAnswer,
});

/**
 * Saves the status of a suggestion. The category "All" stands for none. `suggestion`, which extends the contract, is what
 * was applied: its cause, and with it the suggestion, may be gone from the server by then. 404 for one that is not known.
 */
export const postInsights = endpoint("POST", "/ai/insights", {
  body: t.intersection([
    t.type({ actionKey: t.string, status: SuggestionStatus }),
    t.partial({ category: t.string, suggestion: Suggestion }),
  ]),
  answer: openAnswer(t.partial({ message: t.string })),
});

/** Lists the categories with the numbers of their mails. */
export const getCategories = endpoint("GET", "/ai/categories", {
  tokens: "log:read",
  answer: t.type({
    categories: t.array(t.type({ id: t.string, name: t.string, count: t.number })),
  }),
});

/** The earlier mail of a sender's domain to an account. */
export const SenderHabits = t.type({
  /** The number of masks that the domain has written to. */
  masks: t.number,
  /** The mails that it has written to the mask in question. */
  earlierMails: t.number,
});
export type SenderHabits = t.TypeOf<typeof SenderHabits>;

/** Returns the habits of a sender's domain, for the test of a rule that looks at the category. Extends the contract. */
export const getSenderHabits = endpoint("GET", "/ai/senders/:domain", {
  tokens: "log:read",
  params: t.type({ domain: t.string, maskId: t.string }),
  answer: SenderHabits,
});
