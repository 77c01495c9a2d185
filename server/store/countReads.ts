import { type Expression, type SqlBool, sql } from "kysely";
import type { CountKind } from "./counts.ts";
import type { Db } from "./database.ts";

/** The first day and the first month that are read; what is older is history no more. */
export interface Oldest {
  readonly day: string;
  readonly month: string;
}

/** How often something happened, and when last. */
export interface Total {
  readonly kind: CountKind;
  readonly key: string;
  readonly n: number;
  /** Milliseconds since 1970. */
  readonly lastAt: number;
}

const lengthOfDay = "2026-11-20".length;

const isWithin = ({ day, month }: Oldest): Expression<SqlBool> =>
  sql<SqlBool>`(
    (length(period) = ${lengthOfDay} and period >= ${day}) or (length(period) < ${lengthOfDay} and period >= ${month})
  )`;

const totals = {
  n: sql<number>`cast(sum(n) as bigint)`.as("n"),
  lastAt: sql<number>`max(last_at)`.as("lastAt"),
};

/** Whose figures are read: an account's, or one mask's. */
export interface Counted {
  readonly userId: string;
  readonly maskId: string | null;
}

const countsOf = (db: Db, { userId, maskId }: Counted) => {
  const rows = db
    .selectFrom(maskId === null ? "account_counts" : "mask_counts")
    .where("user_id", "=", userId);
  return maskId === null ? rows : rows.where(sql<SqlBool>`mask_id = ${maskId}`);
};

/** The sums of some kinds, all keys of each. */
export const totalsOf = async (
  db: Db,
  counted: Counted,
  kinds: readonly CountKind[],
  oldest: Oldest,
): Promise<readonly Total[]> =>
  (await countsOf(db, counted)
    .where("kind", "in", kinds)
    .where(isWithin(oldest))
    .groupBy(["kind", "key"])
    .select(["kind", "key", totals.n, totals.lastAt])
    .execute()) as readonly Total[];

/** The keys of one kind that were counted most. */
export const topOf = async (
  db: Db,
  counted: Counted,
  { kind, limit, oldest }: { readonly kind: CountKind; readonly limit: number; readonly oldest: Oldest },
): Promise<readonly Total[]> =>
  (await countsOf(db, counted)
    .where("kind", "=", kind)
    .where(isWithin(oldest))
    .groupBy(["kind", "key"])
    .select(["kind", "key", totals.n, totals.lastAt])
    .orderBy("n", "desc")
    .orderBy("key")
    .limit(limit)
    .execute()) as readonly Total[];

/** The counts of one kind by their period, the oldest first. */
export const byPeriod = (
  db: Db,
  counted: Counted,
  { kind, from }: { readonly kind: CountKind; readonly from: string },
): Promise<readonly { readonly period: string; readonly key: string; readonly n: number }[]> =>
  countsOf(db, counted)
    .where("kind", "=", kind)
    .where("period", ">=", from)
    .select(["period", "key", "n"])
    .orderBy("period")
    .execute();

/** The first period in which mail was counted; undefined before the first mail. */
export const firstPeriod = async (db: Db, counted: Counted, oldest: Oldest): Promise<string | undefined> => {
  const row = await countsOf(db, counted)
    .where("kind", "=", "flow")
    .where(isWithin(oldest))
    .select(sql<string | null>`min(period)`.as("first"))
    .executeTakeFirst();
  return row?.first ?? undefined;
};

/** The same of one mask among others. */
export interface MaskTotal extends Total {
  readonly maskId: string;
}

/** The sums of some kinds for each of a user's masks. */
export const totalsOfMasks = async (
  db: Db,
  userId: string,
  kinds: readonly CountKind[],
  oldest: Oldest,
): Promise<readonly MaskTotal[]> =>
  (await db
    .selectFrom("mask_counts")
    .where("user_id", "=", userId)
    .where("kind", "in", kinds)
    .where(isWithin(oldest))
    .groupBy(["kind", "mask_id", "key"])
    .select(["mask_id as maskId", "kind", "key", totals.n, totals.lastAt])
    .execute()) as readonly MaskTotal[];

/** How many of a user's masks each of these senders has reached. */
export const masksReachedBy = async (
  db: Db,
  userId: string,
  senders: readonly string[],
  oldest: Oldest,
): Promise<ReadonlyMap<string, number>> => {
  if (senders.length === 0) return new Map();
  const rows = await db
    .selectFrom("mask_counts")
    .where("user_id", "=", userId)
    .where("kind", "=", "sender")
    .where("key", "in", senders)
    .where(isWithin(oldest))
    .groupBy("key")
    .select(["key", sql<number>`count(distinct mask_id)`.as("masks")])
    .execute();
  return new Map(rows.map(({ key, masks }) => [key, Number(masks)]));
};
