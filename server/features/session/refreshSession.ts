import type { ServerContext } from "../../context/serverContext.ts";
import { newSecret } from "../../platform/ops/keyedHash.ts";
import { sessionLifetimeMs } from "./lifetimes.ts";
import { encodeSessionCookie, isInGrace, isJustReplaced } from "./sessionCookie.ts";
import { rotateSession } from "./sessionQueries.ts";
import type { SessionServices } from "./sessionServices.ts";

/** The result of a refresh. */
export interface RefreshResult {
  readonly sessionId: string;
  readonly token: string;
  /** Null shortly after another refresh, whose response carries the new cookie. */
  readonly cookie: string | null;
}

/**
 * Creates the function that exchanges a session cookie for a new token and cookie and extends the session (SE6,
 * D41). When several tabs refresh at once, the secret is replaced once and the others get a token of the same
 * session. Undefined when the session does not exist, or was ended because the secret was an outdated copy.
 */
export const createRefresh = (
  { database, hash, clock, random }: Pick<ServerContext, "database" | "hash" | "clock" | "random">,
  { sessions, tokens }: Pick<SessionServices, "sessions" | "tokens">,
) => {
  const refresh = async (cookie: string | undefined): Promise<RefreshResult | undefined> => {
    const presented = await sessions.findByCookie(cookie);
    if (!presented) return undefined;
    const { session, secretHash, secretState } = presented;
    const now = clock.now();
    const sessionId = session.id;
    const token = await tokens.sign({ userId: session.user_id, sessionId }, now);
    const keepsSecret = secretState === "previous" ? isInGrace(session, now) : isJustReplaced(session, now);
    if (keepsSecret) return { sessionId, token, cookie: null };

    const secret = newSecret(random);
    const rotated = await rotateSession(database.db, sessionId, {
      from: session.secret_hash,
      to: hash("session", secret),
      previous: secretHash,
      now,
      expiresAt: now + sessionLifetimeMs,
    });
    // Another tab was faster, so the presented secret is now the previous one, or the session has ended.
    if (!rotated) return refresh(cookie);
    return { sessionId, token, cookie: encodeSessionCookie(hash, sessionId, secret) };
  };
  return refresh;
};
