import { mailboxKey } from "../../core/mail/emailAddress.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Tier } from "../../core/tiers/tier.ts";
import { Refusal } from "../http/refusal.ts";
import type { Database } from "../store/database.ts";
import { ensureDestination } from "../store/destinations.ts";
import { newId } from "../store/id.ts";
import { takeTicket } from "../store/signUpTickets.ts";
import { insertUser, userOfMailbox } from "../store/users.ts";
import type { Admit, Admitted } from "./admit.ts";
import type { KeyedHash } from "./keyedHash.ts";

export interface SignUpParts {
  readonly database: Database;
  readonly admit: Admit;
  readonly hash: KeyedHash;
  readonly clock: Clock;
  readonly random: Random;
}

export interface SignUp {
  readonly ticket: string;
  readonly tier: Tier;
  readonly userAgent: string;
}

/**
 * Makes the account of somebody who has proved a mailbox and chosen a plan, and signs them in (D36). Their own address
 * is confirmed by that. Only Free can be chosen while no payment is set up (D38). A ticket works once; somebody who has
 * two and uses both gets one account, and owes its second factor if it has one by then.
 */
export const makeSignUp =
  ({ database, admit, hash, clock, random }: SignUpParts) =>
  async ({ ticket, tier, userAgent }: SignUp): Promise<Admitted> => {
    if (tier !== "free")
      throw new Refusal(
        402,
        "Payment is not set up on this server. Choose the Free plan, or ask whoever runs the server.",
      );
    const now = clock.now();
    return database.transaction(async (db) => {
      const email = await takeTicket(db, hash("ticket", ticket), now);
      if (email === undefined) throw new Refusal(401, "Your sign-up has expired. Please ask for a new code.");
      const emailKey = mailboxKey(email);
      const fresh = await insertUser(db, { id: newId(random), email, emailKey, tier, now });
      const user = fresh ?? (await userOfMailbox(db, emailKey));
      if (!user) throw new Error("a user is neither new nor known");
      const destination = { id: newId(random), userId: user.id, email, emailKey, confirmedAt: now, now };
      await ensureDestination(db, destination);
      return admit(db, user, userAgent);
    });
  };
