import { expect } from "chai";
import type { Client } from "../../support/client.ts";
import { usePaidServer } from "../../support/paidServer.ts";
import { accountOf, type OpenedCheckout, postAll } from "./support.ts";

describe("A plan that is paid before the account exists (D36)", () => {
  const { server, stripe } = usePaidServer();

  /** Enters the mailed code of a new address; returns the browser and its sign-up ticket. */
  const prove = async (email: string): Promise<{ readonly browser: Client; readonly tempToken: string }> => {
    const browser = server.client();
    await browser.call("POST", "/login", { body: { email } });
    const { json } = await browser.call("PUT", "/login", { body: { email, otp: await server.code(email) } });
    return { browser, tempToken: (json as { tempToken: string }).tempToken };
  };
  const form = async (browser: Client, tempToken: string, priceId = "price_pro") =>
    browser.call("POST", "/signup/checkout", { body: { tempToken, priceId, mode: "subscription" } });
  const signUp = async (browser: Client, body: unknown) => {
    const answer = await browser.call("POST", "/signup", { body });
    if (answer.status === 200) browser.token = (answer.json as { token: string }).token;
    return answer;
  };
  const sessionOf = ({ json }: { readonly json: unknown }): string =>
    (json as OpenedCheckout).checkoutSessionId;

  it("is active as soon as the account exists, without a webhook event", async () => {
    const { browser, tempToken } = await prove("new@example.org");
    const checkoutSessionId = sessionOf(await form(browser, tempToken));
    stripe.pay(checkoutSessionId);
    const answer = await signUp(browser, { tempToken, tier: "pro", checkoutSessionId });
    expect(answer.json).to.have.nested.property("user.subscription.tier", "pro");
    expect((await accountOf(browser)).subscription).to.deep.equal({
      tier: "pro",
      status: "active",
      isPaid: true,
    });
    expect(await postAll(server, stripe)).to.deep.equal([200, 200]);
    stripe.update(stripe.subscriptionsOf("new@example.org")[0]?.id ?? "", { status: "canceled" });
    await postAll(server, stripe);
    expect((await accountOf(browser)).subscription.tier, "later events find the account").to.equal("free");
  });

  it("is refused with 402 while it is not paid, and the sign-up ticket stays valid for another attempt", async () => {
    const { browser, tempToken } = await prove("hurries@example.org");
    expect((await signUp(browser, { tempToken, tier: "pro" })).status).to.equal(402);
    const checkoutSessionId = sessionOf(await form(browser, tempToken));
    expect((await signUp(browser, { tempToken, tier: "pro", checkoutSessionId })).status).to.equal(402);
    expect((await signUp(browser, { tempToken, tier: "pro", checkoutSessionId: "cs_0" })).status).to.equal(
      402,
    );
    stripe.pay(checkoutSessionId);
    expect((await signUp(browser, { tempToken, tier: "pro", checkoutSessionId })).status).to.equal(200);
  });

  it("is refused with the payment of another user", async () => {
    const payer = await prove("payer@example.org");
    const checkoutSessionId = sessionOf(await form(payer.browser, payer.tempToken));
    stripe.pay(checkoutSessionId);
    const thief = await prove("thief@example.org");
    await form(thief.browser, thief.tempToken);
    const body = { tempToken: thief.tempToken, tier: "pro", checkoutSessionId };
    expect((await signUp(thief.browser, body)).status).to.equal(402);
  });

  it("is not paid twice when the user returns with a new sign-in code", async () => {
    const first = await prove("returns@example.org");
    stripe.pay(sessionOf(await form(first.browser, first.tempToken, "price_premium")));
    server.clock.advance(31 * 60_000);
    const expired = await form(first.browser, first.tempToken);
    expect(expired.status).to.equal(401);
    const again = await prove("returns@example.org");
    expect((await form(again.browser, again.tempToken, "price_premium")).json).to.deep.equal({ paid: true });
    const answer = await signUp(again.browser, { tempToken: again.tempToken, tier: "pro_premium" });
    expect(answer.json).to.have.nested.property("user.subscription.tier", "pro_premium");
    expect(stripe.subscriptionsOf("returns@example.org")).to.have.length(1);
  });

  it("is active also when the user paid and then chose Free", async () => {
    const { browser, tempToken } = await prove("forgets@example.org");
    stripe.pay(sessionOf(await form(browser, tempToken, "price_basic")));
    await postAll(server, stripe);
    const answer = await signUp(browser, { tempToken, tier: "free" });
    expect(answer.json).to.have.nested.property("user.subscription.tier", "basic");
  });

  it("is the one that was paid, whichever tier the request names", async () => {
    const { browser, tempToken } = await prove("asks-more@example.org");
    const checkoutSessionId = sessionOf(await form(browser, tempToken, "price_basic"));
    stripe.pay(checkoutSessionId);
    const answer = await signUp(browser, { tempToken, tier: "pro_premium", checkoutSessionId });
    expect(answer.json).to.have.nested.property("user.subscription.tier", "basic");
  });

  it("is refused with 401 for an unknown sign-up ticket", async () => {
    expect((await form(server.client(), "nobodys")).status).to.equal(401);
  });
});
