import { secondFactorLifetimeMs } from "../../../core/session/oneTimeCode.ts";
import type { User } from "../../../core/session/user.ts";
import { newSecret } from "../../platform/ops/keyedHash.ts";
import type { Db } from "../../platform/store/database.ts";
import type { UserRow } from "../../platform/store/users.ts";
import type { ServerContext } from "../serverContext.ts";
import type { Credentials, Sessions } from "./sessions.ts";
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

export interface CompleteSignInDeps extends Pick<ServerContext, "hash" | "clock" | "random"> {
  readonly sessions: Pick<Sessions, "open">;
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
