import { expect } from "chai";
import * as TE from "fp-ts/lib/TaskEither.js";
import { aiFeatureDefaults } from "../../../core/contentAccess/aiFeature.ts";
import { type ContentAccess, createContentAccess } from "../../../core/contentAccess/contentAccess.ts";
import { canceled } from "../../../core/kernel/failure.ts";
import { type AppOnFakes, type AppOnFakesOptions, startApp } from "../../fakes/appOnFakes.ts";
import { createUser } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";
import { problemFrom } from "../problems.ts";

const pro = createUser("ada@example.org", { subscription: { tier: "pro", status: "active" } });
const on = { contentAccessEnabled: true, contentAccessAcknowledged: true };

describe("Content access", () => {
  let fakes: AppOnFakes;
  let contentAccess: ContentAccess;
  afterEach(() => fakes.stop());

  const start = async (options: AppOnFakesOptions = {}): Promise<void> => {
    fakes = await startApp({ user: pro, ...options });
    contentAccess = fakes.signedIn().feature(createContentAccess);
    await settled();
  };
  const view = () => contentAccess.view$.value;
  const toasts = () => fakes.app.toasts.list$.value.map(({ text }) => text);
  const bodies = (call: string) => fakes.server.requestsTo(call).map(({ body }) => body);

  it("is unknown before it is requested", async () => {
    await start();
    expect(view()).to.include({ access: null, preferences: null, origin: "server" });
    await contentAccess.refresh()();
    expect(view().access?.contentAccessEnabled).to.equal(false);
    expect(view().preferences).to.equal(null);
    expect(fakes.server.requestsTo("GET /ai/preferences")).to.have.length(0);
  });

  it("is switched on with the acknowledgement, with the defaults of the seven preferences (SG5)", async () => {
    await start();
    await contentAccess.refresh()();
    await contentAccess.setEnabled(true, true)();
    expect(bodies("PUT /ai/content-access")).to.deep.equal([
      { contentAccessEnabled: true, acknowledgment: true },
    ]);
    expect(toasts()).to.deep.equal(["Content access settings updated"]);
    expect(view().preferences?.features).to.deep.equal({
      categorization: true,
      summaries: false,
      prioritization: false,
      enhancedFiltering: true,
      contentRules: false,
      processAttachments: false,
      processLinks: false,
    });
  });

  it("is not switched on without the acknowledgement: the message of SG4 is shown and nothing is sent", async () => {
    await start();
    await contentAccess.refresh()();
    expect(problemFrom(await contentAccess.setEnabled(true, false)()).message).to.equal(
      "You must acknowledge the privacy notice to enable content access",
    );
    expect(bodies("PUT /ai/content-access")).to.deep.equal([]);
  });

  it("is switched off without the acknowledgement, and the preferences are hidden", async () => {
    await start();
    fakes.product.insights.setAccess(on);
    await contentAccess.refresh()();
    expect(view().preferences).to.not.equal(null);
    await contentAccess.setEnabled(false, false)();
    expect(bodies("PUT /ai/content-access")).to.deep.equal([{ contentAccessEnabled: false }]);
    expect(view().preferences).to.equal(null);
  });

  describe("that the server refuses without a message shows SG4's", () => {
    for (const [status, sentence] of [
      [400, "You must acknowledge the privacy notice to enable content access"],
      [403, "Content access features require Pro tier or higher"],
      [409, "Failed to update content access settings"],
    ] as const)
      it(`message for ${status} when it is switched`, async () => {
        await start();
        await contentAccess.refresh()();
        fakes.server.on("PUT", "/ai/content-access", { status });
        expect(problemFrom(await contentAccess.setEnabled(true, true)()).message).to.equal(sentence);
        expect(view().access?.contentAccessEnabled).to.equal(false);
      });

    for (const [status, sentence] of [
      [400, "Content access must be enabled to update AI preferences"],
      [403, "AI features require upgrading to Pro tier or higher"],
      [409, "Failed to update AI preferences"],
    ] as const)
      it(`message for ${status} when a preference is switched, which is undone`, async () => {
        await start();
        fakes.product.insights.setAccess(on);
        await contentAccess.refresh()();
        fakes.server.on("PUT", "/ai/preferences", { status });
        const switching = contentAccess.setFeature("categorization", false)();
        expect(view().preferences?.features.categorization).to.equal(false);
        expect([...view().pending]).to.deep.equal(["categorization"]);
        await switching;
        expect(view().preferences?.features.categorization).to.equal(true);
        expect(toasts()).to.deep.equal([sentence]);
      });

    for (const [status, sentence] of [
      [400, "Content access must be enabled to use AI features"],
      [403, "AI features require upgrading to Pro tier or higher"],
    ] as const)
      it(`message for ${status} when the preferences are loaded`, async () => {
        await start();
        fakes.product.insights.setAccess(on);
        fakes.server.on("GET", "/ai/preferences", { status });
        expect(problemFrom(await contentAccess.refresh()()).message).to.equal(sentence);
      });
  });

  it("shows the notice of a failure of the server or the network once, beside its own sentence (RQ7, RQ10)", async () => {
    await start();
    await contentAccess.refresh()();
    await contentAccess.setEnabled(true, true)();
    await fakes.clock.advance(6_000);
    const broken = { status: 500, json: { message: "The store is full." } };
    fakes.server.on("PUT", "/ai/content-access", broken);
    expect(problemFrom(await contentAccess.setEnabled(false, false)()).message).to.include(
      "The store is full",
    );
    expect(toasts()).to.deep.equal(["Server error: The store is full. Our team has been notified."]);
    await fakes.clock.advance(6_000);
    fakes.server.on("PUT", "/ai/preferences", broken);
    await contentAccess.setFeature("summaries", true)();
    expect(fakes.app.toasts.list$.value.map(({ text, count }) => [text, count])).to.deep.equal([
      ["Server error: The store is full. Our team has been notified.", 1],
    ]);
    await fakes.clock.advance(6_000);
    fakes.server.on("PUT", "/ai/preferences", "unreachable");
    await contentAccess.setFeature("summaries", true)();
    expect(toasts()).to.deep.equal([
      "Connection issue. Please try again later.",
      "Failed to update AI preferences",
    ]);
  });

  it("saves one preference at a time", async () => {
    await start();
    fakes.product.insights.setAccess(on);
    await contentAccess.refresh()();
    await contentAccess.setFeature("summaries", true)();
    expect(bodies("PUT /ai/preferences")).to.deep.equal([{ preferences: { features: { summaries: true } } }]);
    expect(toasts()).to.deep.equal(["AI preferences updated successfully"]);
    expect(fakes.product.insights.features()).to.include({ summaries: true, categorization: true });
  });

  it("must be on for a preference to be sent", async () => {
    await start();
    await contentAccess.refresh()();
    expect(problemFrom(await contentAccess.setFeature("summaries", true)()).message).to.equal(
      "Content access must be enabled to update AI preferences",
    );
    expect(bodies("PUT /ai/preferences")).to.deep.equal([]);
  });

  for (const [tier, isEligible] of [
    ["free", false],
    ["basic", false],
    ["pro", true],
    ["business", true],
  ] as const)
    it(`is ${isEligible ? "" : "not "}available on the plan ${tier} (SG4)`, async () => {
      await start({ user: createUser("ada@example.org", { subscription: { tier, status: "active" } }) });
      expect(view().isEligible).to.equal(isEligible);
      await contentAccess.refresh()();
      expect(view().isEligible).to.equal(isEligible);
    });

  describe("whose request was canceled", () => {
    const givenUp: AppOnFakesOptions = {
      wire: (http) => (request) =>
        request.method === "GET" && request.url === "/ai/content-access" ? TE.left(canceled) : http(request),
    };

    it("shows the fallback, and neither stores nor sends any of it (D46)", async () => {
      await start(givenUp);
      await Promise.race([contentAccess.refresh()(), fakes.clock.advance(20_000)]);
      expect(view().origin).to.equal("fallback");
      expect(view().access).to.deep.equal({
        contentAccessEnabled: true,
        contentAccessAcknowledged: true,
        features: { smartFiltering: true, contentCategorization: true },
      });
      expect(fakes.storage.local.read("cached_content_access")).to.equal(null);
      problemFrom(await contentAccess.setEnabled(true, true)());
      problemFrom(await contentAccess.setFeature("summaries", true)());
      const ai = fakes.server.requests.filter(({ path }) => path.startsWith("/ai/"));
      expect(ai).to.deep.equal([]);
    });
  });

  it("is cached for 900 s, and longer only when the server cannot be reached", async () => {
    await start();
    fakes.product.insights.setAccess(on);
    await contentAccess.refresh()();
    const { storage, clock, server, product } = fakes;
    const again = { storage, clock, server, product };
    fakes.stop();
    await clock.advance(899_999);
    await start(again);
    expect(view().access?.contentAccessEnabled).to.equal(true);
    expect(view().preferences?.features.categorization).to.equal(true);
    fakes.stop();
    await clock.advance(1);
    await start(again);
    expect(view().access).to.equal(null);
    server.cutOff(true);
    await Promise.all([contentAccess.refresh()(), clock.advance(60_000)]);
    expect(view()).to.include({ origin: "old" });
    expect(view().access?.contentAccessEnabled).to.equal(true);
  });

  it("is requested once in 900 s however often its page is visited, except after a change", async () => {
    await start();
    fakes.sockets.latest().accept();
    const requests = (): number =>
      fakes.server.requestsTo("GET /ai/content-access").length +
      fakes.server.requestsTo("GET /ai/preferences").length;
    await contentAccess.refresh()();
    await contentAccess.setEnabled(true, true)();
    const before = requests();
    for (let visits = 0; visits < 10; visits += 1) await contentAccess.refresh()();
    expect(requests()).to.equal(before);
    fakes.sockets
      .latest()
      .push({ type: "data_update", data: { resource: "content-access", action: "updated" } });
    await settled();
    await contentAccess.refresh()();
    expect(requests()).to.equal(before + 2);
    await fakes.clock.advance(900_000);
    await contentAccess.refresh()();
    expect(requests()).to.equal(before + 4);
  });

  it("shows a change by another device that the socket sends, without a request", async () => {
    await start();
    fakes.sockets.latest().accept();
    await contentAccess.refresh()();
    const before = fakes.server.requests.length;
    const entity = { ...on, preferences: { features: { ...aiFeatureDefaults, prioritization: false } } };
    fakes.sockets
      .latest()
      .push({ type: "data_update", data: { resource: "content-access", action: "updated", entity } });
    await settled();
    expect(view().access?.contentAccessEnabled).to.equal(true);
    expect(view().preferences?.features.prioritization).to.equal(false);
    expect(fakes.server.requests.length).to.equal(before);
  });

  it("stores nothing after a logout (D45)", async () => {
    await start();
    fakes.product.insights.setAccess(on);
    await contentAccess.refresh()();
    await fakes.app.session.logOut()();
    await settled();
    expect(view()).to.include({ access: null, preferences: null });
    expect(fakes.storage.local.read("cached_content_access")).to.equal(null);
    expect(fakes.storage.local.read("cached_ai_preferences")).to.equal(null);
  });
});
