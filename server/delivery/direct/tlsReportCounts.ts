import { sql } from "kysely";
import { dayOf } from "../../../core/kernel/calendarDay.ts";
import { minuteMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Db } from "../../platform/store/database.ts";
import type { TlsAttempt } from "./tlsSessions.ts";

/** Counts by day and domain what TLS reports say (RFC 8460). */
export interface TlsReportCounts {
  /** Adds the attempts for one mail; what was counted is stored within a minute of the next one. Never throws. */
  readonly add: (domain: string, attempts: readonly TlsAttempt[]) => void;
  /** Stores what was counted. */
  readonly flush: () => Promise<void>;
}

interface Count extends TlsAttempt {
  readonly day: string;
  readonly domain: string;
  count: number;
}

const storeEveryMs = minuteMs;
export const maxCounts = 5_000;

const store = async (db: Db, counts: readonly Count[]): Promise<void> => {
  for (const { day, domain, policy, result, server, count } of counts)
    await db
      .insertInto("tls_report_counts")
      .values({ day, domain, policy, result, server, count })
      .onConflict((on) =>
        on
          .columns(["day", "domain", "policy", "result", "server"])
          .doUpdateSet({ count: sql<number>`tls_report_counts.count + excluded.count` }),
      )
      .execute();
};

/** Creates the counts. They are an estimate: what was not stored when the process ends is lost. */
export const createTlsReportCounts = ({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Pick<Clock, "now">;
}): TlsReportCounts => {
  let counts = new Map<string, Count>();
  let storedAt = Number.NEGATIVE_INFINITY;

  const flush = async (): Promise<void> => {
    const all = [...counts.values()];
    counts = new Map();
    storedAt = clock.now();
    await store(db, all);
  };

  return {
    add: (domain, attempts) => {
      const day = dayOf(clock.now());
      for (const attempt of attempts) {
        const key = JSON.stringify([day, domain, attempt.policy, attempt.result, attempt.server]);
        const known = counts.get(key);
        if (known) known.count += 1;
        else if (counts.size < maxCounts) counts.set(key, { ...attempt, day, domain, count: 1 });
      }
      if (Math.abs(clock.now() - storedAt) >= storeEveryMs) void flush().catch(() => {});
    },
    flush,
  };
};
