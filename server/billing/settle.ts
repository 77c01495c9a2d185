import { dayMs } from "../../core/kernel/durations.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Tier } from "../../core/tiers/tier.ts";
import {
  type BillingCustomerRow,
  customerNamed,
  numberAsking,
  type PaidPlan,
  renewCustomer,
  writePaidPlan,
} from "../store/billingCustomers.ts";
import { noteEvent } from "../store/billingEvents.ts";
import type { Database, Db } from "../store/database.ts";
import type { EventFeed } from "../store/events.ts";
import { newId } from "../store/id.ts";
import { lockUser } from "../store/users.ts";
import { changePlan, userPlan } from "./changePlan.ts";
import { paidPlanOf, type TierOfPrice } from "./paidPlan.ts";
import type { Provider } from "./provider.ts";

/** How long an event of the payment provider is known to have had its effect; it sends none again after 30 days. */
export const providerEventsForMs = 60 * dayMs;

export interface SettleParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly feed: Pick<EventFeed, "nudge">;
  readonly provider: Provider;
  readonly tierOf: TierOfPrice;
  /** The tier of everybody who pays for none. */
  readonly everybodys: Tier;
}

/**
 * Asks the provider what a customer pays and makes it so here. Answers what stands here then; undefined when nobody
 * here is that customer.
 */
export type Settle = (customerId: string, eventId?: string) => Promise<BillingCustomerRow | undefined>;

/** An answer of the provider's, and the number of its asking. */
interface Known {
  readonly customerId: string;
  readonly number: number;
  readonly plan: PaidPlan;
  /** Whether the provider has such a customer no more. */
  readonly isGone: boolean;
  /** By which the provider told. */
  readonly eventId: string | undefined;
}

/** Writes an answer down with all that follows from it, in one transaction; "changed" when it must be tried again. */
const write = async (
  db: Db,
  { clock, random, everybodys }: SettleParts,
  { customerId, number, plan, isGone, eventId }: Known,
): Promise<"done" | "changed"> => {
  const seen = await customerNamed(db, customerId);
  if (!seen) return "done";
  const userId = seen.user_id;
  if (userId !== null) await lockUser(db, userId);
  const now = clock.now();
  const written = await writePaidPlan(db, seen, number, plan);
  if (written === "changed") return "changed";
  if (eventId !== undefined) await noteEvent(db, eventId, now);
  if (written === "older") return "done";
  if (userId !== null) await changePlan(db, userId, userPlan(plan, everybodys), now);
  if (isGone) await renewCustomer(db, seen.id, newId(random));
  return "done";
};

/**
 * Whatever the provider tells, only its own answer counts, so it does not matter in which order it tells or how often.
 * Askings are numbered before they begin: an answer never takes the place of one that was asked for later, and
 * after the last change somebody asks, as each change comes with an event that is sent until it is taken. The event
 * is noted in the transaction of its effect.
 */
export const makeSettle = (parts: SettleParts): Settle => {
  const { database, feed, provider, tierOf } = parts;
  return async (customerId, eventId) => {
    const number = await numberAsking(database.db, customerId);
    if (number === undefined) return undefined;
    const subscriptions = await provider.subscriptions(customerId);
    const plan = paidPlanOf(subscriptions ?? [], tierOf);
    const known: Known = { customerId, number, plan, isGone: subscriptions === null, eventId };
    let outcome: "done" | "changed" = "changed";
    while (outcome === "changed") outcome = await database.transaction((db) => write(db, parts, known));
    feed.nudge();
    return customerNamed(database.db, customerId);
  };
};
