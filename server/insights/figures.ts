import type { categories } from "../../core/classification/category.ts";
import { type InsightsAnswer, type MaskFlow, noInsights } from "../../core/insights/insightsAnswer.ts";
import {
  byPeriod,
  type Counted,
  firstPeriod,
  type MaskTotal,
  masksReachedBy,
  type Oldest,
  type Total,
  topOf,
  totalsOf,
  totalsOfMasks,
} from "../store/countReads.ts";
import type { CountKind } from "../store/counts.ts";
import type { Db } from "../store/database.ts";
import type { FullMask } from "../store/masks.ts";
import { recentMailsOf } from "../store/recentMails.ts";
import { rulesOf } from "./ruleFigures.ts";

const mostSenders = 20;
const mostRecent = 10;

/** Of two dozen sums the one of a kind and key. */
type Sums = readonly Total[];

type Flow = NonNullable<InsightsAnswer["flow"]>;

const entries = (sums: Sums, kind: CountKind): readonly (readonly [string, number])[] =>
  sums
    .filter((one) => one.kind === kind)
    .toSorted((one, other) => other.n - one.n || (one.key < other.key ? -1 : 1))
    .map(({ key, n }) => [key, n]);

const record = (sums: Sums, kind: CountKind): Record<string, number> =>
  Object.fromEntries(entries(sums, kind));

const flowIn = (sums: readonly Pick<Total, "kind" | "key" | "n">[], kind: CountKind = "flow"): Flow => {
  const of = (key: string): number =>
    sums.filter((one) => one.kind === kind && one.key === key).reduce((all, { n }) => all + n, 0);
  return { received: of("received"), forwarded: of("forwarded"), blocked: of("blocked") };
};

const byDay = async (
  db: Db,
  counted: Counted,
  from: string,
): Promise<NonNullable<InsightsAnswer["byDay"]>> => {
  const rows = await byPeriod(db, counted, { kind: "day", from });
  const days = Map.groupBy(rows, ({ period }) => period);
  return [...days].map(([day, counts]) => ({
    day,
    ...flowIn(
      counts.map((count) => ({ ...count, kind: "day" })),
      "day",
    ),
  }));
};

const sendersOf = async (
  db: Db,
  counted: Counted,
  oldest: Oldest,
): Promise<NonNullable<InsightsAnswer["senders"]>> => {
  const top = await topOf(db, counted, { kind: "sender", limit: mostSenders, oldest });
  const reached = await masksReachedBy(
    db,
    counted.userId,
    top.map(({ key }) => key),
    oldest,
  );
  return top.map(({ key, n }) => ({ domain: key, received: n, masks: reached.get(key) ?? 0 }));
};

const recentOf = async (
  db: Db,
  counted: Counted,
  since: number,
): Promise<Pick<InsightsAnswer, "recentEmails" | "securityEvents">> => {
  const want = { ...counted, since, limit: mostRecent };
  const newest = await recentMailsOf(db, { ...want, blocked: false });
  const stopped = await recentMailsOf(db, { ...want, blocked: true });
  return {
    recentEmails: newest.map((mail) => ({
      date: new Date(mail.at).toISOString(),
      maskId: mail.mask_id,
      senderDomain: mail.sender_domain,
      category: mail.category,
      outcome: mail.outcome,
    })),
    securityEvents: stopped.map((mail) => ({
      date: new Date(mail.at).toISOString(),
      maskId: mail.mask_id,
      threatLevel: mail.threat_level ?? "low",
      reason: mail.reason ?? "",
    })),
  };
};

const masksIn = (masks: readonly FullMask[], totals: readonly MaskTotal[]): MaskFlow[] => {
  const byMask = Map.groupBy(totals, ({ maskId }) => maskId);
  return masks.map((mask) => ({
    id: mask.id,
    description: mask.description,
    active: mask.active === 1,
    ...flowIn(byMask.get(mask.id) ?? []),
  }));
};

const categoryFigures = (sums: Sums) => {
  const breakdown = record(sums, "category");
  const of = (name: (typeof categories)[number]): number => breakdown[name] ?? 0;
  return {
    categoryBreakdown: breakdown,
    topCategories: entries(sums, "category").map(([category, count]) => ({ category, count })),
    summaryStats: {
      promotionalEmails: of("promotional"),
      importantEmails: of("important"),
      transactionalEmails: of("transactional"),
      newsletterEmails: of("newsletter"),
    },
  };
};

/** From where figures are read. */
export interface Window {
  readonly oldest: Oldest;
  /** The first day of the chart. */
  readonly chartDay: string;
  /** The month that goes on ("2026-11", UTC). */
  readonly month: string;
  /** The same for what is kept by the moment, in milliseconds since 1970. */
  readonly since: number;
}

/**
 * The figures of an account's mail, or of one of its masks', read from sums: what it costs grows with the number of
 * masks, senders and months, not with that of mails.
 */
export const figuresOf = async (
  db: Db,
  counted: Counted,
  masks: readonly FullMask[],
  { oldest, chartDay, month, since }: Window,
): Promise<InsightsAnswer & { readonly firstPeriod: string | undefined }> => {
  const kinds: readonly CountKind[] = ["flow", "category", "tag", "action", "type", "block", "verdict"];
  const sums = await totalsOf(db, counted, kinds, oldest);
  const ofMonth = await totalsOf(db, counted, ["month"], { day: "", month });
  const flow = flowIn(sums);
  const flowThisMonth = flowIn(ofMonth, "month");
  const all = counted.maskId === null ? await totalsOfMasks(db, counted.userId, ["flow"], oldest) : [];
  return {
    ...noInsights,
    total: flow.received,
    thisMonth: flowThisMonth.received - flowThisMonth.blocked,
    flow,
    flowThisMonth,
    ...categoryFigures(sums),
    ...(await recentOf(db, counted, since)),
    byDay: await byDay(db, counted, chartDay),
    senders: await sendersOf(db, counted, oldest),
    rules: await rulesOf(db, counted, oldest, masks),
    rulesByType: record(sums, "type"),
    tags: record(sums, "tag"),
    actions: record(sums, "action"),
    blockReasons: entries(sums, "block").map(([reason, count]) => ({ reason, count })),
    verdicts: record(sums, "verdict"),
    ...(counted.maskId === null ? { masks: masksIn(masks, all) } : {}),
    firstPeriod: await firstPeriod(db, counted, oldest),
  };
};
