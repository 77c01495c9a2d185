import type { FastifyRequest } from "fastify";

/** Whoever holds the session that a request came with. */
export interface Caller {
  readonly userId: string;
  readonly sessionId: string;
}

/** Tells who is calling; rejects with a 401 `Refusal` when nobody who is known is. */
export type Authenticate = (request: FastifyRequest) => Promise<Caller>;
