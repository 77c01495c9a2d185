import { rotateSession } from "../store/sessions.ts";
import { sessionForMs } from "./lifetimes.ts";
import { newSecret } from "./secret.ts";
import { isInGrace, writeSessionCookie } from "./sessionCookie.ts";
import type { SessionParts, Sessions } from "./sessions.ts";

/** What a refresh gives. */
export interface Refreshed {
  readonly sessionId: string;
  readonly token: string;
  /** null for a tab that asked at the same time as another: the cookie is on its way in the other's answer. */
  readonly cookie: string | null;
}

/**
 * Makes what exchanges a session's cookie for a new token and a new cookie, after which the session lasts as long as a
 * new one (SE6, D41). However many tabs ask at once, the secret is replaced once: the others get a token of the same
 * session. Answers undefined when the session is not there, or ended because the secret was an old copy.
 */
export const makeRefresh = (
  sessions: Pick<Sessions, "ofCookie">,
  {
    database,
    tokens,
    hash,
    clock,
    random,
  }: Pick<SessionParts, "database" | "tokens" | "hash" | "clock" | "random">,
) => {
  const refresh = async (cookie: string | undefined): Promise<Refreshed | undefined> => {
    const shown = await sessions.ofCookie(cookie);
    if (!shown) return undefined;
    const { session, secretHash, standing } = shown;
    const now = clock.now();
    const sessionId = session.id;
    const token = await tokens.sign({ userId: session.user_id, sessionId }, now);
    if (standing === "previous" && isInGrace(session, now)) return { sessionId, token, cookie: null };

    const secret = newSecret(random);
    const rotated = await rotateSession(database.db, sessionId, {
      from: session.secret_hash,
      to: hash("session", secret),
      previous: secretHash,
      now,
      expiresAt: now + sessionForMs,
    });
    // Another tab was faster: what was shown is the previous secret by now, or the session has ended.
    if (!rotated) return refresh(cookie);
    return { sessionId, token, cookie: writeSessionCookie(hash, sessionId, secret) };
  };
  return refresh;
};
