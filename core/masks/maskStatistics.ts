import * as t from "io-ts";
import { completed, dateText } from "../api/wireCodecs.ts";

const counts = t.record(t.string, t.number);

const StatisticsFields = t.intersection([
  t.type({
    totalReceived: t.number,
    totalForwarded: t.number,
    spamBlocked: t.number,
    totalSent: t.number,
  }),
  t.partial({
    lastUsed: t.union([t.string, t.null]),
    /** The month of its last mail ("2026-11", UTC) and the mails of that month. Extends the contract. */
    monthly: t.type({ month: t.string, received: t.number }),
    lastCategory: t.union([t.string, t.null]),
    aiCategories: counts,
    tags: counts,
    actions: counts,
    actionsSummary: completed(
      t.type({ totalActionsApplied: t.number, lastActionApplied: t.union([t.string, t.null]) }),
      (given) => ({ totalActionsApplied: 0, lastActionApplied: null, ...given }),
    ),
    rulesSummary: completed(
      t.type({
        totalRulesApplied: t.number,
        rulesByType: counts,
        lastRuleApplied: t.union([t.string, t.null]),
      }),
      (given) => ({ totalRulesApplied: 0, rulesByType: {}, lastRuleApplied: null, ...given }),
    ),
    rules: t.record(
      t.string,
      completed(
        t.intersection([
          t.type({ name: t.string, type: t.string, appliedCount: t.number }),
          /** Extends the contract. */
          t.partial({ lastApplied: t.string }),
        ]),
        (given) => ({ name: "", type: "", appliedCount: 0, ...given }),
      ),
    ),
    blockHistory: t.array(
      completed(
        t.type({ date: t.string, threatLevel: t.string, reason: t.string }),
        ({ date = "", ...given }) => ({
          threatLevel: "",
          reason: "",
          ...given,
          date: dateText(date),
        }),
      ),
    ),
  }),
]);

/** The statistics of a mask that has received no mail. */
export const noStatistics: t.TypeOf<typeof StatisticsFields> = {
  totalReceived: 0,
  totalForwarded: 0,
  spamBlocked: 0,
  totalSent: 0,
  lastUsed: null,
};

/**
 * Counters about the mail of one mask (MA4). Dates are ISO 8601; counters start at 0 and only grow. Other servers may leave
 * out what they do not count.
 */
export const MaskStatistics = completed(StatisticsFields, ({ lastUsed = null, ...given }) => ({
  ...noStatistics,
  ...given,
  lastUsed: dateText(lastUsed),
}));
export type MaskStatistics = t.TypeOf<typeof MaskStatistics>;

/** Returns how many mails a mask has received in the calendar month (UTC) of `now`, in milliseconds since 1970. */
export const receivedThisMonth = ({ monthly }: MaskStatistics, now: number): number =>
  monthly?.month === new Date(now).toISOString().slice(0, 7) ? monthly.received : 0;
