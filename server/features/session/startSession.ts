import type { FastifyReply, FastifyRequest } from "fastify";
import { mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import type { SignedIn } from "../../../core/session/sessionEndpoints.ts";
import type { User } from "../../../core/session/user.ts";
import { type KeyedHash, newSecret } from "../../platform/ops/keyedHash.ts";
import type { Db } from "../../platform/store/database.ts";
import type { UserRow } from "../../platform/store/users.ts";
import type { Csrf } from "./authenticate.ts";
import type { Cookies } from "./cookies.ts";
import { secondFactorLifetimeMs } from "./lifetimes.ts";
import type { Credentials, Sessions } from "./sessions.ts";
import type { KnownBrowsers } from "./signIn/knownBrowser.ts";
import { insertFactorTicket } from "./twoFactor/twoFactorQueries.ts";
import { assertNotSuspended, toUser } from "./user.ts";

/** The result of a complete sign-in. */
export interface SignedInUser {
  readonly kind: "signed-in";
  readonly credentials: Credentials;
  readonly user: User;
}

/** The result of proving a mailbox: a session, or a ticket for the second factor of a user who has one. */
export type SignInResult =
  | SignedInUser
  | { readonly kind: "second-factor-required"; readonly ticket: string };

export interface CompleteSignInDeps {
  readonly sessions: Pick<Sessions, "open">;
  readonly hash: KeyedHash;
  readonly clock: Clock;
  readonly random: Random;
}

/** Creates the sign-in for the transaction that proves the mailbox; throws a 403 for a suspended account. */
export const createCompleteSignIn =
  ({ sessions, hash, clock, random }: CompleteSignInDeps) =>
  async (db: Db, user: UserRow, userAgent: string): Promise<SignInResult> => {
    assertNotSuspended(user);
    if (user.two_factor === 0)
      return {
        kind: "signed-in",
        credentials: await sessions.open(db, user.id, userAgent),
        user: toUser(user),
      };
    const ticket = newSecret(random);
    await insertFactorTicket(db, {
      tokenHash: hash("second-factor", ticket),
      userId: user.id,
      expiresAt: clock.now() + secondFactorLifetimeMs,
    });
    return { kind: "second-factor-required", ticket };
  };

export type CompleteSignIn = ReturnType<typeof createCompleteSignIn>;

/** The request and the response of a sign-in. */
export interface SignInExchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Returns the User-Agent header, or "". */
export const userAgentOf = (request: FastifyRequest): string => request.headers["user-agent"] ?? "";

/** Creates the function that sets the cookies of a new session and returns the answer for the page's scripts. */
export const createStartSession =
  (
    cookies: Pick<Cookies, "session" | "signUp" | "browser">,
    csrf: Pick<Csrf, "issue">,
    browsers: KnownBrowsers,
  ) =>
  ({ request, reply }: SignInExchange, { credentials, user }: SignedInUser): SignedIn => {
    const { sessionId, cookie, token } = credentials;
    cookies.session.write(reply, cookie);
    cookies.signUp.clear(reply);
    const emailKey = mailboxKey(user.email);
    if (browsers.read(cookies.browser.read(request), emailKey) === null)
      cookies.browser.write(reply, browsers.issue(emailKey));
    csrf.issue(request, reply, sessionId);
    return { token, user };
  };

export type StartSession = ReturnType<typeof createStartSession>;
