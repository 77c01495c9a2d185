import type { Tier } from "../../core/tiers/tier.ts";
import { giveUser } from "../store/billingCustomers.ts";
import type { Db } from "../store/database.ts";
import type { UserRow } from "../store/users.ts";
import { changePlan, userPlan } from "./changePlan.ts";

/** Makes what gives a new user what their mailbox has paid before, in the transaction that makes them. */
export const makeGivePaidPlan =
  (everybodys: Tier) =>
  async (db: Db, { id, email_key }: UserRow, now: number): Promise<void> => {
    const customer = await giveUser(db, email_key, id);
    if (!customer) return;
    const { tier, status, ends_at: endsAt, subscription_id: subscriptionId } = customer;
    await changePlan(db, id, userPlan({ tier, status, endsAt, subscriptionId }, everybodys), now);
  };
