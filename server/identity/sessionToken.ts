import { jwtVerify, SignJWT } from "jose";
import type { Caller } from "../http/caller.ts";
import { accessTokenForMs } from "./lifetimes.ts";

const algorithm = "HS256";

/** Signs and reads session tokens: JWT with `sub` (user), `sid` (session), `iat`, `exp` (RFC 7519). */
export interface SessionTokens {
  /** A token that can be used for 15 minutes from now on. */
  readonly sign: (caller: Caller, now: number) => Promise<string>;
  /** Whose token it is; undefined when it is not ours, damaged or too old. */
  readonly read: (token: string, now: number) => Promise<Caller | undefined>;
}

const seconds = (ms: number): number => Math.floor(ms / 1_000);

export const makeSessionTokens = (key: Uint8Array): SessionTokens => ({
  sign: ({ userId, sessionId }, now) =>
    new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: algorithm, typ: "JWT" })
      .setSubject(userId)
      .setIssuedAt(seconds(now))
      .setExpirationTime(seconds(now + accessTokenForMs))
      .sign(key),
  read: async (token, now) => {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        requiredClaims: ["sub", "sid", "exp"],
        currentDate: new Date(now),
      });
      const { sub, sid } = payload;
      return typeof sub === "string" && typeof sid === "string" ? { userId: sub, sessionId: sid } : undefined;
    } catch {
      return undefined;
    }
  },
});
