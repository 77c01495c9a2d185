import { type Expression, type SqlBool, sql } from "kysely";
import type { Db } from "../../platform/store/database.ts";
import type { Engine } from "../../platform/store/engine.ts";

/** The counted kinds; `day` and `month` repeat `flow` for the chart and for the current month. */
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

/** The number of events of a mask, or (null) of an account, in a month or on a day. */
export interface Count {
  readonly userId: string;
  readonly maskId: string | null;
  readonly kind: CountKind;
  readonly period: string;
  readonly key: string;
  readonly n: number;
  /** The time of the last event, in milliseconds since 1970; now if it is missing. */
  readonly lastAt?: number;
}

const countKey = ({ userId, maskId, kind, period, key }: Count): string =>
  `${userId} ${maskId} ${kind} ${period} ${key}`;

/** Sums equal counts and sorts them, so that every process locks rows in the same order and none deadlock. */
const mergeCounts = (counts: readonly Count[], now: number): readonly Required<Count>[] => {
  const all = new Map<string, { -readonly [Field in keyof Count]-?: Required<Count>[Field] }>();
  for (const count of counts) {
    const key = countKey(count);
    const { n, lastAt = now } = count;
    const known = all.get(key);
    if (known) {
      known.n += n;
      known.lastAt = Math.max(known.lastAt, lastAt);
    } else all.set(key, { ...count, lastAt });
  }
  return [...all.keys()].toSorted().flatMap((key) => all.get(key) ?? []);
};

/** Adds counts in the caller's transaction, with at most two statements. */
export const addCounts = async (
  db: Db,
  engine: Pick<Engine, "jsonRows">,
  counts: readonly Count[],
  now: number,
): Promise<void> => {
  const merged = mergeCounts(counts, now);
  const rows = (isOfMask: boolean): string =>
    JSON.stringify(
      merged
        .filter(({ maskId }) => (maskId !== null) === isOfMask)
        .map(({ userId, kind, period, key, n, lastAt, maskId }) => [
          userId,
          kind,
          period,
          key,
          n,
          lastAt,
          maskId,
        ]),
    );
  const values = sql`
    each.value ->> 0, each.value ->> 1, each.value ->> 2, each.value ->> 3,
    cast(each.value ->> 4 as bigint), cast(each.value ->> 5 as bigint)`;
  const ofAccounts = rows(false);
  const ofMasks = rows(true);
  if (ofAccounts !== "[]")
    await sql`
      insert into account_counts (user_id, kind, period, key, n, last_at)
      select ${values} from ${engine.jsonRows(ofAccounts)} where true
      on conflict (user_id, kind, period, key)
      do update set n = account_counts.n + excluded.n, last_at = excluded.last_at
    `.execute(db);
  if (ofMasks !== "[]")
    await sql`
      insert into mask_counts (user_id, kind, period, key, n, last_at, mask_id)
      select ${values}, each.value ->> 6 from ${engine.jsonRows(ofMasks)} where true
      on conflict (user_id, kind, mask_id, period, key)
      do update set n = mask_counts.n + excluded.n, last_at = excluded.last_at
    `.execute(db);
};

/** The first day and the first month that are read. */
export interface OldestPeriod {
  readonly day: string;
  readonly month: string;
}

/** The number of events of a kind, and the time of the last. */
export interface CountTotal {
  readonly kind: CountKind;
  readonly key: string;
  readonly n: number;
  /** Milliseconds since 1970. */
  readonly lastAt: number;
}

const dayLength = "2026-11-20".length;

const isSince = ({ day, month }: OldestPeriod): Expression<SqlBool> =>
  sql<SqlBool>`(
    (length(period) = ${dayLength} and period >= ${day}) or (length(period) < ${dayLength} and period >= ${month})
  )`;

const totalColumns = {
  n: sql<number>`cast(sum(n) as bigint)`.as("n"),
  lastAt: sql<number>`max(last_at)`.as("lastAt"),
};

/** The account (mask null) or mask whose counts are read. */
export interface CountScope {
  readonly userId: string;
  readonly maskId: string | null;
}

const selectCounts = (db: Db, { userId, maskId }: CountScope) => {
  const rows = db
    .selectFrom(maskId === null ? "account_counts" : "mask_counts")
    .where("user_id", "=", userId);
  return maskId === null ? rows : rows.where(sql<SqlBool>`mask_id = ${maskId}`);
};

/** Returns the sums of the given kinds, for every key. */
export const readTotals = async (
  db: Db,
  counted: CountScope,
  kinds: readonly CountKind[],
  oldest: OldestPeriod,
): Promise<readonly CountTotal[]> =>
  (await selectCounts(db, counted)
    .where("kind", "in", kinds)
    .where(isSince(oldest))
    .groupBy(["kind", "key"])
    .select(["kind", "key", totalColumns.n, totalColumns.lastAt])
    .execute()) as readonly CountTotal[];

/** Returns the keys of one kind with the highest counts. */
export const readTopCounts = async (
  db: Db,
  counted: CountScope,
  {
    kind,
    limit,
    oldest,
  }: { readonly kind: CountKind; readonly limit: number; readonly oldest: OldestPeriod },
): Promise<readonly CountTotal[]> =>
  (await selectCounts(db, counted)
    .where("kind", "=", kind)
    .where(isSince(oldest))
    .groupBy(["kind", "key"])
    .select(["kind", "key", totalColumns.n, totalColumns.lastAt])
    .orderBy("n", "desc")
    .orderBy("key")
    .limit(limit)
    .execute()) as readonly CountTotal[];

/** Returns the counts of one kind by period, oldest first. */
export const readCountsByPeriod = (
  db: Db,
  counted: CountScope,
  { kind, from }: { readonly kind: CountKind; readonly from: string },
): Promise<readonly { readonly period: string; readonly key: string; readonly n: number }[]> =>
  selectCounts(db, counted)
    .where("kind", "=", kind)
    .where("period", ">=", from)
    .select(["period", "key", "n"])
    .orderBy("period")
    .execute();

/** Returns the first period in which mail was counted; undefined before the first mail. */
export const readFirstPeriod = async (
  db: Db,
  counted: CountScope,
  oldest: OldestPeriod,
): Promise<string | undefined> => {
  const row = await selectCounts(db, counted)
    .where("kind", "=", "flow")
    .where(isSince(oldest))
    .select(sql<string | null>`min(period)`.as("first"))
    .executeTakeFirst();
  return row?.first ?? undefined;
};

/** A sum of one mask. */
export interface MaskTotal extends CountTotal {
  readonly maskId: string;
}

/** Returns the sums of the given kinds for each of a user's masks. */
export const readTotalsByMask = async (
  db: Db,
  userId: string,
  kinds: readonly CountKind[],
  oldest: OldestPeriod,
): Promise<readonly MaskTotal[]> =>
  (await db
    .selectFrom("mask_counts")
    .where("user_id", "=", userId)
    .where("kind", "in", kinds)
    .where(isSince(oldest))
    .groupBy(["kind", "mask_id", "key"])
    .select(["mask_id as maskId", "kind", "key", totalColumns.n, totalColumns.lastAt])
    .execute()) as readonly MaskTotal[];

/** Returns for each of these senders how many of the user's masks it has written to. */
export const countMasksBySender = async (
  db: Db,
  userId: string,
  senders: readonly string[],
  oldest: OldestPeriod,
): Promise<ReadonlyMap<string, number>> => {
  if (senders.length === 0) return new Map();
  const rows = await db
    .selectFrom("mask_counts")
    .where("user_id", "=", userId)
    .where("kind", "=", "sender")
    .where("key", "in", senders)
    .where(isSince(oldest))
    .groupBy("key")
    .select(["key", sql<number>`count(distinct mask_id)`.as("masks")])
    .execute();
  return new Map(rows.map(({ key, masks }) => [key, Number(masks)]));
};
