import type { FastifyInstance } from "fastify";
import { dayMs } from "../../../core/kernel/durations.ts";
import { deleteLog, listLog, putLogSettings } from "../../../core/mailLog/logEndpoints.ts";
import {
  LogDetail,
  type LogEntry,
  type LogMode,
  type LogPage,
  type LogSettings,
  StepDetail,
} from "../../../core/mailLog/logEntry.ts";
import { historyMs, limitsOf, parseTier } from "../../../core/tiers/tier.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { deleteEntries, type LogQuery, listEntries } from "../../delivery/mailLog/logQueries.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import type { Db } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { getUser } from "../../platform/store/users.ts";
import { findHeldOfEntries } from "../held/heldQueries.ts";

const defaultPageSize = 50;
const maxPageSize = 200;

const iso = (time: number): string => new Date(time).toISOString();

interface Detailed {
  readonly detail: string | null;
  readonly sealed: number;
}

/** Reads a stored detail; what a later version has written is left out. */
const readDetail = <A>(is: (detail: unknown) => detail is A, { detail, sealed }: Detailed) => {
  const read: unknown = detail === null || sealed === 1 ? null : JSON.parse(detail);
  return { detail: is(read) ? read : null, sealed: sealed === 1 ? detail : null };
};

const toEntry = ({
  id,
  at,
  mask_id: maskId,
  direction,
  result,
  steps,
  ...entry
}: Awaited<ReturnType<typeof listEntries>>[number]): LogEntry => ({
  id,
  at: iso(at),
  maskId,
  direction,
  result,
  ...readDetail(LogDetail.is, entry),
  steps: steps.map(({ state, at: time, times, ...step }) => ({
    state,
    at: iso(time),
    times,
    ...readDetail(StepDetail.is, step),
  })),
});

/** Returns the entries of a user's log, newest first. */
export const readLog = async (db: Db, userId: string, query: LogQuery): Promise<readonly LogEntry[]> =>
  (await listEntries(db, userId, query)).map(toEntry);

/** Names the held mail of each entry that has one alone. */
const withHeldIds = async (
  db: Db,
  userId: string,
  entries: readonly LogEntry[],
): Promise<readonly LogEntry[]> => {
  const held = entries.filter(({ result }) => result === "held").map(({ id }) => id);
  if (held.length === 0) return entries;
  const heldIds = await findHeldOfEntries(db, userId, held);
  return entries.map((entry) => {
    const heldId = heldIds.get(entry.id);
    return heldId === undefined ? entry : { ...entry, heldId };
  });
};

const readSettings = async (db: Db, userId: string): Promise<LogSettings> => {
  const user = await getUser(db, userId);
  const key = await db
    .selectFrom("public_keys")
    .where("user_id", "=", userId)
    .select("user_id")
    .executeTakeFirst();
  const history = historyMs(limitsOf[parseTier(user.tier)].history);
  return {
    keep: user.mail_log,
    days: history === null ? null : history / dayMs,
    encrypted: key !== undefined,
  };
};

/** Registers the endpoints of the log, each limited to the signed-in user's own rows. */
export const logRoutes =
  ({ database, clock, authGuard }: Pick<FeatureContext, "database" | "clock" | "authGuard">) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.notifications };
    const recordChange = (db: Db, userId: string): Promise<void> =>
      appendEvent(db, { userId, resource: "log", resourceId: null, action: "updated" }, clock.now());
    const setMode = async (db: Db, userId: string, keep: LogMode): Promise<void> => {
      await db.updateTable("users").set({ mail_log: keep }).where("id", "=", userId).execute();
      if (keep === "off") await deleteEntries(db, userId);
      await recordChange(db, userId);
    };

    routeSignedIn(
      fastify,
      authGuard,
      listLog,
      async ({ auth, params }): Promise<LogPage> => {
        const { maskId, direction, result, before, limit = defaultPageSize, q } = params;
        const size = Math.min(limit, maxPageSize);
        const text = q?.trim() || undefined;
        const mails = await readLog(database.db, auth.userId, {
          maskId,
          direction,
          result,
          before,
          text,
          limit: size + 1,
        });
        return {
          settings: await readSettings(database.db, auth.userId),
          mails: await withHeldIds(database.db, auth.userId, mails.slice(0, size)),
          more: mails.length > size,
        };
      },
      limited,
    );

    routeWrite(
      fastify,
      authGuard,
      putLogSettings,
      async ({ tx, auth, body }) => {
        await setMode(tx, auth.userId, body.keep);
        return readSettings(tx, auth.userId);
      },
      limited,
    );

    routeWrite(
      fastify,
      authGuard,
      deleteLog,
      async ({ tx, auth }) => {
        await deleteEntries(tx, auth.userId);
        await recordChange(tx, auth.userId);
      },
      limited,
    );
  };
