import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import type { Tier } from "../../../core/tiers/tier.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { EventFeed } from "../../platform/store/eventFeed.ts";
import { newId } from "../../platform/store/id.ts";
import { findUser, lockUser } from "../../platform/store/users.ts";
import { changePlan, leastTier, toUserPlan } from "./changePlan.ts";
import {
  type BillingCustomerRow,
  findCustomerByProviderId,
  nextRequestNumber,
  type PaidPlan,
  recordBillingEvent,
  resetCustomer,
  savePaidPlan,
} from "./customerQueries.ts";
import { paidPlanOf, type TierOfPrice } from "./paidPlan.ts";
import type { PaymentProvider } from "./paymentProvider.ts";

export interface SyncPaidPlanDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly feed: Pick<EventFeed, "wake">;
  readonly provider: PaymentProvider;
  readonly tierOf: TierOfPrice;
  /** The tier of users without a paid plan. */
  readonly defaultTier: Tier;
}

/** Reads what a customer pays from the provider and returns the stored customer; undefined when unknown. */
export type SyncPaidPlan = (customerId: string, eventId?: string) => Promise<BillingCustomerRow | undefined>;

/** The subscriptions of a customer at the provider, and the sequence number of the request. */
interface ProviderAnswer {
  readonly customerId: string;
  readonly requestNumber: number;
  readonly plan: PaidPlan;
  /** True if the customer is deleted at the provider. */
  readonly isGone: boolean;
  /** The webhook event that caused the request. */
  readonly eventId: string | undefined;
}

/** Stores an answer with its effects in one transaction; returns "changed" when it must be repeated. */
const storeAnswer = async (
  db: Db,
  { clock, random, defaultTier }: SyncPaidPlanDeps,
  { customerId, requestNumber, plan, isGone, eventId }: ProviderAnswer,
): Promise<"done" | "changed"> => {
  const customer = await findCustomerByProviderId(db, customerId);
  if (!customer) return "done";
  const userId = customer.user_id;
  if (userId !== null) await lockUser(db, userId);
  const now = clock.now();
  const result = await savePaidPlan(db, customer, requestNumber, plan);
  if (result === "changed") return "changed";
  if (eventId !== undefined) await recordBillingEvent(db, eventId, now);
  if (result === "older") return "done";
  const user = userId === null ? undefined : await findUser(db, userId);
  if (user)
    await changePlan(db, user.id, toUserPlan(plan, leastTier(user, defaultTier)), { sellsPlans: true, now });
  if (isGone) await resetCustomer(db, customer.id, newId(random));
  return "done";
};

/**
 * Creates the function that stores what a customer pays. Only the current state at the provider counts, so the
 * order and number of events do not matter. Requests are numbered before they start, so an older answer never
 * overwrites a newer one. The event is recorded in the transaction of its effect; the provider resends it until
 * it is accepted.
 */
export const createSyncPaidPlan = (deps: SyncPaidPlanDeps): SyncPaidPlan => {
  const { database, feed, provider, tierOf } = deps;
  return async (customerId, eventId) => {
    const requestNumber = await nextRequestNumber(database.db, customerId);
    if (requestNumber === undefined) return undefined;
    const subscriptions = await provider.subscriptions(customerId);
    const plan = paidPlanOf(subscriptions ?? [], tierOf);
    const answer: ProviderAnswer = {
      customerId,
      requestNumber,
      plan,
      isGone: subscriptions === null,
      eventId,
    };
    let outcome: "done" | "changed" = "changed";
    while (outcome === "changed") outcome = await database.transaction((db) => storeAnswer(db, deps, answer));
    feed.wake();
    return findCustomerByProviderId(database.db, customerId);
  };
};
