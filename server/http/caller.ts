import type { FastifyReply, FastifyRequest } from "fastify";

/** Whoever holds the session that a request came with. */
export interface Caller {
  readonly userId: string;
  readonly sessionId: string;
}

/**
 * Tells who is calling; rejects with a 401 `Refusal` when nobody who is known is, and with a 403 one when a page of
 * another site may have made the request.
 */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;
