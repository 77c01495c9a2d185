import { sql } from "kysely";
import { dayOf } from "../../../core/kernel/calendarDay.ts";
import { dayMs, hourMs } from "../../../core/kernel/durations.ts";
import { failedHours, type OperatorOverview } from "../../../core/operator/operatorEndpoints.ts";
import { DeferralReason, type ProviderStatus } from "../../../core/operator/providerAnswer.ts";
import { type SignInWay, signInWays } from "../../../core/session/signInWay.ts";
import { parseTier, tiers } from "../../../core/tiers/tier.ts";
import { perHourOf } from "../../delivery/direct/providerLimits.ts";
import { listProviderStates, type ProviderState } from "../../delivery/direct/providerQueries.ts";
import { providerName } from "../../delivery/direct/providers.ts";
import { listDomainQueues } from "../../delivery/queue/queueAdministration.ts";
import { smtpCodes } from "../../delivery/smtpAnswer.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import { firstQueueIdAt } from "../../platform/store/id.ts";
import { countNewMails } from "../insights/newMails.ts";
import { readReceiverReports } from "../reports/received/reportFigures.ts";
import { countSessionWays } from "../session/signInWayQueries.ts";

const toTime = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

const answerOf = ({ answer, reason, answeredAt }: ProviderState): ProviderStatus["answer"] => {
  const at = toTime(answeredAt);
  if (answer === null || at === null) return null;
  return { text: answer, reason: DeferralReason.is(reason) ? reason : "other", at };
};

/** Reads how large providers take mail of this server; those that have paused it come first. */
export const readProviders = async (db: Db, now: number): Promise<readonly ProviderStatus[]> => {
  const states = await listProviderStates(db);
  return states
    .map(
      (state): ProviderStatus => ({
        name: providerName(state.provider),
        perHour: perHourOf(state, now),
        pausedUntil: state.pausedUntil > now ? toTime(state.pausedUntil) : null,
        acceptedAt: toTime(state.acceptedAt),
        answer: answerOf(state),
      }),
    )
    .toSorted((a, b) => Number(b.pausedUntil !== null) - Number(a.pausedUntil !== null));
};

/** The figures of an installation that come from its database. */
export type StoredFigures = Pick<
  OperatorOverview,
  "queue" | "providers" | "receiverReports" | "mail" | "users" | "sessions"
>;

const total = sql<number>`cast(coalesce(sum(n), 0) as bigint)`;

// Both databases use a partial index only for a condition that is written out.
const isWaiting = sql<boolean>`status = 'waiting'`;
const isFailed = sql<boolean>`status = 'failed'`;

const shownDomains = 5;

/** Returns the domains whose mail waits longest after an attempt, without what their servers say about addresses. */
const readSlowest = async (database: Database, now: number): Promise<StoredFigures["queue"]["slowest"]> => {
  const domains = await listDomainQueues(database, { now, limit: shownDomains, waitingOnly: true });
  return domains.flatMap(({ domain, sending, due, deferred, oldest, answer }) =>
    oldest === null || answer === null
      ? []
      : [
          {
            domain,
            waiting: sending + due + deferred,
            oldest: new Date(oldest).toISOString(),
            codes: smtpCodes(answer),
          },
        ],
  );
};

const readQueue = async (database: Database, now: number): Promise<StoredFigures["queue"]> => {
  const { db } = database;
  const waiting = await db
    .selectFrom("queue")
    .where(isWaiting)
    .select(({ fn, eb }) => [
      fn.countAll().as("waiting"),
      fn.min("created_at").as("oldest"),
      fn.sum(eb.case().when("next_attempt_at", ">", now).then(1).else(0).end()).as("deferred"),
    ])
    .executeTakeFirstOrThrow();
  const failed = await db
    .selectFrom("queue")
    .where(isFailed)
    .where("finished_at", ">=", now - failedHours * hourMs)
    .select(({ fn }) => fn.countAll().as("failed"))
    .executeTakeFirstOrThrow();
  return {
    waiting: Number(waiting.waiting),
    deferred: Number(waiting.deferred ?? 0),
    oldest: waiting.oldest === null ? null : new Date(Number(waiting.oldest)).toISOString(),
    failed: Number(failed.failed),
    slowest: await readSlowest(database, now),
  };
};

/** Counts the copies of users' mail that were queued from one moment to another and are delivered. */
const countDelivered = async (db: Db, from: number, to: number): Promise<number> => {
  const { count } = await db
    .selectFrom("queue")
    .where("id", ">=", firstQueueIdAt(from))
    .where("id", "<", firstQueueIdAt(to))
    .where("status", "=", "delivered")
    .where("user_id", "is not", null)
    .select(({ fn }) => fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
};

const readMailDay = async (db: Db, day: string): Promise<StoredFigures["mail"][number]> => {
  const rows = await db
    .selectFrom("account_counts")
    .where(sql<boolean>`kind = 'day'`)
    .where("period", "=", day)
    .groupBy("key")
    .select(["key", total.as("n")])
    .execute();
  const of = (name: string): number => Number(rows.find(({ key }) => key === name)?.n ?? 0);
  const midnight = Date.parse(`${day}T00:00:00.000Z`);
  return {
    day,
    accepted: of("received") - of("blocked"),
    delivered: await countDelivered(db, midnight, midnight + dayMs),
    refused: of("blocked"),
    spam: of("spam"),
  };
};

const readUsers = async (db: Db): Promise<StoredFigures["users"]> => {
  const rows = await db
    .selectFrom("users")
    .groupBy("tier")
    .select(({ fn }) => ["tier", fn.countAll().as("count")])
    .execute();
  const rank = (tier: string): number => tiers.indexOf(parseTier(tier));
  return rows
    .map(({ tier, count }) => ({ tier, count: Number(count) }))
    .toSorted((a, b) => rank(a.tier) - rank(b.tier));
};

const readSessions = async (db: Db, now: number): Promise<StoredFigures["sessions"]> => {
  const rank = (way: SignInWay): number => signInWays.indexOf(way);
  return (await countSessionWays(db, now)).toSorted((a, b) => rank(a.way) - rank(b.way));
};

/** Reads the figures of all users together; none identifies a user. `ownAddresses` are those of this server. */
export const readStoredFigures = async (
  database: Database,
  now: number,
  ownAddresses: readonly string[],
): Promise<StoredFigures> => {
  await countNewMails(database);
  const queue = await readQueue(database, now);
  return database.readAside("recent", async (db) => ({
    queue,
    providers: await readProviders(db, now),
    receiverReports: await readReceiverReports(db, now, ownAddresses),
    mail: [await readMailDay(db, dayOf(now)), await readMailDay(db, dayOf(now - dayMs))] as const,
    users: await readUsers(db),
    sessions: await readSessions(db, now),
  }));
};
