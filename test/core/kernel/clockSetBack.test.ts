import { expect } from "chai";
import { isRight, right } from "fp-ts/lib/Either.js";
import { createProfile } from "../../../core/account/profile.ts";
import { createInsights } from "../../../core/insights/insights.ts";
import type { Rule } from "../../../core/rules/model/rule.ts";
import { startApp } from "../../fakes/appOnFakes.ts";
import { createFigures } from "../../fakes/productInsights.ts";
import { createMask } from "../../fakes/productServer.ts";
import { createVirtualClock, settled, startsAt } from "../../fakes/virtualClock.ts";
import { createRuleServer } from "../rules/sync/ruleServer.ts";
import { createBrowser, openTab } from "../rules/sync/tabOnFakes.ts";

const twoHours = 7_200_000;
const week = 604_800_000;

const rule: Rule = {
  id: "a",
  name: "a",
  type: "content_filter",
  enabled: true,
  conditions: [{ field: "subject", operator: "contains", value: ["sale"] }],
  actions: [{ type: "block", params: { silentBlock: true } }],
};

/** Numbers from the first to the last, downwards. */
const down = (first: number, last: number): readonly number[] =>
  Array.from({ length: first - last + 1 }, (_, i) => first - i);

describe("When the clock is set back by two hours", () => {
  it("the wait for another sign-in code goes on, and is no longer than 30 s (SI5)", async () => {
    const { app, clock } = await startApp({ isSignedIn: false, path: "/login" });
    await app.signIn.requestCode("ada@example.org")();
    const shown: number[] = [];
    app.signIn.step$.subscribe((step) => step.step === "code" && shown.push(step.resendInSeconds));
    await clock.advance(10_000);
    clock.setBack(twoHours);
    await clock.advance(20_000);
    expect(shown).to.deep.equal(down(30, 0));
    expect(isRight(await app.signIn.resend()())).to.equal(true);
  });

  it("the wait for another code of a new address is no longer than 30 s either", async () => {
    const { signedIn, clock } = await startApp();
    const profile = signedIn().feature(createProfile);
    await settled();
    await profile.request("ada.new@example.org")();
    clock.setBack(twoHours);
    await clock.advance(1_000);
    expect(profile.step$.value).to.deep.include({ resendInSeconds: 29 });
    await clock.advance(29_000);
    expect(isRight(await profile.resend()())).to.equal(true);
  });

  it("the session is validated that was validated in the future", async () => {
    const { server } = await startApp({
      before: ({ storage }) => storage.local.write("lastValidated", String(startsAt + twoHours)),
    });
    expect(server.requestsTo("GET /auth/validate-token")).to.have.length(1);
  });

  it("the session is refreshed whose end is further away than any end", async () => {
    const { server, storage } = await startApp({
      before: (fakes) => fakes.storage.local.write("tokenExpiry", String(startsAt + week + twoHours)),
    });
    expect(server.requestsTo("POST /auth/refresh-token")).to.have.length(1);
    expect(storage.local.read("tokenExpiry")).to.equal(String(startsAt + week));
  });

  it("a failed refresh is tried again after it", async () => {
    const { app, server, clock } = await startApp();
    for (const path of ["/auth/refresh-token", "/refresh-token"]) server.on("POST", path, { status: 500 });
    await app.session.refresh()();
    clock.setBack(twoHours);
    const before = server.requests.length;
    await app.session.refresh()();
    expect(server.requests.slice(before)).not.to.have.length(0);
  });

  it("a second GET is not kept waiting for the first", async () => {
    const { app, server, clock } = await startApp({ masks: [createMask("m1")] });
    server.on("GET", "/masks/:id", { json: createMask("m1"), afterMs: 10_000 });
    const first = app.masks.read("m1")();
    await settled();
    clock.setBack(twoHours);
    const second = app.masks.read("m1")();
    await settled();
    expect(server.requestsTo("GET /masks/m1")).to.have.length(2);
    await clock.advance(10_000);
    await Promise.all([first, second]);
  });

  it("the insights are loaded again when they are shown", async () => {
    const { product, signedIn, server, clock } = await startApp();
    product.insights.setFigures(createFigures());
    const insights = signedIn().feature(createInsights);
    const close = insights.open();
    await settled();
    close();
    clock.setBack(twoHours);
    const before = server.requestsTo("GET /ai/insights").length;
    insights.open();
    await settled();
    expect(server.requestsTo("GET /ai/insights")).to.have.length(before + 1);
  });

  it("pending rules are sent after their interval", async () => {
    const clock = createVirtualClock();
    const server = createRuleServer(clock);
    const tab = openTab(clock, server, createBrowser(clock));
    server.fate = () => "unreached";
    const saved = tab.change("m", () => [rule]);
    await clock.advance(150);
    expect(await saved).to.deep.equal(right("kept"));
    server.fate = () => "answered";
    clock.setBack(twoHours);
    await clock.advance(30_000);
    expect(tab.record("m")).to.equal(null);
  });

  it("rules are loaded again when they are shown (RU10)", async () => {
    const { app, server, clock } = await startApp({ masks: [createMask("m1")] });
    app.rules.select("m1");
    await clock.advance(1_000);
    clock.setBack(twoHours);
    const before = server.requestsTo("GET /masks").length;
    app.rules.open();
    await clock.advance(1_000);
    expect(server.requestsTo("GET /masks")).to.have.length(before + 1);
  });
});
