import { expect } from "chai";
import { usePaidServer } from "../../support/paidServer.ts";
import { accountOf, buy, noticesOf, post } from "./support.ts";

const stripesTolerance = 300;

describe("A webhook event from Stripe", () => {
  const { server, stripe } = usePaidServer();

  const send = (body: string, signature: string | undefined) =>
    server.client().call("POST", "/webhooks/stripe", {
      raw: body,
      headers: signature === undefined ? {} : { "stripe-signature": signature },
    });

  it("is accepted only with a signature over its exact bytes", async () => {
    const { body, signature } = stripe.sign(
      "evt_signed",
      '{"id":"evt_signed", "data":{"object":{"object":"x"}}}',
    );
    expect((await send(body, signature)).status).to.equal(200);
    expect((await send(body.replace(", ", ","), signature)).status, "other bytes").to.equal(400);
    expect((await send(body, undefined)).status).to.equal(400);
    expect((await send(body, "t=1,v1=00")).status).to.equal(400);
    expect((await send(body, signature.replace(/v1=.{4}/, "v1=0000"))).status).to.equal(400);
    expect((await send("", signature)).status).to.equal(400);
    const { body: text, signature: good } = stripe.sign("evt_text", "not JSON");
    expect((await send(text, good)).status).to.equal(400);
  });

  it("is refused more than five minutes after it was signed", async () => {
    const { body, signature } = stripe.sign("evt_old", '{"id":"evt_old","data":{"object":{"object":"x"}}}');
    server.clock.advance((stripesTolerance + 5) * 1_000);
    expect((await send(body, signature)).status).to.equal(400);
  });

  it("is acknowledged whatever it is about: unknown customers, other objects, unknown types", async () => {
    for (const object of [
      { object: "customer", id: "cus_other" },
      { object: "invoice", customer: "cus_other" },
      { object: "invoice", customer: { id: "cus_other", object: "customer" } },
      { object: "something.new", customer: null },
      { object: "balance" },
    ]) {
      const { body, signature } = stripe.sign("evt_any", JSON.stringify({ id: "evt_any", data: { object } }));
      expect((await send(body, signature)).status, body).to.equal(200);
    }
  });

  it("takes effect once when it arrives fifty times at the same time", async () => {
    const user = await server.signIn("once@example.org");
    const opened = await user.call("POST", "/billing/checkout", { body: { priceId: "price_pro" } });
    stripe.pay((opened.json as { checkoutSessionId: string }).checkoutSessionId);
    const [created] = stripe.takeWebhooks();
    if (!created) throw new Error("there is no event");
    const statuses = await Promise.all(Array.from({ length: 50 }, () => post(server.origin, created)));
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect(await noticesOf(user)).to.deep.equal(["Your plan is now Pro."]);
    const before = stripe.requests.length;
    expect(await post(server.origin, created)).to.equal(200);
    expect(stripe.requests.length, "Stripe is not asked about what is known").to.equal(before);
  });

  it("leads to the same state in any order, duplicated or not, with lost answers", async () => {
    const user = await server.signIn("shuffled@example.org");
    const subscription = await buy(server, stripe, user, "price_pro");
    for (const status of ["past_due", "unpaid", "active", "past_due", "active"])
      stripe.update(subscription, { status });
    stripe.update(subscription, { price: "price_premium" });
    const events = stripe.takeWebhooks();
    let calls = 0;
    stripe.setTrouble(() => {
      calls += 1;
      return calls % 3 === 0 ? "lost answer" : null;
    });
    for (const event of [...events, ...events].toSorted((one, other) =>
      one.signature.localeCompare(other.signature),
    ))
      expect(await post(server.origin, event)).to.equal(200);
    stripe.setTrouble(() => null);
    expect((await accountOf(user)).subscription).to.deep.equal({
      tier: "pro_premium",
      status: "active",
      isPaid: true,
    });
  });
});
