import type { FastifyReply, FastifyRequest } from "fastify";
import { csrfCookie } from "../../core/contract/csrf.ts";
import { sessionForMs, ticketForMs } from "./lifetimes.ts";

/** The cookies of signing in. All are bound to this origin and sent by its own pages alone. */
export interface Cookies {
  readonly session: CookieJar;
  readonly signUp: CookieJar;
  /** Readable by scripts: they send it back in a header (RQ2). */
  readonly csrf: CookieJar;
}

export interface CookieJar {
  readonly read: (request: FastifyRequest) => string | undefined;
  readonly write: (reply: FastifyReply, value: string, maxAgeMs?: number) => void;
  readonly clear: (reply: FastifyReply) => void;
}

/**
 * Over https the names begin with `__Host-`, so that no other host of the domain and no plain connection can set
 * them; the cookie that scripts read keeps the name they know.
 */
export const makeCookies = (publicUrl: string): Cookies => {
  const secure = publicUrl.startsWith("https:");
  const prefix = secure ? "__Host-" : "";

  const jar = (name: string, httpOnly: boolean, standardMs: number): CookieJar => {
    const attributes = { path: "/", httpOnly, secure, sameSite: "strict" } as const;
    return {
      read: (request) => request.cookies[name],
      write: (reply, value, maxAgeMs = standardMs) =>
        reply.setCookie(name, value, { ...attributes, maxAge: Math.floor(maxAgeMs / 1_000) }),
      clear: (reply) => reply.clearCookie(name, attributes),
    };
  };

  return {
    session: jar(`${prefix}maskSession`, true, sessionForMs),
    signUp: jar(`${prefix}maskSignUp`, true, ticketForMs),
    csrf: jar(csrfCookie, false, sessionForMs),
  };
};
