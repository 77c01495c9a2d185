import { sql } from "kysely";
import type { Db } from "./database.ts";
import type { Engine } from "./dialect.ts";

/** What is counted of mail; `day` and `month` count again what `flow` does, for charts and for this month. */
export const countKinds = [
  "flow",
  "day",
  "month",
  "sender",
  "category",
  "tag",
  "action",
  "type",
  "rule",
  "block",
  "verdict",
] as const;

export type CountKind = (typeof countKinds)[number];

/** Something that happened so often, to a mask or (null) to an account, in a month or on a day. */
export interface Count {
  readonly userId: string;
  readonly maskId: string | null;
  readonly kind: CountKind;
  readonly period: string;
  readonly key: string;
  readonly n: number;
}

const keyOf = ({ userId, maskId, kind, period, key }: Count): string =>
  JSON.stringify([userId, maskId, kind, period, key]);

/** The same thing counted once, in the order in which every process takes the rows. */
const merged = (counts: readonly Count[]): readonly Count[] => {
  const all = new Map<string, Count>();
  for (const count of counts) {
    const key = keyOf(count);
    all.set(key, { ...count, n: count.n + (all.get(key)?.n ?? 0) });
  }
  return [...all].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count);
};

/** Adds to the figures in the caller's transaction: two statements, however many there are. */
export const addCounts = async (
  db: Db,
  engine: Pick<Engine, "each">,
  counts: readonly Count[],
  now: number,
): Promise<void> => {
  const all = merged(counts);
  const rows = (isOfMask: boolean): string =>
    JSON.stringify(
      all
        .filter(({ maskId }) => (maskId !== null) === isOfMask)
        .map(({ userId, kind, period, key, n, maskId }) => [userId, kind, period, key, n, now, maskId]),
    );
  const values = sql`
    each.value ->> 0, each.value ->> 1, each.value ->> 2, each.value ->> 3,
    cast(each.value ->> 4 as bigint), cast(each.value ->> 5 as bigint)`;
  const [ofAccounts, ofMasks] = [rows(false), rows(true)];
  if (ofAccounts !== "[]")
    await sql`
      insert into account_counts (user_id, kind, period, key, n, last_at)
      select ${values} from ${engine.each(ofAccounts)} where true
      on conflict (user_id, kind, period, key)
      do update set n = account_counts.n + excluded.n, last_at = excluded.last_at
    `.execute(db);
  if (ofMasks !== "[]")
    await sql`
      insert into mask_counts (user_id, kind, period, key, n, last_at, mask_id)
      select ${values}, each.value ->> 6 from ${engine.each(ofMasks)} where true
      on conflict (user_id, kind, mask_id, period, key)
      do update set n = mask_counts.n + excluded.n, last_at = excluded.last_at
    `.execute(db);
};
