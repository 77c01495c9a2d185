import { expect } from "chai";
import { pino } from "pino";
import { createCustomerDeletion } from "../../../../server/features/billing/customerDeletion.ts";
import { createStripeProvider } from "../../../../server/features/billing/stripeProvider.ts";
import { usePaidServer } from "../../support/paidServer.ts";
import { everyStore } from "../../support/stores.ts";
import { createTestClock } from "../../support/testClock.ts";
import { until } from "../../support/until.ts";
import { buy, postAll } from "./support.ts";

for (const store of everyStore)
  describe(`deleting an account that pays, on ${store.name}`, () => {
    const { server, stripe } = usePaidServer(store);

    /** Starts the deletion of Stripe customers with a clock that the test controls. */
    const begin = () => {
      const clock = createTestClock();
      const provider = createStripeProvider(stripe.billing, "http://bauta.test/", clock.now);
      const { database } = server;
      const stop = createCustomerDeletion({
        database,
        provider,
        clock,
        log: pino({ level: "silent" }),
      }).start();
      return { clock, stop };
    };
    const waiting = async (): Promise<number> =>
      (await server.database.db.selectFrom("billing_farewells").select("customer_id").execute()).length;

    it("cancels the subscription and removes the address at Stripe", async () => {
      const email = "leaves@example.org";
      const user = await server.signIn(email);
      await buy(server, stripe, user, "price_pro");
      expect((await user.call("DELETE", "/account", { body: { email } })).status).to.equal(200);
      const { stop } = begin();
      await until("Stripe was told", async () => (await waiting()) === 0);
      stop();
      expect(stripe.subscriptionsOf(email).map(({ status }) => status)).to.deep.equal(["canceled"]);
      expect(await postAll(server, stripe), "what Stripe says of it is nobody's").to.deep.equal([200]);
    });

    it("repeats the request to Stripe until it succeeds, also after restarts: after 10 s, then 20 s, at most an hour apart", async () => {
      const email = "persists@example.org";
      const user = await server.signIn(email);
      await buy(server, stripe, user, "price_pro");
      await user.call("DELETE", "/account", { body: { email } });
      const { db } = server.database;
      const row = () => db.selectFrom("billing_farewells").selectAll().executeTakeFirst();
      stripe.setTrouble(() => "unavailable");
      const first = begin();
      const startedAt = first.clock.now();
      await until("Stripe was asked in vain", async () => (await row())?.tries === 1);
      first.stop();
      expect(((await row())?.next_at ?? 0) - startedAt).to.be.within(10_000, 20_000);
      expect(stripe.subscriptionsOf(email)[0]?.status).to.equal("active");

      stripe.setTrouble(() => null);
      const second = begin();
      second.clock.advance(30_000);
      await until("Stripe was told", async () => (await waiting()) === 0);
      second.stop();
      expect(stripe.subscriptionsOf(email)[0]?.status).to.equal("canceled");
    });

    it("allows a new paid account with the same address afterwards", async () => {
      const email = "comes-back@example.org";
      const first = await server.signIn(email);
      await buy(server, stripe, first, "price_pro");
      await first.call("DELETE", "/account", { body: { email } });
      const { stop } = begin();
      await until("Stripe was told", async () => (await waiting()) === 0);
      stop();
      server.clock.advance(1_000);
      const second = await server.signIn(email);
      await buy(server, stripe, second, "price_basic");
      expect(stripe.subscriptionsOf(email).map(({ status }) => status)).to.have.members([
        "active",
        "canceled",
      ]);
    });
  });
