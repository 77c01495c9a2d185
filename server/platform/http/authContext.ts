import type { FastifyReply, FastifyRequest } from "fastify";
import type { AuthContext } from "../store/authContext.ts";

/** Parses a client id from a header or a query; null for anything but 1 to 128 visible ASCII characters. */
export const parseClientId = (value: unknown): string | null =>
  typeof value === "string" && /^[\x21-\x7e]{1,128}$/.test(value) ? value : null;

/**
 * Returns the user and session of a request. Rejects with a 401 without a valid session, and with
 * 403 for a request from another site's page.
 */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<AuthContext>;
