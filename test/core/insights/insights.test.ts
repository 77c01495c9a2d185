import { expect } from "chai";
import * as TE from "fp-ts/lib/TaskEither.js";
import { noInsights } from "../../../core/insights/insightsEndpoints.ts";
import { canceled } from "../../../core/kernel/failure.ts";
import { createFigures } from "../../fakes/productInsights.ts";
import { createMask, createUser } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";
import { problemFrom } from "../problems.ts";
import { type InsightsOnFakes, startInsights } from "./openInsights.ts";

const old = "Using cached insights data. Refresh when online.";

/** Reports over the socket that a mask has received mail. */
const move = async ({ sockets }: InsightsOnFakes): Promise<void> => {
  sockets
    .latest()
    .push({ type: "data_update", data: { resource: "masks", action: "updated", resourceId: "a" } });
  await settled();
};

const connect = async (fakes: InsightsOnFakes): Promise<void> => {
  fakes.sockets.latest().accept();
  fakes.sockets.latest().push({ type: "auth_response", data: { success: true } });
  await settled();
};

describe("Insights", () => {
  let fakes: InsightsOnFakes;
  afterEach(() => fakes.stop());
  const view = () => fakes.insights.view$.value;

  it("are not requested before their page is opened", async () => {
    fakes = await startInsights();
    await fakes.clock.advance(900_000);
    expect(fakes.requestCount()).to.equal(0);
    expect(view()).to.include({ status: "loading", askedAt: null });
  });

  it("are loaded when opened, and every 300,000 ms while they are shown (IN6)", async () => {
    fakes = await startInsights();
    const close = fakes.insights.open();
    await settled();
    expect(view().figures.total).to.equal(1_234);
    expect(view().status).to.equal("ready");
    await fakes.clock.advance(299_999);
    expect(fakes.requestCount()).to.equal(1);
    await fakes.clock.advance(1);
    expect(fakes.requestCount()).to.equal(2);
    close();
    await fakes.clock.advance(900_000);
    expect(fakes.requestCount()).to.equal(2);
  });

  it("of one mask are not requested again when another mask changes; those of all masks are", async () => {
    fakes = await startInsights();
    fakes.product.insights.setFigures(createFigures({ total: 34 }), "b");
    await connect(fakes);
    const close = fakes.insights.open();
    await settled();
    fakes.insights.selectMask("b");
    await settled();
    expect(fakes.requestCount()).to.equal(2);
    await fakes.clock.advance(10_000);
    await move(fakes);
    await fakes.clock.advance(10_000);
    expect(fakes.requestCount(), "mask a has received a mail").to.equal(2);
    fakes.insights.selectMask(null);
    await settled();
    expect(fakes.requestCount(), "which counts for all masks").to.equal(3);
    await fakes.clock.advance(10_000);
    fakes.insights.selectMask("b");
    await settled();
    expect(fakes.requestCount()).to.equal(3);
    close();
  });

  it("are requested once in 600 s however often their page is visited, except after a change and on a manual refresh", async () => {
    fakes = await startInsights();
    fakes.product.insights.setFigures(createFigures({ total: 34 }), "b");
    await connect(fakes);
    const visit = async (): Promise<void> => {
      const close = fakes.insights.open();
      await fakes.clock.advance(1_000);
      close();
    };
    for (let visits = 0; visits < 10; visits += 1) await visit();
    expect(fakes.requestCount()).to.equal(1);
    const close = fakes.insights.open();
    for (const maskId of ["b", null, "b", null]) {
      fakes.insights.selectMask(maskId);
      await settled();
    }
    close();
    expect(fakes.requestCount(), "one for all masks and one for b").to.equal(2);
    await move(fakes);
    await visit();
    await visit();
    expect(fakes.requestCount(), "a mask has changed").to.equal(3);
    await fakes.insights.refresh()();
    await visit();
    expect(fakes.requestCount(), "by hand").to.equal(4);
    await fakes.clock.advance(600_000);
    await visit();
    await visit();
    expect(fakes.requestCount(), "older than 600 s").to.equal(5);
  });

  it("are requested once even if the connection opens meanwhile, and again after a disconnect", async () => {
    fakes = await startInsights();
    fakes.insights.open();
    await connect(fakes);
    await fakes.clock.advance(10_000);
    expect(fakes.requestCount()).to.equal(1);
    fakes.sockets.latest().drop(1012);
    await fakes.clock.advance(2_400);
    await connect(fakes);
    await fakes.clock.advance(10_000);
    expect(fakes.requestCount()).to.equal(2);
  });

  it("are not updated while the tab is hidden, and are at once when it is visible again", async () => {
    fakes = await startInsights();
    fakes.insights.open();
    await settled();
    fakes.tabs.visible$.set(false);
    await fakes.clock.advance(900_000);
    expect(fakes.requestCount()).to.equal(1);
    fakes.tabs.visible$.set(true);
    await settled();
    expect(fakes.requestCount()).to.equal(2);
  });

  it("are not loaded again after less than 5 minutes in another tab without any change", async () => {
    fakes = await startInsights();
    fakes.insights.open();
    await settled();
    fakes.tabs.visible$.set(false);
    await fakes.clock.advance(60_000);
    fakes.tabs.visible$.set(true);
    await settled();
    expect(fakes.requestCount()).to.equal(1);
  });

  it("are loaded by a manual refresh", async () => {
    fakes = await startInsights();
    fakes.insights.open();
    await settled();
    fakes.product.insights.setFigures(createFigures({ total: 1_235 }));
    await fakes.insights.refresh()();
    expect(view().figures.total).to.equal(1_235);
  });

  it("are updated when the socket reports mail, at most once in 2 s", async () => {
    fakes = await startInsights();
    fakes.insights.open();
    await settled();
    await connect(fakes);
    const before = fakes.requestCount();
    for (let mail = 0; mail < 20; mail += 1) {
      await move(fakes);
      await fakes.clock.advance(100);
    }
    expect(fakes.requestCount() - before).to.be.at.most(2);
    fakes.product.insights.setFigures(createFigures({ total: 1_254 }));
    await move(fakes);
    await fakes.clock.advance(2_000);
    expect(view().figures.total).to.equal(1_254);
  });

  it("of one mask are requested by its id, those of all without one", async () => {
    fakes = await startInsights();
    fakes.product.insights.setFigures(createFigures({ total: 34 }), "b");
    fakes.insights.open();
    await settled();
    fakes.insights.selectMask("b");
    expect(view()).to.include({ status: "loading", maskId: "b" });
    await settled();
    expect(view().figures.total).to.equal(34);
    fakes.insights.selectMask(null);
    expect(view().figures.total).to.equal(1_234);
    await settled();
    expect(fakes.server.requestsTo("GET /ai/insights").map(({ url }) => url)).to.deep.equal([
      "/ai/insights",
      "/ai/insights?maskId=b",
    ]);
  });

  it("of a deleted mask are replaced by those of all", async () => {
    fakes = await startInsights();
    fakes.insights.open();
    fakes.insights.selectMask("gone");
    await settled();
    expect(view()).to.include({ status: "ready", maskId: null });
    expect(view().figures.total).to.equal(1_234);
  });

  it("never show an answer for a mask that is no longer chosen", async () => {
    fakes = await startInsights();
    fakes.server.on("GET", "/ai/insights", ({ url }) => ({
      json: createFigures({ total: url.includes("maskId") ? 34 : 1_234 }),
      afterMs: url.includes("maskId") ? 3_000 : 100,
    }));
    fakes.insights.open();
    fakes.insights.selectMask("b");
    fakes.insights.selectMask(null);
    await fakes.clock.advance(5_000);
    expect(view().figures.total).to.equal(1_234);
  });

  describe("that cannot be loaded", () => {
    it('show "Failed to get insights data" when the server refuses without a message (IN6)', async () => {
      fakes = await startInsights();
      fakes.server.on("GET", "/ai/insights", { status: 400 });
      fakes.insights.open();
      await settled();
      expect(view()).to.include({ status: "failed", warning: "Failed to get insights data" });
    });

    it('show "Failed to load insights data" when no answer comes (IN6)', async () => {
      fakes = await startInsights();
      fakes.server.cutOff(true);
      expect(problemFrom(await fakes.insights.refresh()()).message).to.equal("Failed to load insights data");
      expect(view()).to.include({ status: "failed", warning: "Failed to load insights data" });
      expect(view().figures).to.equal(noInsights);
    });

    it("are requested again as soon as there is a network", async () => {
      fakes = await startInsights();
      fakes.server.cutOff(true);
      fakes.insights.open();
      await fakes.clock.advance(20_000);
      expect(view().status).to.equal("failed");
      fakes.server.cutOff(false);
      fakes.online$.set(false);
      fakes.online$.set(true);
      await settled();
      expect(view().status).to.equal("ready");
    });

    it("do not change, and show a warning", async () => {
      fakes = await startInsights();
      fakes.insights.open();
      await settled();
      fakes.server.cutOff(true);
      await fakes.insights.refresh()();
      expect(view()).to.include({ status: "stale", warning: old });
      expect(view().figures.total).to.equal(1_234);
    });

    /** An HTTP adapter that cancels every request for figures while `isGivenUp`. */
    const givingUp = () => {
      const state = { isGivenUp: true };
      const wire: NonNullable<Parameters<typeof startInsights>[0]>["wire"] = (http) => (request) =>
        state.isGivenUp && request.url.startsWith("/ai/insights") ? TE.left(canceled) : http(request);
      return { state, wire };
    };

    it("because the request was canceled are an empty default without an error (IN6)", async () => {
      fakes = await startInsights({ wire: givingUp().wire });
      fakes.insights.open();
      await fakes.clock.advance(20_000);
      expect(view()).to.include({ status: "stale", askedAt: null, figures: noInsights });
      expect(fakes.toasts()).to.deep.equal([]);
    });

    it("because the request was canceled are those in the cache, of any age (IN6)", async () => {
      const { state, wire } = givingUp();
      state.isGivenUp = false;
      fakes = await startInsights({ wire });
      fakes.insights.open();
      await settled();
      fakes.insights.selectMask("b");
      state.isGivenUp = true;
      await fakes.clock.advance(700_000);
      fakes.insights.selectMask(null);
      await fakes.clock.advance(20_000);
      expect(view()).to.include({ status: "stale", warning: old });
      expect(view().figures.total).to.equal(1_234);
    });
  });

  describe("cached by an earlier visit", () => {
    const visitAgain = async (afterMs: number, isOnline = false): Promise<InsightsOnFakes> => {
      const before = await startInsights();
      before.insights.open();
      await settled();
      before.stop();
      await before.clock.advance(afterMs);
      before.server.cutOff(!isOnline);
      return startInsights({
        storage: before.storage,
        clock: before.clock,
        server: before.server,
        product: before.product,
      });
    };

    it("are shown without a request while they are younger than 600 s", async () => {
      fakes = await visitAgain(599_000, true);
      const before = fakes.requestCount();
      expect(view()).to.include({ status: "ready", warning: null });
      fakes.insights.open();
      await settled();
      expect(view().figures.total).to.equal(1_234);
      expect(fakes.requestCount()).to.equal(before);
    });

    it("are shown with a warning when they are older and there is no network", async () => {
      fakes = await visitAgain(600_000);
      expect(view().status).to.equal("loading");
      fakes.insights.open();
      await fakes.clock.advance(20_000);
      expect(view()).to.include({ status: "stale", warning: old });
      expect(view().figures.total).to.equal(1_234);
    });

    it("are never shown to another user (D45)", async () => {
      const before = await startInsights();
      before.insights.open();
      await settled();
      before.stop();
      before.server.cutOff(true);
      fakes = await startInsights({
        storage: before.storage,
        clock: before.clock,
        user: createUser("bob@example.org"),
        server: before.server,
        product: before.product,
        masks: [createMask("c")],
      });
      fakes.insights.open();
      await fakes.clock.advance(20_000);
      expect(view().status).to.equal("failed");
    });
  });

  it("are removed from the page and the storage at logout", async () => {
    fakes = await startInsights();
    fakes.insights.open();
    await settled();
    expect(fakes.storage.local.read("cached_insights")).to.contain("1234");
    await fakes.app.session.logOut()();
    await settled();
    expect(fakes.storage.local.read("cached_insights")).to.equal(null);
    expect(view()).to.include({ status: "loading", askedAt: null });
  });
});
