import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Caller } from "../http/caller.ts";
import type { Database, Db } from "../store/database.ts";
import { appendEvent } from "../store/events.ts";
import { newId } from "../store/id.ts";
import {
  deleteSession,
  extendSession,
  insertSession,
  liveSession,
  type SessionRow,
  touchSession,
} from "../store/sessions.ts";
import { type KeyedHash, sameHash } from "./keyedHash.ts";
import { noteUseEveryMs, sessionForMs } from "./lifetimes.ts";
import { newSecret } from "./secret.ts";
import type { SessionTokens } from "./sessionToken.ts";

/** What a browser is given: the token for its scripts, and the cookie's value that no script can read. */
export interface Credentials {
  readonly token: string;
  readonly cookie: string;
}

/** Told to the sockets of every process when a session has ended; `resourceId` is the session's. */
export const sessionEnded = { resource: "session", action: "ended" } as const;

export interface Sessions {
  /** Opens a session inside the transaction that earned it. */
  readonly open: (db: Db, userId: string, userAgent: string) => Promise<Credentials>;
  /** Who is calling with a token and the cookie it is bound to; undefined when either is missing, false or dead (D41). */
  readonly read: (token: string, cookie: string | undefined) => Promise<Caller | undefined>;
  /** A new token for the cookie's session, which lasts from now on as long as a new one. */
  readonly refresh: (cookie: string | undefined) => Promise<Credentials | undefined>;
  /** Ends the cookie's session; does nothing when there is none. */
  readonly end: (cookie: string | undefined) => Promise<void>;
  /** Whether a session goes on. */
  readonly goesOn: (sessionId: string) => Promise<boolean>;
}

export interface SessionParts {
  readonly database: Database;
  readonly tokens: SessionTokens;
  readonly hash: KeyedHash;
  readonly clock: Clock;
  readonly random: Random;
}

const longestUserAgent = 256;

export const makeSessions = ({ database, tokens, hash, clock, random }: SessionParts): Sessions => {
  const ofCookie = async (cookie: string | undefined): Promise<SessionRow | undefined> => {
    const [id, secret, ...rest] = cookie?.split(".") ?? [];
    if (!id || !secret || rest.length > 0 || !/^[\w-]{1,64}$/.test(id)) return undefined;
    const session = await liveSession(database.db, id, clock.now());
    return session && sameHash(session.secret_hash, hash("session", secret)) ? session : undefined;
  };

  return {
    open: async (db, userId, userAgent) => {
      const now = clock.now();
      const expiresAt = now + sessionForMs;
      const [sessionId, secret] = [newId(random), newSecret(random)];
      await insertSession(db, {
        id: sessionId,
        user_id: userId,
        secret_hash: hash("session", secret),
        user_agent: userAgent.slice(0, longestUserAgent),
        created_at: now,
        last_used_at: now,
        expires_at: expiresAt,
      });
      return {
        token: await tokens.sign({ userId, sessionId }, { now, expiresAt }),
        cookie: `${sessionId}.${secret}`,
      };
    },

    read: async (token, cookie) => {
      const now = clock.now();
      const claimed = await tokens.read(token, now);
      if (!claimed) return undefined;
      const session = await ofCookie(cookie);
      if (session?.id !== claimed.sessionId || session.user_id !== claimed.userId) return undefined;
      if (session.last_used_at < now - noteUseEveryMs) await touchSession(database.db, session.id, now);
      return claimed;
    },

    refresh: async (cookie) => {
      const session = await ofCookie(cookie);
      if (!session || cookie === undefined) return undefined;
      const now = clock.now();
      const expiresAt = now + sessionForMs;
      if (!(await extendSession(database.db, session.id, { now, expiresAt }))) return undefined;
      const caller = { userId: session.user_id, sessionId: session.id };
      return { token: await tokens.sign(caller, { now, expiresAt }), cookie };
    },

    end: async (cookie) => {
      const session = await ofCookie(cookie);
      if (!session) return;
      await database.transaction(async (db) => {
        if (!(await deleteSession(db, session.id))) return;
        await appendEvent(
          db,
          { ...sessionEnded, userId: session.user_id, resourceId: session.id },
          clock.now(),
        );
      });
    },

    goesOn: async (sessionId) => (await liveSession(database.db, sessionId, clock.now())) !== undefined,
  };
};
