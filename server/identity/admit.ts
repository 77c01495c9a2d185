import type { User } from "../../core/account/user.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Db } from "../store/database.ts";
import { insertFactorTicket } from "../store/secondFactorTickets.ts";
import type { UserRow } from "../store/users.ts";
import type { KeyedHash } from "./keyedHash.ts";
import { secondFactorForMs } from "./lifetimes.ts";
import { newSecret } from "./secret.ts";
import type { Credentials, Sessions } from "./sessions.ts";
import { userOf } from "./user.ts";

/** A session. */
export interface SignedInUser {
  readonly kind: "signed-in";
  readonly credentials: Credentials;
  readonly user: User;
}

/** What a proven mailbox is good for: a session, or a ticket for the second factor of a user who has one. */
export type Admitted = SignedInUser | { readonly kind: "second-factor-required"; readonly ticket: string };

export interface AdmitParts {
  readonly sessions: Pick<Sessions, "open">;
  readonly hash: KeyedHash;
  readonly clock: Clock;
  readonly random: Random;
}

/** Makes what admits somebody who has proved their mailbox, inside the transaction in which they did. */
export const makeAdmit =
  ({ sessions, hash, clock, random }: AdmitParts) =>
  async (db: Db, user: UserRow, userAgent: string): Promise<Admitted> => {
    if (user.two_factor === 0)
      return {
        kind: "signed-in",
        credentials: await sessions.open(db, user.id, userAgent),
        user: userOf(user),
      };
    const ticket = newSecret(random);
    await insertFactorTicket(db, {
      tokenHash: hash("second-factor", ticket),
      userId: user.id,
      expiresAt: clock.now() + secondFactorForMs,
    });
    return { kind: "second-factor-required", ticket };
  };

export type Admit = ReturnType<typeof makeAdmit>;
