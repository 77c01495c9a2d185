import { expect } from "chai";
import { applyDefaultTier, assignTier } from "../../../../server/features/billing/changePlan.ts";
import { stripeSettings } from "../../../support/stripeStandIn.ts";
import { bystander } from "../../support/bystander.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { accountOf } from "./support.ts";

describe("A server without paid plans", () => {
  let server: TestServer;
  afterEach(() => server.stop());

  it("gives all users, new and existing, the tier that the operator has set, and notifies them once (DEFAULT_TIER)", async () => {
    server = await startServer({ defaultTier: "pro" });
    const user = await server.signIn("given@example.org");
    expect((await accountOf(user)).subscription).to.deep.equal({ tier: "pro", status: "active" });
    expect((await user.call("GET", "/config.json")).json).to.include({ defaultTier: "pro" });
    const { database, clock } = server;
    for (let starts = 0; starts < 2; starts++)
      await applyDefaultTier(database, "business", { sellsPlans: false, now: clock.now() });
    expect((await accountOf(user)).subscription).to.deep.equal({ tier: "business", status: "active" });
    const { notifications } = (await user.call("GET", "/notifications?limit=50")).json as {
      notifications: { message: string }[];
    };
    expect(notifications.map(({ message }) => message)).to.deep.equal([
      "The limits of your account have changed: any number of masks, 5,000 emails a month.",
    ]);
  });

  it("tells of smaller limits, and that masks were switched off, without the name of a plan", async () => {
    server = await startServer({ defaultTier: "self_hosted" });
    const user = await server.signIn("less@example.org");
    for (let n = 0; n < 3; n++) {
      await user.call("POST", "/masks", { body: { description: `Mask ${n}` } });
      server.clock.advance(1_000);
    }
    const { database, clock } = server;
    await applyDefaultTier(database, "free", { sellsPlans: false, now: clock.now() });
    const { notifications } = (await user.call("GET", "/notifications?limit=50")).json as {
      notifications: { message: string }[];
    };
    expect(notifications.map(({ message }) => message)).to.deep.equal([
      "The limits of your account have changed: 2 masks, 100 emails a month. Your oldest 2 masks stay on, 1 mask was switched off. Nothing was deleted.",
    ]);
    const { masks } = (await user.call("GET", "/masks")).json as { masks: { id: string; active: boolean }[] };
    const paused = masks.find(({ active }) => !active)?.id;
    const refused = await user.call("PUT", `/masks/${paused}`, { body: { active: true } });
    expect([refused.status, (refused.json as { message: string }).message]).to.deep.equal([
      403,
      "This server allows 2 active masks an account. Switch another one off first.",
    ]);
    for (const [path, body] of [
      ["/ai/content-access", { contentAccessEnabled: true, acknowledgment: true }],
      ["/ai/preferences", { preferences: { features: { categorization: true } } }],
    ] as const) {
      const answer = await user.call("PUT", path, { body });
      expect([answer.status, (answer.json as { message: string }).message]).to.deep.equal([
        403,
        "Your account cannot use content access on this server. Ask the operator.",
      ]);
    }
  });

  it("keeps a tier that the operator gave to one user until the operator revokes it", async () => {
    server = await startServer({ defaultTier: "self_hosted" });
    const { database, clock } = server;
    const limited = await server.signIn("limited@example.org");
    const assign = (tier: "free" | null) =>
      database.transaction(async (db) => {
        const { id } = await db
          .selectFrom("users")
          .where("id", "!=", bystander.id)
          .select("id")
          .executeTakeFirstOrThrow();
        await assignTier(db, id, { tier, defaultTier: "self_hosted", sellsPlans: false, now: clock.now() });
      });
    const tierAfterStart = async () => {
      await applyDefaultTier(database, "self_hosted", { sellsPlans: false, now: clock.now() });
      const { subscription, limits } = await accountOf(limited);
      return [subscription.tier, limits?.maxMasks, limits?.emailsPerMonth];
    };
    expect(await tierAfterStart()).to.deep.equal(["self_hosted", null, null]);
    await assign("free");
    expect(await tierAfterStart()).to.deep.equal(["free", 2, 100]);
    await assign(null);
    expect(await tierAfterStart()).to.deep.equal(["self_hosted", null, null]);
  });

  it("applies the limits of the plans again once it sells plans", async () => {
    server = await startServer({ defaultTier: "self_hosted" });
    const user = await server.signIn("before@example.org");
    await applyDefaultTier(server.database, null, { sellsPlans: true, now: server.clock.now() });
    expect((await accountOf(user)).subscription.tier).to.equal("free");
  });

  it("refuses paid plans because payment is not set up (D38)", async () => {
    server = await startServer();
    const user = await server.signIn("asks@example.org");
    const { json } = await user.call("GET", "/config.json");
    expect(json).to.have.nested.property("flags.payments", false);
    expect(json).not.to.have.any.keys("payments", "defaultTier");
    for (const [path, body] of [
      ["/billing/checkout", { priceId: "price_pro" }],
      ["/billing/portal", { purpose: "manage" }],
      ["/billing/settle", undefined],
    ] as const) {
      const refused = await user.call("POST", path, { body });
      expect([refused.status, (refused.json as { message: string }).message]).to.deep.equal([
        402,
        "Payment is not set up on this server. Ask the operator.",
      ]);
    }
    expect((await user.call("POST", "/webhooks/stripe", { body: {} })).status).to.equal(404);
  });

  it("sends the pages of plans the public settings and no secret", async () => {
    server = await startServer({ billing: { ...stripeSettings, apiBase: "http://127.0.0.1:1" } });
    const { json, text } = await server.client().call("GET", "/config.json");
    expect(json).to.deep.include({
      payments: {
        publishableKey: "pk_test_standin",
        prices: { basic: "price_basic", pro: "price_pro", pro_premium: "price_premium" },
      },
    });
    for (const secret of ["sk_", "whsec_", "127.0.0.1"]) expect(text).not.to.include(secret);
  });
});
