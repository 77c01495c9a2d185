import type { categories } from "../../../core/insights/classification/category.ts";
import { type InsightsAnswer, type MaskFlow, noInsights } from "../../../core/insights/insightsEndpoints.ts";
import type { RuleStatistics } from "../../../core/masks/mailStatistics.ts";
import type { MaskStatistics } from "../../../core/masks/maskStatistics.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { FullMask } from "../masks/maskQueries.ts";
import {
  type CountKind,
  type CountScope,
  type CountTotal,
  countMasksBySender,
  type MaskTotal,
  type OldestPeriod,
  readCountsByPeriod,
  readFirstPeriod,
  readTopCounts,
  readTotals,
  readTotalsByMask,
} from "./countQueries.ts";
import { countNewMails } from "./newMails.ts";
import { listRecentMails } from "./recentMailQueries.ts";

const maxRules = 20;

/** Current and former rules count. */
const ruleNames = (mask: FullMask): NonNullable<RuleStatistics["rules"]> =>
  (JSON.parse(mask.details) as RuleStatistics).rules ?? {};

/** Rules that no mask of `masks` ever had are omitted. */
const readRuleFigures = async (
  db: Db,
  scope: CountScope,
  oldest: OldestPeriod,
  masks: readonly FullMask[],
): Promise<NonNullable<InsightsAnswer["rules"]>> => {
  const top = await readTopCounts(db, scope, { kind: "rule", limit: maxRules, oldest });
  return top.flatMap(({ key, n, lastAt }) => {
    const [maskId = "", id = ""] = scope.maskId === null ? key.split(" ") : [scope.maskId, key];
    const mask = masks.find((one) => one.id === maskId);
    const names = mask && ruleNames(mask);
    const rule = names && Object.hasOwn(names, id) ? names[id] : undefined;
    return rule
      ? [
          {
            id,
            maskId,
            name: rule.name,
            type: rule.type,
            applied: n,
            lastApplied: new Date(lastAt).toISOString(),
          },
        ]
      : [];
  });
};

const maxSenders = 20;
const maxRecentMails = 10;

type Sums = readonly CountTotal[];

type FlowFigures = NonNullable<InsightsAnswer["flow"]>;

const sortedEntries = (sums: Sums, kind: CountKind): readonly (readonly [string, number])[] =>
  sums
    .filter((one) => one.kind === kind)
    .toSorted((one, other) => other.n - one.n || (one.key < other.key ? -1 : 1))
    .map(({ key, n }) => [key, n]);

const toRecord = (sums: Sums, kind: CountKind): Record<string, number> =>
  Object.fromEntries(sortedEntries(sums, kind));

const toFlow = (
  sums: readonly Pick<CountTotal, "kind" | "key" | "n">[],
  kind: CountKind = "flow",
): FlowFigures => {
  const of = (key: string): number =>
    sums.filter((one) => one.kind === kind && one.key === key).reduce((all, { n }) => all + n, 0);
  const replied = of("replied");
  const cleaned = of("cleaned");
  return {
    received: of("received"),
    forwarded: of("forwarded"),
    blocked: of("blocked"),
    ...(replied === 0 ? {} : { replied }),
    ...(cleaned === 0 ? {} : { cleaned }),
  };
};

const toHeldMail = (sums: Sums): NonNullable<InsightsAnswer["heldMail"]> => {
  const of = (name: string): number => sums.find(({ kind, key }) => kind === "flow" && key === name)?.n ?? 0;
  return { held: of("held"), released: of("released"), expired: of("expired") };
};

const readByDay = async (
  db: Db,
  scope: CountScope,
  from: string,
): Promise<NonNullable<InsightsAnswer["byDay"]>> => {
  const rows = await readCountsByPeriod(db, scope, { kind: "day", from });
  const days = Map.groupBy(rows, ({ period }) => period);
  return [...days].map(([day, counts]) => {
    const all = counts.map((count) => ({ ...count, kind: "day" as const }));
    const { received, forwarded, blocked } = toFlow(all, "day");
    return { day, received, forwarded, blocked };
  });
};

const readSenders = async (
  db: Db,
  scope: CountScope,
  oldest: OldestPeriod,
): Promise<NonNullable<InsightsAnswer["senders"]>> => {
  const top = await readTopCounts(db, scope, { kind: "sender", limit: maxSenders, oldest });
  const reached = await countMasksBySender(
    db,
    scope.userId,
    top.map(({ key }) => key),
    oldest,
  );
  return top.map(({ key, n }) => ({ domain: key, received: n, masks: reached.get(key) ?? 0 }));
};

const readRecentMails = async (
  db: Db,
  scope: CountScope,
  since: number,
): Promise<Pick<InsightsAnswer, "recentEmails" | "securityEvents">> => {
  const query = { ...scope, since, limit: maxRecentMails };
  const newest = await listRecentMails(db, { ...query, blocked: false });
  const stopped = await listRecentMails(db, { ...query, blocked: true });
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

const toMaskFlows = (masks: readonly FullMask[], totals: readonly MaskTotal[]): MaskFlow[] => {
  const byMask = Map.groupBy(totals, ({ maskId }) => maskId);
  return masks.map((mask) => ({
    id: mask.id,
    description: mask.description,
    active: mask.active === 1,
    ...toFlow(byMask.get(mask.id) ?? []),
  }));
};

const toCategoryFigures = (sums: Sums) => {
  const breakdown = toRecord(sums, "category");
  const of = (name: (typeof categories)[number]): number => breakdown[name] ?? 0;
  return {
    categoryBreakdown: breakdown,
    topCategories: sortedEntries(sums, "category").map(([category, count]) => ({ category, count })),
    summaryStats: {
      promotionalEmails: of("promotional"),
      importantEmails: of("important"),
      transactionalEmails: of("transactional"),
      newsletterEmails: of("newsletter"),
    },
  };
};

/** The period that figures are read for. */
export interface FiguresPeriod {
  readonly oldest: OldestPeriod;
  /** The first day of the chart. */
  readonly chartDay: string;
  /** The current month ("2026-11", UTC). */
  readonly month: string;
  /** The first moment of the recent mails, in milliseconds since 1970. */
  readonly since: number;
}

/** Reads figures of mail from sums: the cost grows with the number of masks, senders and months, not of mails. */
export const readFigures = async (
  db: Db,
  scope: CountScope,
  masks: readonly FullMask[],
  { oldest, chartDay, month, since }: FiguresPeriod,
): Promise<InsightsAnswer & { readonly firstPeriod: string | undefined }> => {
  const kinds: readonly CountKind[] = ["flow", "category", "tag", "action", "type", "block", "verdict"];
  const sums = await readTotals(db, scope, kinds, oldest);
  const ofMonth = await readTotals(db, scope, ["month"], { day: "", month });
  const flow = toFlow(sums);
  const flowThisMonth = toFlow(ofMonth, "month");
  const totals = scope.maskId === null ? await readTotalsByMask(db, scope.userId, ["flow"], oldest) : [];
  return {
    ...noInsights,
    total: flow.received,
    thisMonth: flowThisMonth.received - flowThisMonth.blocked,
    flow,
    flowThisMonth,
    heldMail: toHeldMail(sums),
    ...toCategoryFigures(sums),
    ...(await readRecentMails(db, scope, since)),
    byDay: await readByDay(db, scope, chartDay),
    senders: await readSenders(db, scope, oldest),
    rules: await readRuleFigures(db, scope, oldest, masks),
    rulesByType: toRecord(sums, "type"),
    tags: toRecord(sums, "tag"),
    actions: toRecord(sums, "action"),
    blockReasons: sortedEntries(sums, "block").map(([reason, count]) => ({ reason, count })),
    verdicts: toRecord(sums, "verdict"),
    ...(scope.maskId === null ? { masks: toMaskFlows(masks, totals) } : {}),
    firstPeriod: await readFirstPeriod(db, scope, oldest),
  };
};

/** Returns the categories of a mask's mail (MA10); empty when none was classified. */
export const readCategories = async (
  database: Database,
  { id: maskId, user_id: userId }: Pick<FullMask, "id" | "user_id">,
): Promise<Pick<MaskStatistics, "aiCategories" | "lastCategory">> => {
  await countNewMails(database);
  const totals = await readTotals(database.db, { userId, maskId }, ["category"], { day: "", month: "" });
  const [last] = totals.toSorted((left, right) => right.lastAt - left.lastAt);
  if (!last) return {};
  return {
    aiCategories: Object.fromEntries(totals.map(({ key, n }) => [key, n])),
    lastCategory: last.key,
  };
};
