import { sql } from "kysely";
import type { DeferralReason } from "../../../core/operator/providerAnswer.ts";
import type { Db } from "../../platform/store/database.ts";

/** The state of mail to a large provider, shared by all processes. */
export interface ProviderState {
  readonly provider: string;
  /** Mails an hour on the day of `ratedAt`; it doubles with each day since. Null without a limit. */
  readonly perHour: number | null;
  /** Null until the provider has taken the first mail. */
  readonly ratedAt: number | null;
  /** The time at which the mails that were sent would all have been sent, one after the other at this rate. */
  readonly paidUntil: number;
  readonly pausedUntil: number;
  /** Pauses since it last took a mail. */
  readonly pauses: number;
  readonly acceptedAt: number | null;
  readonly answer: string | null;
  readonly reason: string | null;
  readonly answeredAt: number | null;
}

const columns = [
  "provider",
  "per_hour as perHour",
  "rated_at as ratedAt",
  "paid_until as paidUntil",
  "paused_until as pausedUntil",
  "pauses",
  "accepted_at as acceptedAt",
  "answer",
  "reason",
  "answered_at as answeredAt",
] as const;

/** Returns the providers that have answered. */
export const listProviderStates = (db: Db): Promise<readonly ProviderState[]> =>
  db
    .selectFrom("provider_limits")
    .select(columns)
    .where((eb) => eb.or([eb("accepted_at", "is not", null), eb("answered_at", "is not", null)]))
    .orderBy("provider")
    .execute();

/** Returns a provider; the first time it begins with this many mails an hour. */
export const readProviderState = async (
  db: Db,
  provider: string,
  firstPerHour: number,
): Promise<ProviderState> => {
  const read = () =>
    db.selectFrom("provider_limits").select(columns).where("provider", "=", provider).executeTakeFirst();
  const known = await read();
  if (known) return known;
  const row = { provider, per_hour: firstPerHour, paid_until: 0, paused_until: 0, pauses: 0 };
  await db
    .insertInto("provider_limits")
    .values(row)
    .onConflict((on) => on.column("provider").doNothing())
    .execute();
  return (await read()) ?? Promise.reject(new Error("a provider's row is missing"));
};

/**
 * Takes the turn of one mail, of which each takes `apartMs`; up to `burst` pass at once. Returns false while it is not
 * the time, or the provider is paused.
 */
export const takeTurn = async (
  db: Db,
  provider: string,
  turn: { readonly now: number; readonly apartMs: number; readonly burst: number },
): Promise<boolean> => {
  const { now, apartMs, burst } = turn;
  const taken = await db
    .updateTable("provider_limits")
    .set({
      paid_until: sql<number>`(case when paid_until > ${now} then paid_until else cast(${now} as bigint) end) + cast(${apartMs} as bigint)`,
    })
    .where("provider", "=", provider)
    .where("paused_until", "<=", now)
    .where("paid_until", "<=", now + Math.round((burst - 1) * apartMs))
    .executeTakeFirst();
  return taken.numUpdatedRows > 0n;
};

/** Records that a provider took a mail: its first one begins the count of days. */
export const recordAccepted = async (db: Db, provider: string, now: number): Promise<void> => {
  await db
    .updateTable("provider_limits")
    .set((eb) => ({
      accepted_at: now,
      rated_at: sql<number>`coalesce(rated_at, cast(${now} as bigint))`,
      pauses: eb.case().when("paused_until", "<=", now).then(0).else(eb.ref("pauses")).end(),
    }))
    .where("provider", "=", provider)
    .execute();
};

/** Records what a provider answered against this server. */
export const recordAnswer = async (
  db: Db,
  provider: string,
  answer: { readonly text: string; readonly reason: DeferralReason; readonly now: number },
): Promise<void> => {
  await db
    .updateTable("provider_limits")
    .set({ answer: answer.text, reason: answer.reason, answered_at: answer.now })
    .where("provider", "=", provider)
    .execute();
};

/** Pauses a provider and sets its rate, unless it is paused already, because several mails got the same answer. */
export const pauseProvider = async (
  db: Db,
  provider: string,
  pause: {
    readonly now: number;
    readonly until: number;
    readonly perHour: number;
    /** So that no burst follows the pause. */
    readonly paidUntil: number;
  },
): Promise<void> => {
  await db
    .updateTable("provider_limits")
    .set((eb) => ({
      per_hour: pause.perHour,
      rated_at: sql<
        number | null
      >`case when rated_at is null then null else cast(${pause.now} as bigint) end`,
      paused_until: pause.until,
      paid_until: pause.paidUntil,
      pauses: eb("pauses", "+", 1),
    }))
    .where("provider", "=", provider)
    .where("paused_until", "<=", pause.now)
    .execute();
};
