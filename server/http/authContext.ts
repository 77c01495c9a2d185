import type { FastifyReply, FastifyRequest } from "fastify";

/** The user and the session that an authenticated request belongs to. */
export interface AuthContext {
  readonly userId: string;
  readonly sessionId: string;
}

/**
 * Returns the user and session of a request. Rejects with a 401 `HttpError` without a valid session, and with
 * a 403 one when a page of another site may have made the request.
 */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<AuthContext>;
