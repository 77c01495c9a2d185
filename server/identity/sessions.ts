import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Caller } from "../http/caller.ts";
import type { Database, Db } from "../store/database.ts";
import type { EventFeed } from "../store/events.ts";
import { newId } from "../store/id.ts";
import { insertSession, liveSession, noteUse, type SessionRow } from "../store/sessions.ts";
import { endSession, endStolenSession } from "./endSession.ts";
import type { KeyedHash } from "./keyedHash.ts";
import { noteUseEveryMs, sessionForMs } from "./lifetimes.ts";
import { newSecret } from "./secret.ts";
import { readSessionCookie, type Standing, standingOf, writeSessionCookie } from "./sessionCookie.ts";
import type { SessionTokens } from "./sessionToken.ts";

/** What a browser is given: the token for its scripts, and the cookie's value that no script can read. */
export interface Credentials {
  readonly sessionId: string;
  readonly token: string;
  readonly cookie: string;
}

/** A session, and what the secret that was shown for it is worth. */
export interface Shown {
  readonly session: SessionRow;
  readonly secretHash: string;
  readonly standing: Exclude<Standing, "retired">;
}

export interface Sessions {
  /** Opens a session inside the transaction that earned it. */
  readonly open: (db: Db, userId: string, userAgent: string) => Promise<Credentials>;
  /** Who is calling with a token and the cookie it is bound to; undefined when either is missing, false or dead (D41). */
  readonly read: (token: string, cookie: string | undefined) => Promise<Caller | undefined>;
  /** Whose token it is, as long as its session goes on: for a connection whose cookie was seen when it was made. */
  readonly ofToken: (token: string) => Promise<Caller | undefined>;
  /**
   * The cookie's session; undefined when it is missing, false or dead. A secret that has been replaced is a copy:
   * it ends the session and tells its owner.
   */
  readonly ofCookie: (cookie: string | undefined) => Promise<Shown | undefined>;
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
  readonly feed: Pick<EventFeed, "nudge">;
}

const longestUserAgent = 256;

export const makeSessions = ({ database, tokens, hash, clock, random, feed }: SessionParts): Sessions => {
  const ofCookie = async (cookie: string | undefined): Promise<Shown | undefined> => {
    const shown = readSessionCookie(hash, cookie);
    const now = clock.now();
    const session = shown && (await liveSession(database.db, shown.sessionId, now));
    if (!shown || !session) return undefined;
    const { secretHash } = shown;
    const standing = standingOf(session, secretHash, now);
    if (standing !== "retired") return { session, secretHash, standing };
    await endStolenSession(database, { userId: session.user_id, sessionId: session.id, now });
    feed.nudge();
    return undefined;
  };

  const note = async ({ session, secretHash, standing }: Shown): Promise<void> => {
    const now = clock.now();
    const isNews = session.secret_seen === 0 && standing === "current";
    if (isNews || session.last_used_at < now - noteUseEveryMs)
      await noteUse(database.db, session.id, { now, secretHash });
  };

  return {
    open: async (db, userId, userAgent) => {
      const now = clock.now();
      const expiresAt = now + sessionForMs;
      const [sessionId, secret] = [newId(random), newSecret(random)];
      await insertSession(db, {
        id: sessionId,
        userId,
        secretHash: hash("session", secret),
        userAgent: userAgent.slice(0, longestUserAgent),
        now,
        expiresAt,
      });
      return {
        sessionId,
        token: await tokens.sign({ userId, sessionId }, now),
        cookie: writeSessionCookie(hash, sessionId, secret),
      };
    },

    read: async (token, cookie) => {
      const claimed = await tokens.read(token, clock.now());
      if (!claimed) return undefined;
      const shown = await ofCookie(cookie);
      if (shown?.session.id !== claimed.sessionId || shown.session.user_id !== claimed.userId)
        return undefined;
      await note(shown);
      return claimed;
    },

    ofToken: async (token) => {
      const claimed = await tokens.read(token, clock.now());
      const session = claimed && (await liveSession(database.db, claimed.sessionId, clock.now()));
      return session?.user_id === claimed?.userId ? claimed : undefined;
    },

    ofCookie,

    end: async (cookie) => {
      const shown = await ofCookie(cookie);
      if (!shown) return;
      const { id: sessionId, user_id: userId } = shown.session;
      await database.transaction((db) => endSession(db, { userId, sessionId, now: clock.now() }));
      feed.nudge();
    },

    goesOn: async (sessionId) => (await liveSession(database.db, sessionId, clock.now())) !== undefined,
  };
};
