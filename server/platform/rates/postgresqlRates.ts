import { sql } from "kysely";
import { minuteMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Database } from "../store/database.ts";
import { nearLimit, type RateExchange, type UsedAmount } from "./sharedRates.ts";

/** The most keys that are remembered; beyond it those that are free again first are forgotten. */
export const maxSharedKeys = 100_000;

/** The most keys of other processes that one answer has. */
const maxChangedKeys = 1_000;

/** The time before the last exchange whose changes are read again, because they may have been committed late. */
const overlapMs = 2_000;

/** After so many sent keys, or so many milliseconds, free keys are deleted. */
const pruneAfterKeys = 10_000;
const pruneEachMs = minuteMs;

interface Answer {
  readonly now: number;
  readonly used: readonly (readonly [key: string, used: number])[] | null;
}

export interface PostgresqlRatesOptions {
  /** Time in milliseconds in place of the database's, which is the same for all processes. */
  readonly now?: () => number;
  /** The most keys that stay in the table. */
  readonly maxKeys?: number;
}

/** Creates the exchange in a table of the database, which is not written to its log: a crash of the database empties it. */
export const createPostgresqlRates = (
  { db }: Pick<Database, "db">,
  clock: Pick<Clock, "now">,
  { now, maxKeys = maxSharedKeys }: PostgresqlRatesOptions = {},
): RateExchange => {
  let readUntil = 0;
  let sentKeys = 0;
  let prunedAt = clock.now();

  const moment = () =>
    sql`coalesce(${now?.() ?? null}::float8, extract(epoch from clock_timestamp()) * 1000)::float8`;

  const prune = async (): Promise<void> => {
    sentKeys = 0;
    prunedAt = clock.now();
    await sql`delete from shared_rates where key in (
      select key from shared_rates where free_at <= ${moment()} order by key for update skip locked)`.execute(
      db,
    );
    await sql`delete from shared_rates where key in (
      select key from shared_rates order by free_at
      limit greatest(0, (select count(*) from shared_rates) - ${maxKeys}) for update skip locked)`.execute(
      db,
    );
  };

  return async (taken) => {
    const rows = JSON.stringify(
      taken.map(({ key, amount, burst, perSecond }) => [key, amount, burst, perSecond]),
    );
    const { rows: answers } = await sql<Answer>`
      with moment as materialized (select ${moment()} as now),
      given as (
        select each.value ->> 0 as key, (each.value ->> 1)::float8 as amount,
          (each.value ->> 2)::float8 as burst, (each.value ->> 3)::float8 as per_second
        from jsonb_array_elements(${rows}::jsonb) as each(value)
      ),
      added as (
        insert into shared_rates as kept (key, used, burst, per_second, changed_at, free_at)
        select key, amount, burst, per_second, now, now + greatest(0, amount) / per_second * 1000
        from given, moment order by key
        on conflict (key) do update set (used, burst, per_second, changed_at, free_at) = (
          select used, excluded.burst, excluded.per_second, at, at + used / excluded.per_second * 1000
          from (select greatest(kept.changed_at, excluded.changed_at) as at) as moments,
            lateral (select greatest(0, least(2 * excluded.burst, excluded.used + greatest(0,
              kept.used - (at - kept.changed_at) / 1000 * excluded.per_second))) as used) as amounts)
        returning key, greatest(0, used) as used
      ),
      changed as (
        select key, greatest(0, used - (now - changed_at) / 1000 * per_second) as used
        from shared_rates, moment
        where changed_at > ${readUntil - overlapMs}::float8 and used >= burst * ${nearLimit}::float8
          and key not in (select key from given)
        order by used / burst desc limit ${maxChangedKeys}
      )
      select now, (select json_agg(json_build_array(key, used))
        from (select * from added union all select * from changed) as both_kinds) as used
      from moment`.execute(db);
    const [answer] = answers;
    readUntil = answer?.now ?? readUntil;
    sentKeys += taken.length;
    if (sentKeys >= pruneAfterKeys || clock.now() - prunedAt >= pruneEachMs) await prune().catch(() => {});
    return (answer?.used ?? []).map(([key, used]): UsedAmount => ({ key, used }));
  };
};
