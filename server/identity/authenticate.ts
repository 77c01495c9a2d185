import type { FastifyRequest } from "fastify";
import type { Authenticate } from "../http/caller.ts";
import { Refusal } from "../http/refusal.ts";
import type { Cookies } from "./cookies.ts";
import type { Csrf } from "./csrf.ts";
import type { Sessions } from "./sessions.ts";

/** The sentence for a session that is not there (SE8). */
export const invalidSession = (): Refusal => new Refusal(401, "Invalid or expired token");

const bearer = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer +([^\s]+)$/i.exec(headers.authorization ?? "")?.[1];

/** Knows callers by the token in `Authorization` together with the cookie it is bound to, and checks the anti-forgery token. */
export const makeAuthenticate =
  (
    sessions: Pick<Sessions, "read">,
    cookies: Pick<Cookies, "session">,
    csrf: Pick<Csrf, "check">,
  ): Authenticate =>
  async (request, reply) => {
    const token = bearer(request);
    const caller = token && (await sessions.read(token, cookies.session.read(request)));
    if (!caller) throw invalidSession();
    csrf.check(request, reply, caller.sessionId);
    return caller;
  };
