import type { FastifyReply, FastifyRequest } from "fastify";
import type { SignedIn } from "../../core/session/sessionEndpoints.ts";
import type { SignedInUser } from "./admit.ts";
import type { Cookies } from "./cookies.ts";
import type { Csrf } from "./csrf.ts";

/** The request that signs somebody in, and its answer. */
export interface Entry {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** What the browser called itself. */
export const userAgentOf = (request: FastifyRequest): string => request.headers["user-agent"] ?? "";

/** Makes what gives a browser the cookies of its new session, and answers what its scripts need. */
export const makeLetIn =
  (cookies: Pick<Cookies, "session" | "signUp">, csrf: Pick<Csrf, "give">) =>
  ({ request, reply }: Entry, { credentials, user }: SignedInUser): SignedIn => {
    const { sessionId, cookie, token } = credentials;
    cookies.session.write(reply, cookie);
    cookies.signUp.clear(reply);
    csrf.give(request, reply, sessionId);
    return { token, user };
  };

export type LetIn = ReturnType<typeof makeLetIn>;
