import type { FastifyReply, FastifyRequest } from "fastify";
import { publicPathOf } from "./publicPath.ts";

/** A cookie that the server sets. */
export interface CookieSettings {
  readonly name: string;
  /** True if scripts of the page read it; such a cookie has the same name everywhere. */
  readonly isForScripts: boolean;
  readonly ageMs: number;
  /** "lax": sent with a navigation from another site too, as on the way back from an identity provider. */
  readonly sameSite?: "lax";
}

/** Reads and writes one cookie. */
export interface CookieJar {
  readonly read: (request: FastifyRequest) => string | undefined;
  readonly write: (reply: FastifyReply, value: string, maxAgeMs?: number) => void;
  readonly clear: (reply: FastifyReply) => void;
}

/**
 * Creates the jar of a cookie that is limited to the app's address and, unless it is "lax", to same-site requests. Over HTTPS the
 * `__Host-` prefix prevents subdomains and plain connections from setting it; `__Secure-`, plain connections alone, where the app has
 * a path, which `__Host-` does not allow.
 */
export const cookieJarOf = (
  publicUrl: string,
  { name: plainName, isForScripts, ageMs, sameSite }: CookieSettings,
): CookieJar => {
  const secure = publicUrl.startsWith("https:");
  const path = publicPathOf(publicUrl) || "/";
  const prefix = path === "/" ? "__Host-" : "__Secure-";
  const name = secure && !isForScripts ? `${prefix}${plainName}` : plainName;
  const attributes = { path, httpOnly: !isForScripts, secure, sameSite: sameSite ?? "strict" } as const;
  return {
    read: (request) => request.cookies[name],
    write: (reply, value, maxAgeMs = ageMs) =>
      reply.setCookie(name, value, { ...attributes, maxAge: Math.floor(maxAgeMs / 1_000) }),
    clear: (reply) => reply.clearCookie(name, attributes),
  };
};
