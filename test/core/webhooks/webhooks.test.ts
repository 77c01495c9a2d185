import { expect } from "chai";
import { isLeft, isRight } from "fp-ts/lib/Either.js";
import type { NewWebhook } from "../../../core/webhooks/webhookEndpoints.ts";
import { createWebhooks, type Webhooks } from "../../../core/webhooks/webhooks.ts";
import { type AppOnFakes, startApp } from "../../fakes/appOnFakes.ts";
import { createDelivery, createWebhook, madeSecret } from "../../fakes/productWebhooks.ts";
import { settled } from "../../fakes/virtualClock.ts";

const wanted: NewWebhook = {
  url: "https://new.example/hook",
  events: ["mail.blocked"],
  labels: ["shops"],
  includesContent: false,
};

describe("The user's webhooks", () => {
  let fakes: AppOnFakes;
  let webhooks: Webhooks;

  beforeEach(async () => {
    fakes = await startApp();
    fakes.product.webhooks.set([createWebhook("first")]);
    webhooks = fakes.signedIn().feature(createWebhooks);
    await settled();
  });
  afterEach(() => fakes.stop());

  const urls = (): readonly string[] | undefined => webhooks.view$.value?.webhooks.map(({ url }) => url);
  const states = (): readonly string[] | undefined =>
    webhooks.view$.value?.webhooks.map(({ state }) => state);
  const toasts = (): readonly string[] => fakes.app.toasts.list$.value.map(({ text }) => text);
  const looks = (): number => fakes.server.requestsTo("GET /account/webhooks/first/deliveries").length;
  const pass = async (ms: number): Promise<void> => {
    await fakes.clock.advance(ms);
    await settled();
  };

  it("are unknown until requested", async () => {
    expect(webhooks.view$.value).to.equal(null);
    await webhooks.refresh()();
    expect(urls()).to.deep.equal(["https://first.example/hook"]);
  });

  it("are loaded again when the connection is back after a failure", async () => {
    fakes.online$.set(false);
    fakes.server.on("GET", "/account/webhooks", { status: 503 });
    await webhooks.refresh()();
    fakes.server.on("GET", "/account/webhooks", { json: { webhooks: [createWebhook("a")], hasKey: true } });
    fakes.online$.set(true);
    await settled();
    expect(webhooks.view$.value).to.deep.include({ hasKey: true });
  });

  it("are made, with a secret that is readable in the answer alone", async () => {
    await webhooks.refresh()();
    const made = await webhooks.create(wanted)();
    expect(isRight(made) && made.right.secret).to.equal(madeSecret);
    expect(urls()).to.deep.equal(["https://new.example/hook", "https://first.example/hook"]);
    expect(JSON.stringify(webhooks.view$.value)).not.to.include(madeSecret);
  });

  it("are changed, switched off and on, and deleted, also one that is deleted already", async () => {
    await webhooks.refresh()();
    await webhooks.edit("first", { events: ["mask.made"] })();
    expect(webhooks.view$.value?.webhooks[0]?.events).to.deep.equal(["mask.made"]);
    await webhooks.setActive("first", false)();
    expect(states()).to.deep.equal(["off"]);
    await webhooks.setActive("first", true)();
    expect(states()).to.deep.equal(["on"]);
    fakes.product.webhooks.set([]);
    expect(isRight(await webhooks.remove("first")())).to.equal(true);
    expect(urls()).to.deep.equal([]);
    expect(toasts()).to.deep.equal(["Webhook switched off", "Webhook switched on", "Webhook deleted"]);
  });

  it("get a new secret, which the earlier one outlives for a while", async () => {
    await webhooks.refresh()();
    const renewed = await webhooks.renewSecret("first")();
    expect(isRight(renewed) && renewed.right.secret).to.equal(madeSecret);
    expect(webhooks.view$.value?.webhooks[0]?.earlierSecretUntil).to.be.a("string");
  });

  it("answer a test with what came of it, and list it meanwhile", async () => {
    await webhooks.refresh()();
    const testing = webhooks.test("first")();
    await settled();
    expect(webhooks.deliveries$.value?.deliveries[0]).to.include({ state: "waiting" });
    const done = createDelivery("test 0", { event: "webhook.test", status: 200 });
    fakes.product.webhooks.setDeliveries([done]);
    fakes.product.webhooks.set([createWebhook("first", { lastDelivery: done })]);
    await pass(1_000);
    const result = await testing;
    expect(isRight(result) && result.right).to.deep.equal(done);
    expect(webhooks.deliveries$.value?.deliveries).to.deep.equal([done]);
    await settled();
    expect(webhooks.view$.value?.webhooks[0]?.lastDelivery).to.deep.equal(done);
  });

  it("answer a test without outcome after 15 seconds, whatever the server answers meanwhile", async () => {
    fakes.server.on("GET", "/account/webhooks/:id/deliveries", { status: 503 });
    const testing = webhooks.test("first")();
    await settled();
    for (let n = 0; n < 20; n += 1) await pass(1_000);
    const result = await testing;
    expect(isRight(result) && result.right.state).to.equal("waiting");
    expect(looks()).to.equal(16);
  });

  it("know what became of a message that is sent again when its next attempt is planned anew", async () => {
    const before = createDelivery("7", { state: "failed", status: 500, problem: "Answered 500." });
    fakes.product.webhooks.setDeliveries([before]);
    const sending = webhooks.sendAgain("first", "7")();
    await settled();
    const later = {
      ...before,
      state: "waiting",
      attempts: 2,
      nextAttempt: "2027-01-01T00:00:00.000Z",
    } as const;
    fakes.product.webhooks.setDeliveries([later]);
    await pass(1_000);
    const result = await sending;
    expect(isRight(result) && result.right).to.deep.equal(later);
  });

  it("keep the deliveries of one up to date while they are watched and the page is seen", async () => {
    await webhooks.loadDeliveries("first")();
    const stop = webhooks.watch("first");
    fakes.product.webhooks.setDeliveries([createDelivery("1")]);
    await pass(5_000);
    expect(webhooks.deliveries$.value?.deliveries.map(({ id }) => id)).to.deep.equal(["1"]);
    stop();
    const before = looks();
    await pass(30_000);
    expect(looks()).to.equal(before);
  });

  it("show the deliveries of the watched one while a test of another waits for its outcome", async () => {
    fakes.product.webhooks.set([createWebhook("first"), createWebhook("second")]);
    const testing = webhooks.test("first")();
    const stop = webhooks.watch("second");
    await webhooks.loadDeliveries("second")();
    await pass(1_000);
    expect(webhooks.deliveries$.value?.webhookId).to.equal("second");
    fakes.product.webhooks.setDeliveries([createDelivery("test 0", { event: "webhook.test" })]);
    await pass(1_000);
    expect(isRight(await testing)).to.equal(true);
    expect(webhooks.deliveries$.value?.webhookId).to.equal("second");
    stop();
  });

  it("stay as they are when the server refuses, which is said", async () => {
    await webhooks.refresh()();
    const refused = { status: 400 };
    for (const [method, path] of [
      ["GET", "/account/webhooks"],
      ["POST", "/account/webhooks"],
      ["PATCH", "/account/webhooks/:id"],
      ["DELETE", "/account/webhooks/:id"],
      ["POST", "/account/webhooks/:id/secret"],
      ["POST", "/account/webhooks/:id/test"],
      ["GET", "/account/webhooks/:id/deliveries"],
      ["POST", "/account/webhooks/:id/deliveries/:delivery"],
    ] as const)
      fakes.server.on(method, path, refused);
    const results = [
      await webhooks.refresh()(),
      await webhooks.create(wanted)(),
      await webhooks.edit("first", {})(),
      await webhooks.setActive("first", false)(),
      await webhooks.remove("first")(),
      await webhooks.renewSecret("first")(),
      await webhooks.test("first")(),
      await webhooks.loadDeliveries("first")(),
      await webhooks.sendAgain("first", "1")(),
    ];
    expect(results.map((result) => isLeft(result) && result.left.message)).to.deep.equal([
      "Failed to load your webhooks",
      "Failed to add the webhook",
      "Failed to save the webhook",
      "Failed to save the webhook",
      "Failed to delete the webhook",
      "Failed to create a new secret",
      "Failed to send a test",
      "Failed to load the deliveries",
      "Failed to send it again",
    ]);
    expect(urls()).to.deep.equal(["https://first.example/hook"]);
  });

  it("are dropped at logout, including an answer that arrives later", async () => {
    const pending = webhooks.refresh()();
    await fakes.app.session.logOut()();
    await pending;
    expect(webhooks.view$.value).to.equal(null);
  });
});
