import * as t from "io-ts";

const counts = t.record(t.string, t.number);

/** Counters about the mail of one mask (MA4). Dates are ISO 8601; counters start at 0 and only grow. */
export const MaskStatistics = t.intersection([
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
    actionsSummary: t.type({
      totalActionsApplied: t.number,
      lastActionApplied: t.union([t.string, t.null]),
    }),
    rulesSummary: t.type({
      totalRulesApplied: t.number,
      rulesByType: counts,
      lastRuleApplied: t.union([t.string, t.null]),
    }),
    rules: t.record(
      t.string,
      t.intersection([
        t.type({ name: t.string, type: t.string, appliedCount: t.number }),
        /** Extends the contract. */
        t.partial({ lastApplied: t.string }),
      ]),
    ),
    blockHistory: t.array(t.type({ date: t.string, threatLevel: t.string, reason: t.string })),
  }),
]);
export type MaskStatistics = t.TypeOf<typeof MaskStatistics>;

/** The statistics of a mask that has received no mail. */
export const noStatistics: MaskStatistics = {
  totalReceived: 0,
  totalForwarded: 0,
  spamBlocked: 0,
  totalSent: 0,
  lastUsed: null,
};

/** Returns how many mails a mask has received in the calendar month (UTC) of `now`, in milliseconds since 1970. */
export const receivedThisMonth = ({ monthly }: MaskStatistics, now: number): number =>
  monthly?.month === new Date(now).toISOString().slice(0, 7) ? monthly.received : 0;
