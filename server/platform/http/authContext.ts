import type { FastifyReply, FastifyRequest } from "fastify";

/** A user and one of their sessions. */
export interface SessionContext {
  readonly userId: string;
  readonly sessionId: string;
}

/** The user, the session and the client that an authenticated request comes from. */
export interface AuthContext extends SessionContext {
  /** Identifies one run of the app, such as a tab; null when the client sent none. */
  readonly clientId: string | null;
}

/** Parses a client id from a header or a query; null for anything but 1 to 128 visible ASCII characters. */
export const parseClientId = (value: unknown): string | null =>
  typeof value === "string" && /^[\x21-\x7e]{1,128}$/.test(value) ? value : null;

/**
 * Returns the user and session of a request. Rejects with a 401 `HttpError` without a valid session, and with
 * 403 for a request from another site's page.
 */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<AuthContext>;
