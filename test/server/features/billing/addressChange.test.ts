import { expect } from "chai";
import { usePaidServer } from "../../support/paidServer.ts";
import { everyStore } from "../../support/stores.ts";
import { accountOf, buy, postAll } from "./support.ts";

for (const store of everyStore)
  describe(`changing the address of an account that pays, on ${store.name}`, () => {
    const { server, stripe } = usePaidServer(store);

    const move = async (from: string, to: string) => {
      const user = await server.signIn(from);
      await user.call("PUT", "/account/profile", { body: { email: to } });
      const code = await server.code(to);
      return { user, confirm: () => user.call("PUT", "/account/profile", { body: { email: to, code } }) };
    };

    it("keeps the plan and does not charge again", async () => {
      const payer = await server.signIn("pays@example.org");
      await buy(server, stripe, payer, "price_pro");
      server.clock.advance(1);
      const { user, confirm } = await move("pays@example.org", "pays.new@example.org");
      expect((await confirm()).json).to.have.nested.property("user.subscription.tier", "pro");
      expect((await accountOf(user)).subscription).to.include({ tier: "pro", isPaid: true });
      const again = await user.call("POST", "/billing/checkout", { body: { priceId: "price_pro" } });
      expect(again.status, "a second plan").to.equal(409);
      expect(await postAll(server, stripe)).not.to.include(500);

      server.clock.advance(1);
      const newcomer = await server.signIn("pays@example.org");
      expect((await accountOf(newcomer)).subscription.tier, "whoever has the old address then").to.equal(
        "free",
      );
    });

    it("cancels a payment that was started but not finished for the new address", async () => {
      const begun = "begun@example.org";
      const visitor = server.client();
      await visitor.call("POST", "/login", { body: { email: begun } });
      const verified = await visitor.call("PUT", "/login", {
        body: { email: begun, otp: await server.code(begun) },
      });
      const { tempToken } = verified.json as { tempToken: string };
      const open = () =>
        visitor.call("POST", "/signup/checkout", { body: { priceId: "price_pro", tempToken } });
      expect((await open()).status).to.equal(200);
      server.clock.advance(1);
      const giving = await move("gives.up@example.org", begun);
      expect((await giving.confirm()).status, "only begun").to.equal(200);
      expect((await accountOf(giving.user)).subscription.tier).to.equal("free");
    });

    it("is refused for an address that has paid for a plan and has no account yet", async () => {
      const paid = "paid.before@example.org";
      const visitor = server.client();
      await visitor.call("POST", "/login", { body: { email: paid } });
      const verified = await visitor.call("PUT", "/login", {
        body: { email: paid, otp: await server.code(paid) },
      });
      const { tempToken } = verified.json as { tempToken: string };
      const opened = await visitor.call("POST", "/signup/checkout", {
        body: { priceId: "price_pro", tempToken },
      });
      stripe.pay((opened.json as { checkoutSessionId: string }).checkoutSessionId);
      await postAll(server, stripe);
      server.clock.advance(1);
      const { user, confirm } = await move("has.one@example.org", paid);
      expect((await confirm()).status).to.equal(409);
      expect((await accountOf(user)).email).to.equal("has.one@example.org");
    });
  });
