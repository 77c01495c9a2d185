import { setImmediate as turn } from "node:timers/promises";
import { expect } from "chai";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import { createUserBilling } from "../../../../server/features/billing/billing.ts";
import {
  ensureCustomer,
  setProviderCustomerId,
} from "../../../../server/features/billing/customerQueries.ts";
import {
  type PaymentProvider,
  PaymentProviderError,
  type Subscription,
} from "../../../../server/features/billing/paymentProvider.ts";
import type { Database } from "../../../../server/platform/store/database.ts";
import { findUser } from "../../../../server/platform/store/users.ts";
import { createSeededRandom } from "../../../fakes/seededRandom.ts";
import { longTestMs } from "../../../support/limits.ts";
import { stripeSettings } from "../../../support/stripeStandIn.ts";
import { addOwner } from "../../support/owners.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { createTestClock } from "../../support/testClock.ts";

const statuses = ["active", "past_due", "unpaid", "canceled", "trialing", "paused", "incomplete"];
const prices = ["price_basic", "price_pro", "price_premium", "price_of_shoes"];
const tierOfPrice: Readonly<Record<string, string>> = {
  price_basic: "basic",
  price_pro: "pro",
  price_premium: "pro_premium",
};

const sendings = 10_000;
const atOnce = 30;
const users = 12;

/** Creates random choices from a seed; `chance` returns a number from 0 up to 1. */
const chances = (seed: number) => {
  const random = createSeededRandom(seed);
  const chance = (): number => random.fraction();
  return { chance, pick: <A>(from: readonly A[]): A => from[Math.floor(chance() * from.length)] as A };
};

for (const store of everyStore)
  describe(`10,000 events of a payment provider, on ${store.name}`, () => {
    let database: Database;
    let ended = false;

    before(async function () {
      await requireStore(store).call(this);
      database = await store.open();
    });
    after(async () => {
      ended = true;
      await database?.close();
    });

    it("lead to the provider's final state when they are shuffled, duplicated, concurrent, slow or lost", async function () {
      this.timeout(longTestMs);
      const { chance, pick } = chances(20_261_121);
      const truth = new Map<string, Subscription>();
      const slow = async (): Promise<void> => {
        for (let turns = Math.floor(chance() * 12); turns > 0; turns--) await turn();
      };
      const unused = (): never => {
        throw new Error("not asked for here");
      };
      const provider: PaymentProvider = {
        createCustomer: unused,
        closeCheckouts: unused,
        openCheckout: unused,
        checkoutSession: unused,
        portal: unused,
        deleteCustomer: unused,
        subscriptions: async (customerId) => {
          await slow();
          const seen = truth.get(customerId);
          await slow();
          if (chance() < 0.05) throw new PaymentProviderError("lost");
          return seen ? [seen] : [];
        },
        readEvent: (body) => JSON.parse(Buffer.from(body).toString()) as { id: string; customerId: string },
      };
      const clock = createTestClock();
      const billing = createUserBilling({
        config: { ...stripeSettings, apiBase: null },
        database,
        clock,
        random: cryptoRandom,
        feed: { wake: () => {} },
        provider,
        defaultTier: "free",
        onFailure: () => {},
      });
      const customers: { readonly customerId: string; readonly userId: string }[] = [];
      for (let n = 0; n < users; n++) {
        const { id: userId, email } = await addOwner(database.db);
        const customerId = `cus_${n}`;
        await ensureCustomer(
          database.db,
          { emailKey: mailboxKey(email), userId },
          { id: customerId, now: 0 },
        );
        await setProviderCustomerId(database.db, customerId, customerId);
        customers.push({ customerId, userId });
      }

      const open: { readonly id: string; readonly customerId: string }[] = [];
      let [sent, changes] = [0, 0];
      const change = (): void => {
        const { customerId } = pick(customers);
        changes += 1;
        truth.set(customerId, {
          id: `sub_${customerId}`,
          status: pick(statuses),
          priceIds: [pick(prices)],
          endsAt: null,
        });
        open.push({ id: `evt_${changes}`, customerId });
      };
      const deliver = async (): Promise<void> => {
        const [event] = open.splice(Math.floor(chance() * open.length), 1);
        if (!event) return;
        sent += 1;
        const isTaken = await billing.handleWebhook(Buffer.from(JSON.stringify(event)), "signature").then(
          () => true,
          () => false,
        );
        // Events that failed are sent again, and some that succeeded as well.
        if (!isTaken || chance() < 0.4) open.push(event);
      };
      const sender = async (): Promise<void> => {
        while (!ended && sent < sendings) {
          if (chance() < 0.5) change();
          await deliver();
          await turn();
        }
        while (!ended && open.length > 0) await deliver();
      };
      await Promise.all(Array.from({ length: atOnce }, sender));

      expect(changes).to.be.above(4_000);
      for (const { customerId, userId } of customers) {
        const { status = "", priceIds } = truth.get(customerId) ?? {};
        const tier = tierOfPrice[priceIds?.[0] ?? ""];
        const isGiven = tier !== undefined && ["active", "past_due", "trialing"].includes(status);
        const user = await findUser(database.db, userId);
        expect([user?.tier, user?.pays], `${customerId} ${status} ${tier}`).to.deep.equal(
          isGiven ? [tier, 1] : ["free", 0],
        );
        if (isGiven) expect(user?.subscription_status).to.equal(status);
      }
    });
  });
