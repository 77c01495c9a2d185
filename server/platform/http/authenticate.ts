import type { FastifyReply, FastifyRequest } from "fastify";
import { clientIdHeader } from "../../../core/api/basicMiddleware.ts";
import { invalidSession } from "../errors/useCaseError.ts";
import type { AuthContext, SessionContext } from "../store/authContext.ts";
import type { CookieJar } from "./cookieJar.ts";
import type { Csrf } from "./csrf.ts";

/** Parses a client id from a header or a query; null for anything but 1 to 128 visible ASCII characters. */
export const parseClientId = (value: unknown): string | null =>
  typeof value === "string" && /^[\x21-\x7e]{1,128}$/.test(value) ? value : null;

/**
 * Returns the user and session of a request. Rejects with a 401 without a valid session, and with
 * 403 for a request from another site's page.
 */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<AuthContext>;

const bearer = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer +([^\s]+)$/i.exec(headers.authorization ?? "")?.[1];

/** Returns the user and session of a token and its cookie; undefined unless both are valid. */
export type FindSession = (token: string, cookie: string | undefined) => Promise<SessionContext | undefined>;

/** Authenticates requests by the token in `Authorization` and its session cookie, and checks the CSRF token. */
export const createAuthenticate =
  (
    findSession: FindSession,
    sessionCookie: Pick<CookieJar, "read">,
    csrf: Pick<Csrf, "check">,
  ): Authenticate =>
  async (request, reply) => {
    const token = bearer(request);
    const session = token && (await findSession(token, sessionCookie.read(request)));
    if (!session) throw invalidSession();
    csrf.check(request, reply, session.sessionId);
    return { ...session, clientId: parseClientId(request.headers[clientIdHeader]) };
  };
