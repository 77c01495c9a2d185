import { jwtVerify, SignJWT } from "jose";
import type { SessionContext } from "../../platform/store/authContext.ts";
import { accessTokenLifetimeMs } from "./lifetimes.ts";

const algorithm = "HS256";

/** The claims of a valid token. */
export interface SessionClaims extends SessionContext {
  /** The end of the token, in ms since 1970. */
  readonly expiresAt: number;
}

/** Signs and verifies session tokens: JWT with `sub` (user), `sid` (session), `iat`, and `exp` (RFC 7519). */
export interface SessionTokens {
  /** Returns a token that is valid for 15 minutes. */
  readonly sign: (caller: SessionContext, now: number) => Promise<string>;
  /** Returns the user and session of a token and its end; undefined when the token is invalid or expired. */
  readonly read: (token: string, now: number) => Promise<SessionClaims | undefined>;
}

const seconds = (ms: number): number => Math.floor(ms / 1_000);

export const createSessionTokens = (key: Uint8Array): SessionTokens => ({
  sign: ({ userId, sessionId }, now) =>
    new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: algorithm, typ: "JWT" })
      .setSubject(userId)
      .setIssuedAt(seconds(now))
      .setExpirationTime(seconds(now + accessTokenLifetimeMs))
      .sign(key),
  read: async (token, now) => {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        requiredClaims: ["sub", "sid", "exp"],
        currentDate: new Date(now),
      });
      const { sub, sid, exp = 0 } = payload;
      if (typeof sub !== "string" || typeof sid !== "string") return undefined;
      return { userId: sub, sessionId: sid, expiresAt: exp * 1_000 };
    } catch {
      return undefined;
    }
  },
});
