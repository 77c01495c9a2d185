import type { InsightsAnswer, SenderHabits } from "../../../core/insights/insightsEndpoints.ts";
import type { MaskId } from "../../../core/masks/mask.ts";
import type { MaskStatistics } from "../../../core/masks/maskStatistics.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { historyMs, labelOf, limitsOf, parseTier } from "../../../core/tiers/tier.ts";
import { monthOf, readSystemMailCount } from "../../delivery/usageQueries.ts";
import type { Database, Db, Write } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { getUser, type UserRow } from "../../platform/store/users.ts";
import { findMasks, getMask, toMaskStatistics } from "../masks/maskQueries.ts";
import { firstChartDay, oldestPeriodWithin, startOfPeriod } from "./history.ts";
import { type FiguresPeriod, readCategories, readFigures } from "./insightFigures.ts";
import { countNewMails } from "./newMails.ts";
import { readSenderHabits } from "./senderHabits.ts";
import { listSuggestions, type SuggestionChange, updateSuggestion } from "./suggestions.ts";

export interface InsightsDeps {
  readonly database: Database;
  readonly clock: Pick<Clock, "now">;
}

const historyMsOf = ({ tier }: UserRow): number | null => historyMs(limitsOf[parseTier(tier)].history);

const toPeriod = (retentionMs: number | null, now: number): FiguresPeriod => ({
  oldest: oldestPeriodWithin(retentionMs, now),
  chartDay: firstChartDay(retentionMs, now),
  month: monthOf(now),
  since: retentionMs === null ? 0 : now - retentionMs,
});

/** Reads the figures of all masks or of one; throws 404 for a mask that is not the user's. */
const readInsights = async (
  db: Db,
  userId: string,
  maskId: string | null,
  now: number,
): Promise<InsightsAnswer> => {
  const user = await getUser(db, userId);
  const mask = maskId === null ? null : await getMask(db, userId, maskId);
  const retentionMs = historyMsOf(user);
  const masks = mask ? [mask] : await findMasks(db, userId);
  const { firstPeriod, ...figures } = await readFigures(
    db,
    { userId, maskId },
    masks,
    toPeriod(retentionMs, now),
  );
  const beginning = firstPeriod === undefined ? now : Date.parse(startOfPeriod(firstPeriod));
  return {
    ...figures,
    plan: labelOf[parseTier(user.tier)],
    since: new Date(Math.max(user.created_at, beginning)).toISOString(),
    systemEmails: await readSystemMailCount(db, userId, monthOf(now)),
    suggestions: await listSuggestions(db, { user, maskId, historyMs: retentionMs }, now),
  };
};

/** Creates the use cases of insights (IN7). */
export const createUserInsights = ({ database, clock }: InsightsDeps) => ({
  /** Returns the counts of a mask with the categories of its mail (MA10); throws 404 for a mask that is not the user's. */
  getMaskStatistics: async (userId: string, maskId: MaskId): Promise<MaskStatistics> => {
    const mask = await getMask(database.db, userId, maskId);
    return { ...toMaskStatistics(mask), ...(await readCategories(database, mask)) };
  },

  /** Returns the figures of all masks or of one; throws 404 for a mask that is not the user's. */
  getInsights: async (userId: string, maskId: string | null): Promise<InsightsAnswer> => {
    await countNewMails(database);
    return database.readAside("now", (db) => readInsights(db, userId, maskId, clock.now()));
  },

  /** Returns what a sender's domain has sent to the user before, and to one of the masks. */
  getSenderHabits: async (
    userId: string,
    sender: { readonly domain: string; readonly maskId: string },
  ): Promise<SenderHabits> => {
    await countNewMails(database);
    return database.readAside("now", (db) => readSenderHabits(db, { userId, ...sender }));
  },

  /** Prepares to mark a suggestion as applied or dismissed, or to remove the mark, on all the user's devices (IN3). */
  updateSuggestion: async (
    userId: string,
    change: SuggestionChange,
  ): Promise<Write<{ readonly message?: string }>> => {
    await countNewMails(database);
    return async (tx) => {
      const now = clock.now();
      const user = await getUser(tx, userId);
      await updateSuggestion(tx, { user, historyMs: historyMsOf(user) }, change, now);
      await appendEvent(tx, { userId, resource: "insights", resourceId: null, action: "updated" }, now);
      return { message: "Suggestion updated" };
    };
  },
});

/** The use cases of insights. */
export type UserInsights = ReturnType<typeof createUserInsights>;
