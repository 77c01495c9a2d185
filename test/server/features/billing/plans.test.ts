import { expect } from "chai";
import { dayMs } from "../../../../core/kernel/durations.ts";
import { limitsOf } from "../../../../core/tiers/tier.ts";
import { findMailRoute } from "../../../../server/features/masks/findMailRoute.ts";
import type { Client } from "../../support/client.ts";
import { usePaidServer } from "../../support/paidServer.ts";
import { openSocket } from "../../support/socketClient.ts";
import { everyStore } from "../../support/stores.ts";
import { accountOf, buy, noticesOf, post, postAll } from "./support.ts";

interface MaskAnswer {
  readonly id: string;
  readonly maskEmail: string;
  readonly active: boolean;
}

for (const store of everyStore)
  describe(`A paid plan, on ${store.name}`, () => {
    const { server, stripe } = usePaidServer(store);

    const createMasks = async (user: Client, count: number): Promise<MaskAnswer[]> => {
      const created: MaskAnswer[] = [];
      for (let n = 0; n < count; n++) {
        const answer = await user.call("POST", "/masks", { body: { description: `Mask ${n}` } });
        expect(answer.status).to.equal(201);
        server.clock.advance(1_000);
        created.push(answer.json as MaskAnswer);
      }
      return created;
    };
    const activeOf = async (user: Client): Promise<ReadonlyMap<string, boolean>> => {
      const { masks } = (await user.call("GET", "/masks")).json as { masks: MaskAnswer[] };
      return new Map(masks.map(({ id, active }) => [id, active]));
    };

    it("is active after the payment without another request: limits, relay, notification, open pages", async () => {
      const user = await server.signIn("upgrades@example.org");
      const [mask] = await createMasks(user, 2);
      const full = await user.call("POST", "/masks", { body: { description: "One too many" } });
      expect(full.status).to.equal(403);
      const page = await openSocket(server.origin, user);
      page.send("subscribe", { resource: "account" });

      await buy(server, stripe, user, "price_pro");
      await page.waitFor(({ type, data }) => type === "data_update" && data?.["resource"] === "account");

      const account = await accountOf(user);
      expect(account.subscription).to.deep.equal({ tier: "pro", status: "active", isPaid: true });
      expect(account.limits?.maxMasks).to.equal(25);
      expect(account.limits?.emailsPerMonth).to.equal(2_000);
      const route = await findMailRoute(server.database.engine, mask?.maskEmail ?? "");
      expect(route?.emailsPerMonth).to.equal(2_000);
      await createMasks(user, 1);
      expect(await noticesOf(user)).to.deep.equal(["Your plan is now Pro."]);
      page.socket.close();
    });

    it("is found by a request to Stripe before any event arrives", async () => {
      const user = await server.signIn("asks@example.org");
      const opened = await user.call("POST", "/billing/checkout", { body: { priceId: "price_basic" } });
      stripe.pay((opened.json as { checkoutSessionId: string }).checkoutSessionId);
      const settled = await user.call("POST", "/billing/settle");
      expect(settled.json).to.deep.equal({ tier: "basic", status: "active" });
      expect((await accountOf(user)).subscription.tier).to.equal("basic");
      expect(await postAll(server, stripe)).to.deep.equal([200, 200]);
      expect(await noticesOf(user), "said once").to.deep.equal(["Your plan is now Basic."]);
    });

    it("keeps the oldest masks on after a downgrade, deletes nothing, and switches the others on after an upgrade (D34)", async () => {
      const user = await server.signIn("downgrades@example.org");
      const subscription = await buy(server, stripe, user, "price_pro");
      const masks = await createMasks(user, 12);
      const off = masks[1]?.id ?? "";
      await user.call("PUT", `/masks/${off}`, { body: { active: false } });

      stripe.update(subscription, { price: "price_basic" });
      await postAll(server, stripe);
      expect((await accountOf(user)).subscription.tier).to.equal("basic");
      let active = await activeOf(user);
      expect(active.size, "nothing is deleted").to.equal(12);
      const on = masks.filter(({ id }) => active.get(id)).map(({ id }) => id);
      expect(on, "the oldest that were on").to.deep.equal(
        masks.flatMap(({ id }, n) => (n === 1 || n === 11 ? [] : [id])),
      );
      expect((await noticesOf(user))[0]).to.equal(
        "Your plan is now Basic. Your oldest 10 masks stay on, 1 mask was switched off. Nothing was deleted.",
      );

      const youngest = masks[11]?.id ?? "";
      const refused = await user.call("PUT", `/masks/${youngest}`, { body: { active: true } });
      expect([refused.status, (refused.json as { message: string }).message]).to.deep.equal([
        403,
        "The Basic plan has 10 active masks. Switch another one off first, or upgrade your plan.",
      ]);
      await user.call("PUT", `/masks/${masks[0]?.id}`, { body: { active: false } });
      expect((await user.call("PUT", `/masks/${youngest}`, { body: { active: true } })).status).to.equal(200);

      stripe.update(subscription, { status: "canceled" });
      await postAll(server, stripe);
      active = await activeOf(user);
      expect([...active.values()].filter(Boolean)).to.have.length(2);
      expect(active.size).to.equal(12);

      await buy(server, stripe, user, "price_premium");
      active = await activeOf(user);
      expect(
        masks.filter(({ id }) => !active.get(id)).map(({ id }) => id),
        "what the user switched off stays off",
      ).to.deep.equal([masks[0]?.id, off]);
    });

    it("keeps archived mail for the period that applied when the mail arrived", async () => {
      const { db } = server.database;
      const user = await server.signIn("archives@example.org");
      const subscription = await buy(server, stripe, user, "price_basic");
      const [mask] = await createMasks(user, 1);
      const { id: userId } = await db
        .selectFrom("users")
        .select("id")
        .where("email", "=", "archives@example.org")
        .executeTakeFirstOrThrow();
      const created_at = server.clock.now() - 20 * dayMs;
      const mail = { user_id: userId, mask_id: mask?.id ?? "", content: Buffer.from("x"), size: 1, read: 0 };
      await db
        .insertInto("archived_mails")
        .values({ id: "kept", ...mail, created_at })
        .execute();
      stripe.update(subscription, { status: "canceled" });
      await postAll(server, stripe);

      const { pruneArchive } = await import("../../../../server/features/archive/archiveQueries.ts");
      const left = async (): Promise<number> =>
        (await db.selectFrom("archived_mails").select("id").where("user_id", "=", userId).execute()).length;
      await pruneArchive(db, server.clock.now());
      expect(await left(), "20 days old, promised for 30").to.equal(1);
      await pruneArchive(db, server.clock.now() + 11 * dayMs);
      expect(await left()).to.equal(0);
    });

    it("stays active while Stripe retries a failed payment, and ends when Stripe gives up", async () => {
      const user = await server.signIn("fails@example.org");
      const subscription = await buy(server, stripe, user, "price_pro");
      stripe.update(subscription, { status: "past_due" });
      await postAll(server, stripe);
      const late = await accountOf(user);
      expect(late.subscription).to.deep.equal({ tier: "pro", status: "past_due", isPaid: true });
      expect((await noticesOf(user))[0]).to.equal(
        "The payment for your Pro plan has failed. To keep the plan, check your card under Manage Plan.",
      );
      stripe.update(subscription, { status: "unpaid" });
      await postAll(server, stripe);
      expect((await accountOf(user)).subscription).to.deep.equal({ tier: "free", status: "unpaid" });
      expect((await accountOf(user)).limits?.maxMasks).to.equal(limitsOf.free.masks);
      const second = await user.call("POST", "/billing/checkout", { body: { priceId: "price_pro" } });
      expect([second.status, (second.json as { message: string }).message]).to.deep.equal([
        409,
        "A payment for your plan is still open. Settle it under Manage Plan.",
      ]);
      stripe.update(subscription, { status: "active" });
      await postAll(server, stripe);
      expect((await accountOf(user)).subscription.tier).to.equal("pro");
    });

    it("shows its end after a cancellation, stays active until then, and becomes Free", async () => {
      const user = await server.signIn("cancels@example.org");
      const subscription = await buy(server, stripe, user, "price_premium");
      stripe.update(subscription, {
        cancel_at_period_end: true,
        current_period_end: Date.UTC(2031, 0, 5) / 1_000,
      });
      await postAll(server, stripe);
      expect((await accountOf(user)).subscription).to.deep.equal({
        tier: "pro_premium",
        status: "active",
        isPaid: true,
        endsAt: "2031-01-05T00:00:00.000Z",
      });
      expect((await noticesOf(user))[0]).to.equal("Your Pro Premium plan ends on January 5, 2031.");
      stripe.update(subscription, { status: "canceled" });
      await postAll(server, stripe);
      expect((await accountOf(user)).subscription).to.deep.equal({ tier: "free", status: "active" });
      expect((await noticesOf(user))[0]).to.equal("Your plan is now Free. Nothing was deleted.");
    });

    it("is accepted at a price that is no longer sold, but not at a price of another product", async () => {
      const user = await server.signIn("loyal@example.org");
      const subscription = await buy(server, stripe, user, "price_basic");
      stripe.update(subscription, { price: "price_proEarlier" });
      await postAll(server, stripe);
      expect((await accountOf(user)).subscription.tier).to.equal("pro");
      stripe.update(subscription, { price: "price_of_shoes" });
      await postAll(server, stripe);
      expect((await accountOf(user)).subscription.tier).to.equal("free");
    });

    it("is not sold twice: a paying user changes the plan on Stripe's page, and an older payment form expires", async () => {
      const user = await server.signIn("twice@example.org");
      const open = () => user.call("POST", "/billing/checkout", { body: { priceId: "price_pro" } });
      const [first, second] = [await open(), await open()].map(
        ({ json }) => json as { checkoutSessionId: string },
      );
      expect(stripe.sessions.get(first?.checkoutSessionId ?? "")?.status).to.equal("expired");
      stripe.pay(second?.checkoutSessionId ?? "");
      const third = await open();
      expect(third.status, "known without an event").to.equal(409);
      expect((third.json as { message: string }).message).to.include("You have the Pro plan already");

      const [paid] = stripe.subscriptionsOf("twice@example.org");
      const upgrade = await user.call("POST", "/billing/portal", { body: { purpose: "upgrade" } });
      expect((upgrade.json as { url: string }).url).to.match(new RegExp(`/change/${paid?.id}$`));
      const manage = await user.call("POST", "/billing/portal", { body: { purpose: "manage" } });
      expect((manage.json as { url: string }).url).to.match(/^https:\/\/billing\.stripe\.example\/cus_\d+$/);
      stripe.setPortalChanges(false);
      const plain = await user.call("POST", "/billing/portal", { body: { purpose: "upgrade" } });
      expect((plain.json as { url: string }).url, "where the portal does not change plans").to.equal(
        (manage.json as { url: string }).url,
      );
      stripe.setPortalChanges(true);
      stripe.takeWebhooks();
    });

    it("creates one Stripe customer for concurrent requests, also when answers are lost", async () => {
      const user = await server.signIn("customer@example.org");
      let lost = 0;
      stripe.setTrouble((call) => {
        if (call !== "POST /v1/customers" || lost === 2) return null;
        lost += 1;
        return "lost answer";
      });
      const portals = await Promise.all(
        [1, 2, 3].map(() => user.call("POST", "/billing/portal", { body: { purpose: "manage" } })),
      );
      stripe.setTrouble(() => null);
      expect(portals.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
      const known = [...stripe.customers.values()].filter(({ email }) => email === "customer@example.org");
      expect(known).to.have.length(1);
    });

    it("is sold only at configured prices, billed monthly", async () => {
      const user = await server.signIn("shopper@example.org");
      const order = (body: unknown) => user.call("POST", "/billing/checkout", { body });
      for (const priceId of ["price_of_shoes", "price_proEarlier", ""]) {
        const refused = await order({ priceId });
        expect(refused.status).to.equal(400);
        expect(refused.json).to.have.nested.property("errors[0].field", "priceId");
      }
      expect((await order({ priceId: "price_pro", mode: "payment" })).status).to.equal(400);
      expect((await order({ priceId: "price_pro", mode: "gift" })).status).to.equal(400);
      const stranger = server.client();
      expect((await stranger.call("POST", "/billing/checkout", { body: {} })).status).to.equal(401);
    });

    it("is refused with an error while Stripe does not answer, and the next event finds what was paid meanwhile", async () => {
      const user = await server.signIn("outage@example.org");
      const opened = await user.call("POST", "/billing/checkout", { body: { priceId: "price_pro" } });
      stripe.pay((opened.json as { checkoutSessionId: string }).checkoutSessionId);
      stripe.setTrouble(() => "unavailable");
      const settled = await user.call("POST", "/billing/settle");
      expect([settled.status, (settled.json as { message: string }).message]).to.deep.equal([
        502,
        "The payment provider does not answer. Try again in a moment",
      ]);
      const events = stripe.takeWebhooks();
      const refused = await Promise.all(events.map((event) => post(server.origin, event)));
      expect(refused, "so Stripe sends them again").to.deep.equal([502, 502]);
      stripe.setTrouble(() => null);
      await Promise.all(events.map((event) => post(server.origin, event)));
      expect((await accountOf(user)).subscription.tier).to.equal("pro");
    });

    it("never puts a key, a customer or an address in the log", () => {
      const log = server.logged.join("");
      for (const secret of ["sk_test", "whsec_", "cus_", "cs_", "@example.org"])
        expect(log).not.to.include(secret);
      expect(log).to.include("the payment provider failed");
      expect([...stripe.authorizations]).to.deep.equal(["Bearer sk_test_standin"]);
    });
  });
