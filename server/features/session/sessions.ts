import type { ServerContext } from "../../context/serverContext.ts";
import { newSecret } from "../../platform/ops/keyedHash.ts";
import type { SessionContext } from "../../platform/store/authContext.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { EventFeed } from "../../platform/store/eventFeed.ts";
import { appendEvent, type ChangeEvent } from "../../platform/store/events.ts";
import { newId } from "../../platform/store/id.ts";
import { deleteResponses } from "../../platform/store/idempotencyQueries.ts";
import { createUserCache } from "../../platform/store/userCache.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { removeOtherPushDevices, removePushDeviceOfSession } from "../pushDevices/removePushDevices.ts";
import { recentCheckMs, recordUseEveryMs, sessionLifetimeMs } from "./lifetimes.ts";
import {
  decodeSessionCookie,
  encodeSessionCookie,
  type SecretState,
  secretStateOf,
} from "./sessionCookie.ts";
import {
  deleteSession,
  findActiveSession,
  insertSession,
  listActiveSessions,
  listSessionsOfPasskey,
  recordSessionUse,
  type SessionRow,
} from "./sessionQueries.ts";
import type { SessionTokens } from "./sessionToken.ts";

/** The event that ends the sockets of a session in every process; `resourceId` is the id of the session. */
export const sessionEnded = { resource: "session", action: "ended" } as const;

/** Returns the id of the session that an event ends, or null. */
export const endedSession = ({ resource, resourceId }: ChangeEvent): string | null =>
  resource === sessionEnded.resource ? resourceId : null;

interface SessionEnd {
  readonly userId: string;
  readonly sessionId: string;
  readonly now: number;
}

/**
 * Ends a session inside a transaction: deletes its row and recorded answers and emits the event for its
 * sockets. False when it does not exist.
 */
export const endSession = async (db: Db, { userId, sessionId, now }: SessionEnd): Promise<boolean> => {
  await removePushDeviceOfSession(db, { userId, sessionId });
  if (!(await deleteSession(db, userId, sessionId))) return false;
  await deleteResponses(db, sessionId);
  await appendEvent(db, { ...sessionEnded, userId, resourceId: sessionId }, now);
  return true;
};

/** Ends all sessions of a user but one inside a transaction, with the notifications of all other devices; returns how many. */
export const endOtherSessions = async (
  db: Db,
  { userId, sessionId: kept, now }: Omit<SessionEnd, "sessionId"> & { readonly sessionId: string | null },
): Promise<number> => {
  let ended = 0;
  for (const { id: sessionId } of await listActiveSessions(db, userId, now))
    if (sessionId !== kept && (await endSession(db, { userId, sessionId, now }))) ended += 1;
  await removeOtherPushDevices(db, { userId, sessionId: kept });
  return ended;
};

/** Ends all sessions of a user inside a transaction, with the notifications of all devices. */
export const endAllSessions = async (db: Db, userId: string, now: number): Promise<void> => {
  await endOtherSessions(db, { userId, sessionId: null, now });
};

/** Ends the sessions that were opened with a passkey, inside a transaction. */
export const endSessionsOfPasskey = async (
  db: Db,
  { userId, passkeyId, now }: { readonly userId: string; readonly passkeyId: string; readonly now: number },
): Promise<readonly string[]> => {
  const ids = await listSessionsOfPasskey(db, userId, passkeyId);
  for (const sessionId of ids) await endSession(db, { userId, sessionId, now });
  return ids;
};

const copiedKeyMessage =
  "One of your sessions was ended because an outdated copy of its key was used: somebody may have copied it. Log in again there, and end every session that you do not know.";

/** Ends a session whose secret was copied and notifies its user (D41). */
const endStolenSession = (database: Database, end: SessionEnd): Promise<void> =>
  database.transaction(async (db) => {
    if (!(await endSession(db, end))) return;
    const { userId, now } = end;
    await addNotification(db, { userId, type: "security", priority: "high", message: copiedKeyMessage }, now);
  });

/** The token for the scripts of the page, and the value of the httpOnly cookie. */
export interface Credentials {
  readonly sessionId: string;
  readonly token: string;
  readonly cookie: string;
}

/** A session and the state of the secret that was presented for it. */
export interface PresentedSession {
  readonly session: SessionRow;
  readonly secretHash: string;
  readonly secretState: Exclude<SecretState, "retired">;
}

export interface Sessions {
  /** Creates a session inside the transaction of the sign-in; `passkeyId` names the passkey that it ends with. */
  readonly open: (
    db: Db,
    userId: string,
    userAgent: string,
    passkeyId?: string | null,
  ) => Promise<Credentials>;
  /** Returns the user and session of a token and its cookie; undefined unless both are valid and unexpired (D41). */
  readonly authenticate: (token: string, cookie: string | undefined) => Promise<SessionContext | undefined>;
  /** Returns the user and session of a token while the session is active, for connections that checked the cookie. */
  readonly findByToken: (token: string) => Promise<SessionContext | undefined>;
  /**
   * Returns the session of a cookie; undefined when it is missing, invalid, or expired. A replaced secret is a
   * copy: it ends the session and notifies the user.
   */
  readonly findByCookie: (cookie: string | undefined) => Promise<PresentedSession | undefined>;
  /** Ends the session of the cookie, if there is one. */
  readonly end: (cookie: string | undefined) => Promise<void>;
  readonly isActive: (sessionId: string) => Promise<boolean>;
}

const maxUserAgentLength = 256;

/** A token and a cookie that were checked, until when the result holds, and whether more requests may use it. */
interface CheckedSession {
  readonly context: SessionContext;
  readonly until: number;
}

/** The maximum number of recently checked pairs of a token and a cookie. */
const maxRecentChecks = 20_000;

/** Records the use of a session, at most every few minutes, and the first use of a new secret. */
const recordUse = async (
  db: Db,
  { session, secretHash, secretState }: PresentedSession,
  now: number,
): Promise<void> => {
  const isFirstUse = session.secret_seen === 0 && secretState === "current";
  if (isFirstUse || session.last_used_at < now - recordUseEveryMs)
    await recordSessionUse(db, session.id, { now, secretHash });
};

export const createSessions = (
  {
    database,
    hash,
    clock,
    random,
    feed,
  }: Pick<ServerContext, "database" | "hash" | "clock" | "random"> & {
    readonly feed: Pick<EventFeed, "wake">;
  },
  tokens: SessionTokens,
): Sessions => {
  const findByCookie = async (cookie: string | undefined): Promise<PresentedSession | undefined> => {
    const presented = decodeSessionCookie(hash, cookie);
    const now = clock.now();
    const session = presented && (await findActiveSession(database.db, presented.sessionId, now));
    if (!presented || !session) return undefined;
    const { secretHash } = presented;
    const secretState = secretStateOf(session, secretHash, now);
    if (secretState !== "retired") return { session, secretHash, secretState };
    await endStolenSession(database, { userId: session.user_id, sessionId: session.id, now });
    feed.wake();
    return undefined;
  };

  const recentChecks = createUserCache<CheckedSession>(database, {
    resource: sessionEnded.resource,
    maxWeight: maxRecentChecks,
    weightOf: () => 1,
    isExpired: ({ until }) => clock.now() >= until,
  });

  const check = async (token: string, cookie: string | undefined): Promise<CheckedSession | undefined> => {
    const now = clock.now();
    const claims = await tokens.read(token, now);
    if (!claims) return undefined;
    const { userId, sessionId } = claims;
    const presented = await findByCookie(cookie);
    if (presented?.session.id !== sessionId || presented.session.user_id !== userId) return undefined;
    await recordUse(database.db, presented, clock.now());
    // The grace of a previous secret may end before the time for recent checks.
    const until =
      presented.secretState === "current"
        ? Math.min(now + recentCheckMs, claims.expiresAt, presented.session.expires_at)
        : now;
    return { context: { userId, sessionId }, until };
  };

  return {
    open: async (db, userId, userAgent, passkeyId = null) => {
      const now = clock.now();
      const expiresAt = now + sessionLifetimeMs;
      const sessionId = newId(random);
      const secret = newSecret(random);
      await insertSession(db, {
        id: sessionId,
        userId,
        secretHash: hash("session", secret),
        userAgent: userAgent.slice(0, maxUserAgentLength),
        passkeyId,
        now,
        expiresAt,
      });
      return {
        sessionId,
        token: await tokens.sign({ userId, sessionId }, now),
        cookie: encodeSessionCookie(hash, sessionId, secret),
      };
    },

    authenticate: async (token, cookie) => {
      const key = `${token} ${cookie}`;
      const checked = await recentChecks.get(key, async () => {
        const value = await check(token, cookie);
        return value && { userId: value.context.userId, value };
      });
      return checked?.context;
    },

    findByToken: async (token) => {
      const claimed = await tokens.read(token, clock.now());
      const session = claimed && (await findActiveSession(database.db, claimed.sessionId, clock.now()));
      if (!claimed || session?.user_id !== claimed.userId) return undefined;
      return { userId: claimed.userId, sessionId: claimed.sessionId };
    },

    findByCookie,

    end: async (cookie) => {
      const presented = await findByCookie(cookie);
      if (!presented) return;
      const { id: sessionId, user_id: userId } = presented.session;
      await database.transaction((db) => endSession(db, { userId, sessionId, now: clock.now() }));
      feed.wake();
    },

    isActive: async (sessionId) =>
      (await findActiveSession(database.db, sessionId, clock.now())) !== undefined,
  };
};
