import { mailboxKey } from "../../core/mail/emailAddress.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Delivery } from "../delivery/delivery.ts";
import { Refusal } from "../http/refusal.ts";
import type { SignedInUser } from "../identity/admit.ts";
import type { KeyedHash } from "../identity/keyedHash.ts";
import { triesPerSecondFactor } from "../identity/lifetimes.ts";
import type { Sessions } from "../identity/sessions.ts";
import { userOf } from "../identity/user.ts";
import type { Database } from "../store/database.ts";
import type { EventFeed } from "../store/events.ts";
import { countTicketTry, takeFactorTicket } from "../store/secondFactorTickets.ts";
import { lockUser, userById } from "../store/users.ts";
import type { Notice } from "./notice.ts";
import type { TakeFactor } from "./secondFactor.ts";

export interface VerifySecondFactorParts {
  readonly database: Database;
  readonly sessions: Pick<Sessions, "open">;
  readonly hash: KeyedHash;
  readonly clock: Clock;
  readonly takeFactor: TakeFactor;
  readonly notice: Notice;
  readonly feed: Pick<EventFeed, "nudge">;
  readonly delivery: Pick<Delivery, "wake">;
}

export interface FactorTry {
  readonly email: string;
  /** Of the authenticator, or a recovery code. */
  readonly code: string;
  readonly ticket: string;
  readonly userAgent: string;
}

const overdue = (): Refusal =>
  new Refusal(401, "This sign-in has expired or was tried too often. Please start again with a new code.");

/**
 * Exchanges a ticket and a second factor for a session. A ticket lasts 5 minutes and 5 tries, each counted before the
 * factor is looked at, and works once. Rejects with a 401 `Refusal`.
 */
export const makeVerifySecondFactor =
  (parts: VerifySecondFactorParts) =>
  async ({ email, code, ticket, userAgent }: FactorTry): Promise<SignedInUser> => {
    const { database, sessions, clock } = parts;
    const now = clock.now();
    const tokenHash = parts.hash("second-factor", ticket);
    const userId = await countTicketTry(database.db, tokenHash, now, triesPerSecondFactor);
    if (userId === undefined) throw overdue();

    const signedIn = await database.transaction(async (db): Promise<SignedInUser> => {
      await lockUser(db, userId);
      const user = await userById(db, userId);
      if (!user || user.email_key !== mailboxKey(email)) throw overdue();
      const taken = await parts.takeFactor(db, { userId, code, now }, 401);
      if (!(await takeFactorTicket(db, tokenHash))) throw overdue();
      if (taken === "recovery-code") await parts.notice(db, user, "recovery-code-used");
      return {
        kind: "signed-in",
        credentials: await sessions.open(db, userId, userAgent),
        user: userOf(user),
      };
    });
    parts.feed.nudge();
    parts.delivery.wake();
    return signedIn;
  };
