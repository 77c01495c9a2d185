import { mailboxKey } from "../../core/mail/emailAddress.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Tier } from "../../core/tiers/tier.ts";
import { Refusal } from "../http/refusal.ts";
import type { Database, Db } from "../store/database.ts";
import { ensureDestination } from "../store/destinations.ts";
import { newId } from "../store/id.ts";
import { takeTicket, ticketEmail } from "../store/signUpTickets.ts";
import { insertUser, type UserRow, userById, userOfMailbox } from "../store/users.ts";
import type { Admit, Admitted } from "./admit.ts";
import type { KeyedHash } from "./keyedHash.ts";

export interface SignUpParts {
  /** The tier of everybody who pays for none. */
  readonly everybodys: Tier;
  /** Rejects with 402 unless the plan of that mailbox is paid; null while no payment is set up. */
  readonly checkPayment: ((email: string, checkoutSessionId: string | undefined) => Promise<void>) | null;
  /** Gives a new user, in the transaction that makes them, what their mailbox has paid. */
  readonly givePaidPlan: (db: Db, user: UserRow, now: number) => Promise<void>;
  readonly database: Database;
  readonly admit: Admit;
  readonly hash: KeyedHash;
  readonly clock: Clock;
  readonly random: Random;
}

export interface SignUp {
  readonly ticket: string;
  readonly tier: Tier;
  /** In which the plan was paid. */
  readonly checkoutSessionId?: string | undefined;
  readonly userAgent: string;
}

export const signUpExpired = (): Refusal =>
  new Refusal(401, "Your sign-up has expired. Please ask for a new code.");

/**
 * Makes the account of somebody who has proved a mailbox and chosen a plan, and signs them in (D36). Their own address
 * is confirmed by that. A plan is paid before (402), and while no payment is set up only Free can be chosen (D38). What
 * the mailbox has paid is had, whatever was chosen. A ticket works once; somebody who has
 * two and uses both gets one account, and owes its second factor if it has one by then.
 */
export const makeSignUp =
  ({ database, admit, hash, clock, random, everybodys, checkPayment, givePaidPlan }: SignUpParts) =>
  async ({ ticket, tier, checkoutSessionId, userAgent }: SignUp): Promise<Admitted> => {
    if (tier !== "free" && !checkPayment)
      throw new Refusal(
        402,
        "Payment is not set up on this server. Choose the Free plan, or ask whoever runs the server.",
      );
    const now = clock.now();
    if (tier !== "free" && checkPayment) {
      const paying = await ticketEmail(database.db, hash("ticket", ticket), now);
      if (paying === undefined) throw signUpExpired();
      await checkPayment(paying, checkoutSessionId);
    }
    return database.transaction(async (db) => {
      const email = await takeTicket(db, hash("ticket", ticket), now);
      if (email === undefined) throw signUpExpired();
      const emailKey = mailboxKey(email);
      const fresh = await insertUser(db, {
        id: newId(random),
        email,
        emailKey,
        tier: everybodys,
        now,
      });
      const user = fresh ?? (await userOfMailbox(db, emailKey));
      if (!user) throw new Error("a user is neither new nor known");
      await givePaidPlan(db, user, now);
      const destination = { id: newId(random), userId: user.id, email, emailKey, confirmedAt: now, now };
      await ensureDestination(db, destination);
      return admit(db, (await userById(db, user.id)) ?? user, userAgent);
    });
  };
