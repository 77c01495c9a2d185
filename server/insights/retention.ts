import { dayMs, hourMs } from "../../core/kernel/durations.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { historyMs, limitsOf, type Tier, tiers } from "../../core/tiers/tier.ts";
import type { Log } from "../log.ts";
import { makeRounds, type Rounds } from "../rounds.ts";
import { consentsBeyondPlan, forgetDerived } from "../store/contentAccess.ts";
import { forgetHistory, usersOfTier } from "../store/countRetention.ts";
import type { Database } from "../store/database.ts";
import { monthOf } from "../store/usage.ts";
import { firstChartDay, oldestWithin } from "./history.ts";

const everyMs = hourMs;
/** Who comes back to a larger plan within this finds everything there. */
const graceMs = 30 * dayMs;
/** So few that nobody waits for them. */
const usersAtOnce = 200;

const oldestOf = (tier: Tier, now: number) => {
  const kept = historyMs(limitsOf[tier].history);
  const { day, month } = oldestWithin(kept, now);
  return {
    day,
    month,
    mail: kept === null ? 0 : now - kept,
    chartDay: firstChartDay(kept, now),
    thisMonth: monthOf(now),
  };
};

/**
 * Forgets what is older than its owner's plan keeps, 30 days after the plan was changed at the earliest, and what was derived under a plan that allows that no more. It
 * looks at what is there, so it may be stopped anywhere and run again.
 */
export const forgetOld = async ({ db }: Database, now: number): Promise<void> => {
  for (const tier of tiers) {
    const oldest = oldestOf(tier, now);
    for (let after = ""; ; ) {
      const users = await usersOfTier(db, [tier], { since: now - graceMs, after, limit: usersAtOnce });
      if (users.length > 0) await forgetHistory(db, users, oldest);
      const last = users.at(-1);
      if (last === undefined || users.length < usersAtOnce) break;
      after = last;
    }
  }
  const beyond = await consentsBeyondPlan(db);
  if (beyond.length > 0) await forgetDerived(db, beyond);
};

/** Makes what forgets at the start and every hour. */
export const makeRetention = (database: Database, clock: Clock, log: Log): Rounds =>
  makeRounds(() => forgetOld(database, clock.now()), {
    everyMs,
    failed: "old figures could not be forgotten",
    clock,
    log,
  });
