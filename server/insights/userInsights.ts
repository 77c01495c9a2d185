import type { InsightsAnswer } from "../../core/insights/insightsAnswer.ts";
import type { SuggestionStatus } from "../../core/insights/suggestion.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { historyMs, labelOf, limitsOf, tierNamed } from "../../core/tiers/tier.ts";
import type { Keep } from "../http/once.ts";
import { knownUser } from "../identity/knownUser.ts";
import { noSuchMask } from "../masks/maskParts.ts";
import type { Database } from "../store/database.ts";
import { appendEvent, type EventFeed } from "../store/events.ts";
import { isId } from "../store/id.ts";
import { maskOf, masksOf } from "../store/masks.ts";
import { monthOf, ownMailsIn } from "../store/usage.ts";
import type { UserRow } from "../store/users.ts";
import { figuresOf, type Window } from "./figures.ts";
import { beginningOf, firstChartDay, oldestWithin } from "./history.ts";
import { sayOfSuggestion, suggestionsOf } from "./suggestions.ts";

export interface InsightsParts {
  readonly database: Database;
  readonly clock: Pick<Clock, "now">;
  readonly feed: Pick<EventFeed, "nudge">;
}

const historyOf = ({ tier }: UserRow): number | null => historyMs(limitsOf[tierNamed(tier)].history);

const windowOf = (kept: number | null, now: number): Window => ({
  oldest: oldestWithin(kept, now),
  chartDay: firstChartDay(kept, now),
  month: monthOf(now),
  since: kept === null ? 0 : now - kept,
});

/** What a user sees of their mail, and what they say of suggestions (IN7). */
export const makeUserInsights = ({ database, clock, feed }: InsightsParts) => ({
  /** The figures of all masks, or of one; throws 404 for one that is not the user's. */
  read: async (userId: string, maskId: string | null): Promise<InsightsAnswer> => {
    const { db } = database;
    const now = clock.now();
    const user = await knownUser(db, userId);
    const mask = maskId !== null && isId(maskId) ? await maskOf(db, userId, maskId) : undefined;
    if (maskId !== null && !mask) throw noSuchMask();
    const kept = historyOf(user);
    const masks = mask ? [mask] : await masksOf(db, userId);
    const { firstPeriod, ...figures } = await figuresOf(db, { userId, maskId }, masks, windowOf(kept, now));
    const beginning = firstPeriod === undefined ? now : Date.parse(beginningOf(firstPeriod));
    return {
      ...figures,
      plan: labelOf[tierNamed(user.tier)],
      since: new Date(Math.max(user.created_at, beginning)).toISOString(),
      systemEmails: await ownMailsIn(db, userId, monthOf(now)),
      suggestions: await suggestionsOf(db, { user, maskId, historyMs: kept }, now),
    };
  },

  /** Marks a suggestion as applied or dismissed, or takes that back, on all the user's devices (IN3). */
  say: async (
    userId: string,
    said: { readonly actionKey: string; readonly status: SuggestionStatus },
    keep: Keep<{ message?: string }>,
  ): Promise<{ message?: string }> => {
    const answer = { message: "Suggestion updated" };
    await database.transaction(async (db) => {
      const now = clock.now();
      const user = await knownUser(db, userId);
      await sayOfSuggestion(db, { user, historyMs: historyOf(user) }, said, now);
      await appendEvent(db, { userId, resource: "insights", resourceId: null, action: "updated" }, now);
      await keep(db, answer);
    });
    feed.nudge();
    return answer;
  },
});

export type UserInsights = ReturnType<typeof makeUserInsights>;
