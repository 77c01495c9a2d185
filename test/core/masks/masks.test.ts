import { expect } from "chai";
import type { Mask } from "../../../core/masks/mask.ts";
import type { MaskDraft } from "../../../core/masks/maskDraft.ts";
import { type AppOnFakes, type AppOnFakesOptions, startApp } from "../../fakes/appOnFakes.ts";
import type { Answer } from "../../fakes/fakeHttp.ts";
import { createMask, createUser, tokenOf } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";
import { problemFrom, valueFrom } from "../problems.ts";

const draft = (more: Partial<MaskDraft> = {}): MaskDraft => ({
  description: "Shop",
  forwardTo: "ada@example.org",
  spamFilter: true,
  labels: [],
  note: "",
  customPrefix: "",
  ...more,
});

const toasts = ({ app }: AppOnFakes): string[] =>
  app.toasts.list$.value.map(({ kind, text }) => `${kind}: ${text}`);
const ids = ({ app }: AppOnFakes): string[] => app.masks.view$.value.all.map(({ id }) => id);
const premium = createUser("ada@example.org", { subscription: { tier: "pro_premium", status: "active" } });

const three = [
  createMask("old", { created: "2026-01-01T00:00:00.000Z" }),
  createMask("new", { created: "2026-11-19T00:00:00.000Z" }),
  createMask("mid", { created: "2026-06-01T00:00:00.000Z", active: false }),
];

const withThree = (options: AppOnFakesOptions = {}): Promise<AppOnFakes> =>
  startApp({ masks: three, ...options });

describe("The list of masks", () => {
  it("loads when a user is signed in, the newest first", async () => {
    const visit = await withThree();
    expect(visit.app.masks.view$.value).to.deep.include({ status: "ready", warning: null });
    expect(ids(visit)).to.deep.equal(["new", "mid", "old"]);
  });

  it("is loading until the first answer", async () => {
    const { app, clock } = await withThree({
      before: ({ server }) => server.on("GET", "/masks", { json: { masks: three }, afterMs: 800 }),
    });
    expect(app.masks.view$.value).to.deep.equal({ status: "loading", warning: null, leftOut: "", all: [] });
    await clock.advance(800);
    expect(app.masks.view$.value.status).to.equal("ready");
  });

  it("shows a cached list at once, as loaded while it is less than 120 s old, and requests a new one", async () => {
    const first = await withThree();
    await first.clock.advance(1_000);
    first.stop();
    const again = async (afterMs: number) => {
      await first.clock.advance(afterMs);
      const { app, server, stop } = await startApp({
        clock: first.clock,
        storage: first.storage,
        before: (fakes) => fakes.server.on("GET", "/masks", "silent"),
      });
      const shown = app.masks.view$.value;
      await first.clock.advance(1_000);
      stop();
      expect(server.requestsTo("GET /masks").length).to.be.greaterThan(0);
      return [shown.status, shown.all.length];
    };
    expect(await again(100_000)).to.deep.equal(["ready", 3]);
    expect(await again(20_000)).to.deep.equal(["loading", 3]);
  });

  it("is written to the cache 250 ms after it is shown, not while it is being painted", async () => {
    const { storage, clock } = await withThree({
      before: ({ server }) => server.on("GET", "/masks", { json: { masks: three }, afterMs: 200 }),
    });
    const isCached = () => storage.local.read("cached_masks") !== null;
    await clock.advance(449);
    expect(isCached()).to.equal(false);
    await clock.advance(1);
    expect(isCached()).to.equal(true);
  });

  describe("of more than 500 masks", () => {
    const thousands = Array.from({ length: 1_200 }, (_, at) =>
      createMask(`m${at}`, { created: new Date(Date.UTC(2026, 0, 1) - at * 60_000).toISOString() }),
    );
    const inParts = ({ url }: { readonly url: string }, masks: readonly Mask[]): Answer => {
      const { searchParams } = new URL(url, "http://server");
      const after = searchParams.get("after");
      const from = after === null ? 0 : masks.findIndex(({ id }) => id === after) + 1;
      if (after !== null && from === 0) return { status: 400, json: { message: "There is no such mask" } };
      const until = from + Number(searchParams.get("limit"));
      return { json: { masks: masks.slice(from, until), ...(until < masks.length && { isMore: true }) } };
    };

    it("is fetched in parts, and shows the first one before the others have arrived", async () => {
      let isSlow = true;
      const { app, server, clock, stop } = await startApp({
        before: (fakes) =>
          fakes.server.on("GET", "/masks", (request) =>
            isSlow && request.url.includes("after") ? "silent" : inParts(request, thousands),
          ),
      });
      expect(app.masks.view$.value).to.include({ status: "loading" });
      expect(app.masks.page$.value.items[0]?.id).to.equal("m0");
      expect(app.masks.view$.value.all).to.have.length(500);
      isSlow = false;
      await clock.advance(20_000);
      void app.masks.refresh()();
      await clock.advance(1_000);
      expect(app.masks.view$.value.all).to.have.length(1_200);
      expect(app.masks.view$.value.status).to.equal("ready");
      expect(server.requestsTo("GET /masks").at(-1)?.url).to.equal("/masks?limit=500&after=m999");
      stop();
    });

    it("is fetched again where the mask at which a part ends has been deleted meanwhile", async () => {
      let masks: readonly Mask[] = thousands;
      const { app, stop } = await startApp({
        before: (fakes) =>
          fakes.server.on("GET", "/masks", (request) => {
            const answer = inParts(request, masks);
            masks = thousands.filter(({ id }) => id !== "m499");
            return answer;
          }),
      });
      expect(app.masks.view$.value.status).to.equal("ready");
      expect(app.masks.view$.value.all).to.have.length(1_199);
      stop();
    });

    /** The state of a list, as a server may name it. */
    const stateOf = (masks: readonly Mask[]): string =>
      masks.map(({ id, description }) => `${id} ${description}`).join();
    /** Visits a server whose list is another one at each part; returns the requests for lists, and the masks shown. */
    const visitWhile = async (partMs: number, ...states: readonly (readonly Mask[])[]) => {
      let masks: readonly Mask[] = thousands;
      const left = [...states];
      const visit = await startApp({
        before: ({ server }) =>
          server.on("GET", "/masks", (request) => {
            masks = left.shift() ?? masks;
            const after = new URL(request.url, "http://server").searchParams.get("after");
            const from = after === null ? 0 : masks.findIndex(({ id }) => id === after) + 1;
            const part = inParts(request, masks);
            const json = {
              ...(part as { readonly json: object }).json,
              version: stateOf(masks.slice(0, from + 500)),
              ...(from > 0 && { follows: stateOf(masks.slice(0, from)) }),
            };
            return { json, afterMs: partMs };
          }),
      });
      visit.sockets.latest().accept();
      const version = stateOf(states.at(-1) ?? masks);
      visit.sockets.latest().push({ type: "resource_version", data: { resource: "masks", version } });
      await visit.clock.advance(20_000);
      const { length: requests } = visit.server.requestsTo("GET /masks");
      visit.stop();
      return { requests, shown: visit.app.masks.view$.value.all };
    };
    const withChanged = (changed: string): readonly Mask[] =>
      thousands.map((mask) => (mask.id === changed ? { ...mask, description: "For a moment" } : mask));

    it("is fetched once at a visit, also where the line is slow", async () => {
      expect((await visitWhile(0)).requests).to.equal(3);
      expect(await visitWhile(1_500)).to.deep.equal({ requests: 3, shown: thousands });
    });

    it("is fetched again where a mask changed between two parts, also where it is again what it was", async () => {
      const inFirst = await visitWhile(0, withChanged("m3"), thousands, thousands);
      expect(inFirst).to.deep.equal({ requests: 6, shown: thousands });
      const inSecond = await visitWhile(0, thousands, withChanged("m600"), thousands);
      expect(inSecond).to.deep.equal({ requests: 6, shown: thousands });
    });

    it("is fetched once where a mask changed between two parts whose masks are all as they are now", async () => {
      const late = withChanged("m1100");
      expect(await visitWhile(0, late, late, thousands)).to.deep.equal({ requests: 3, shown: thousands });
    });
  });

  it("falls back on the cached list, however old, with the warning for the width of the window", async () => {
    const first = await withThree();
    await first.clock.advance(7_200_000);
    first.server.cutOff(true);
    const { app, page } = await startApp({ ...first, isSignedIn: true });
    expect(app.masks.view$.value.status).to.equal("stale");
    expect(app.masks.view$.value.all).to.have.length(3);
    expect(app.masks.view$.value.warning).to.equal("Using cached mask data. Refresh when online.");
    page.narrow$.set(true);
    expect(app.masks.view$.value.warning).to.equal("Using cached mask data. Pull to refresh when online.");
  });

  it("does not change when it cannot be loaded again", async () => {
    const visit = await withThree();
    visit.server.on("GET", "/masks", { status: 500 });
    const problem = problemFrom(await visit.app.masks.refresh()());
    expect(problem.message).to.equal("Server error: Server error. Our team has been notified.");
    expect(visit.app.masks.view$.value.status).to.equal("stale");
    expect(ids(visit)).to.deep.equal(["new", "mid", "old"]);
  });

  for (const answer of ["unreachable", { status: 400 }, { text: "<html>" }] as const) {
    it(`shows "Failed to get email masks" for ${JSON.stringify(answer)} without a cache`, async () => {
      const { app } = await startApp({ before: ({ server }) => server.on("GET", "/masks", answer) });
      expect(app.masks.view$.value).to.deep.equal({
        status: "failed",
        warning: "Failed to get email masks",
        leftOut: "",
        all: [],
      });
    });
  }

  it("does not show one user's cached masks to another", async () => {
    const ada = await withThree();
    await ada.clock.advance(1_000);
    ada.server.cutOff(true);
    const { app } = await startApp({ ...ada, user: createUser("bob@example.org") });
    expect(app.masks.view$.value).to.deep.equal({
      status: "failed",
      warning: "Failed to get email masks",
      leftOut: "",
      all: [],
    });
  });

  it("is loaded again when the network is back", async () => {
    const { app, server, online$ } = await startApp({
      masks: three,
      before: (fakes) => fakes.server.cutOff(true),
    });
    expect(app.masks.view$.value.status).to.equal("failed");
    online$.set(false);
    server.cutOff(false);
    online$.set(true);
    await settled();
    expect(app.masks.view$.value.status).to.equal("ready");
  });

  it("is not overwritten by the answer to an earlier request", async () => {
    const visit = await withThree();
    visit.server.on("GET", "/masks", { json: { masks: [three[0]] }, afterMs: 7_000 });
    const slow = visit.app.masks.refresh()();
    await visit.clock.advance(5_000);
    visit.server.on("GET", "/masks", { json: { masks: three } });
    await visit.app.masks.refresh()();
    await visit.clock.advance(2_000);
    await slow;
    expect(ids(visit)).to.deep.equal(["new", "mid", "old"]);
  });
});

describe("Creating a mask", () => {
  it("puts it on top, shows one toast, highlights it for 5 s and copies its address", async () => {
    const visit = await withThree();
    const { app, page, clock } = visit;
    const mask = valueFrom(await app.masks.create(draft())());
    expect(ids(visit)).to.deep.equal([mask.id, "new", "mid", "old"]);
    expect(toasts(visit)).to.deep.equal(["success: Mask created successfully"]);
    expect(page.clipboard()).to.equal(mask.maskEmail);
    expect(app.masks.newest$.value).to.equal(mask.id);
    await clock.advance(4_999);
    expect(app.masks.newest$.value).to.equal(mask.id);
    await clock.advance(1);
    expect(app.masks.newest$.value).to.equal(null);
  });

  it("shows no toast when the clipboard refuses", async () => {
    const visit = await withThree();
    visit.page.refuseCopies();
    await visit.app.masks.create(draft())();
    expect(toasts(visit)).to.deep.equal(["success: Mask created successfully"]);
    expect(visit.app.masks.copied$.value).to.equal(null);
  });

  it("sends the typed values without surrounding white space", async () => {
    const { app, server } = await startApp();
    await app.masks.create(
      draft({ description: "  Shop ", forwardTo: " ada@example.org", spamFilter: false }),
    )();
    expect(server.requestsTo("POST /masks")[0]?.body).to.deep.equal({
      description: "Shop",
      forwardTo: "ada@example.org",
      labels: [],
      note: "",
      settings: { spamFilter: false },
    });
  });

  it("resets search and page when the search would hide the new mask", async () => {
    const visit = await withThree();
    const { app, clock } = visit;
    app.masks.search("nothing like it");
    app.masks.filter("disabled");
    await clock.advance(300);
    await app.masks.create(draft())();
    expect(app.masks.query$.value).to.deep.equal({ search: "", filter: "all", page: 1 });
    expect(app.masks.page$.value.items[0]?.description).to.equal("Shop");
  });

  it("shows errors beside the fields and sends nothing", async () => {
    const { app, server, clock } = await startApp({ user: premium });
    const errorFor = async (wrong: Partial<MaskDraft>) => {
      const { fields, message: sentence } = problemFrom(await app.masks.create(draft(wrong))());
      await clock.advance(500);
      return [...fields.map(({ field, message }) => `${field}: ${message}`), sentence];
    };
    expect(await errorFor({ description: " " })).to.deep.equal(["description: Description is required", ""]);
    expect(await errorFor({ forwardTo: "ada@" })).to.deep.equal([
      "forwardTo: Please enter a valid email address",
      "",
    ]);
    expect(await errorFor({ forwardTo: "" })).to.deep.equal([
      "forwardTo: Please enter a valid email address",
      "",
    ]);
    expect(await errorFor({ customPrefix: "a b" })).to.deep.equal([
      "customPrefix: Custom prefix can only contain letters, numbers, underscores, periods, and hyphens.",
      "",
    ]);
    for (const customPrefix of [".", "a..b", "a."])
      expect(await errorFor({ customPrefix })).to.deep.equal([
        "customPrefix: Custom prefix cannot begin or end with a period, or have two in a row.",
        "",
      ]);
    expect(await errorFor({ customPrefix: "a".repeat(17) })).to.deep.equal([
      "customPrefix: Custom prefix must be 16 characters or less.",
      "",
    ]);
    expect(server.requestsTo("POST /masks")).to.have.length(0);
    expect(app.toasts.list$.value).to.have.length(0);
  });

  it("lets only pro_premium choose the prefix", async () => {
    const free = await startApp();
    const rich = await startApp({ user: premium });
    expect(free.app.masks.plan$.value).to.deep.equal({ tier: "free", maxMasks: 2 });
    expect(rich.app.masks.plan$.value).to.deep.equal({ tier: "pro_premium", maxMasks: null });
    const refusal = problemFrom(await free.app.masks.create(draft({ customPrefix: "shop" }))());
    expect(refusal.fields).to.deep.equal([
      { field: "customPrefix", message: "Your account cannot choose the prefix. Leave it empty." },
    ]);
    await rich.app.masks.create(draft({ customPrefix: "shop_1.x-" + "y" }))();
    expect(rich.server.requestsTo("POST /masks")[0]?.body).to.include({ customPrefix: "shop_1.x-y" });
  });

  it("shows the server's message when it refuses, else the catalog's", async () => {
    const visit = await startApp();
    const { app, server, clock } = visit;
    server.on("POST", "/masks", { status: 403, json: { message: "Free allows 2 masks." } });
    expect(problemFrom(await app.masks.create(draft())()).message).to.equal("Free allows 2 masks.");
    await clock.advance(5_000);
    server.on("POST", "/masks", { status: 400 });
    expect(problemFrom(await app.masks.create(draft())()).message).to.equal("Failed to create email mask");
    expect(toasts(visit)).to.deep.equal(["error: Failed to create mask"]);
  });

  it("from a template or a suggestion names it in the toast, and stores the suggestion with the mask", async () => {
    const visit = await startApp();
    const { app, server, clock } = visit;
    await app.masks.create(draft(), { kind: "template" })();
    await clock.advance(500);
    const origin = { kind: "suggestion", suggestionId: "s1", suggestionCategory: "security" } as const;
    await app.masks.create(draft(), origin)();
    expect(toasts(visit)).to.deep.equal([
      "success: Mask created with rule template successfully!",
      "success: Mask created successfully from suggestion!",
    ]);
    expect(server.requestsTo("POST /masks")[1]?.body).to.deep.include({
      metadata: { suggestionId: "s1", suggestionCategory: "security" },
    });
  });

  it("twice in 500 ms creates one", async () => {
    const visit = await startApp();
    const both = await Promise.all([visit.app.masks.create(draft())(), visit.app.masks.create(draft())()]);
    expect(both.map(({ _tag }) => _tag)).to.deep.equal(["Right", "Left"]);
    expect(visit.product.masks()).to.have.length(1);
    expect(toasts(visit)).to.deep.equal(["success: Mask created successfully"]);
  });

  it("and another one right afterwards creates both", async () => {
    const { app, product } = await startApp();
    valueFrom(await app.masks.create(draft({ description: "First" }))());
    valueFrom(await app.masks.create(draft({ description: "Second" }))());
    const again = await app.masks.create(draft({ description: "Second" }))();
    expect(problemFrom(again).failure.kind).to.equal("busy");
    expect(product.masks().map(({ description }) => description)).to.deep.equal(["First", "Second"]);
  });

  it("and another one while it is under way creates one", async () => {
    const { app, server, clock, product } = await startApp();
    server.on("POST", "/masks", { json: createMask("slow"), afterMs: 1_000 });
    const first = app.masks.create(draft({ description: "First" }))();
    const second = await app.masks.create(draft({ description: "Second" }))();
    expect(problemFrom(second).failure.kind).to.equal("busy");
    await clock.advance(1_000);
    valueFrom(await first);
    expect(product.masks()).to.have.length(0);
    expect(server.requestsTo("POST /masks")).to.have.length(1);
  });
});

describe("Editing a mask", () => {
  it("sends the edit and shows the answer", async () => {
    const visit = await withThree();
    await visit.app.masks.edit("mid", draft({ description: "Library", spamFilter: false }))();
    expect(visit.server.requestsTo("PUT /masks/mid")[0]?.body).to.deep.equal({
      description: "Library",
      forwardTo: "ada@example.org",
      labels: [],
      note: "",
      settings: { spamFilter: false },
    });
    expect(visit.app.masks.view$.value.all[1]?.description).to.equal("Library");
    expect(toasts(visit)).to.deep.equal(["success: Mask updated successfully"]);
  });

  it("sends a prefix only when it was changed, and null when it was cleared", async () => {
    const masks = [createMask("m1", { customPrefix: "shop" })];
    const { app, server, clock } = await startApp({ user: premium, masks });
    for (const customPrefix of ["shop", "store", ""]) {
      await app.masks.edit("m1", draft({ customPrefix }))();
      await clock.advance(500);
    }
    const sent = server
      .requestsTo("PUT /masks/m1")
      .map(({ body }) => (body as { customPrefix?: unknown }).customPrefix);
    expect(sent).to.deep.equal([undefined, "store", null]);
  });

  it("lets a mask keep its prefix after a downgrade", async () => {
    const { app } = await startApp({ masks: [createMask("m1", { customPrefix: "shop" })] });
    valueFrom(await app.masks.edit("m1", draft({ customPrefix: "shop" }))());
  });

  it("shows 'Failed to update mask' where the server sends no message", async () => {
    const visit = await withThree();
    visit.server.on("PUT", "/masks/:id", { status: 400 });
    const problem = problemFrom(await visit.app.masks.edit("mid", draft())());
    expect(problem.message).to.equal("Failed to update email mask");
    expect(toasts(visit)).to.deep.equal(["error: Failed to update mask"]);
  });

  it("removes from the list a mask that no longer exists", async () => {
    const visit = await withThree();
    visit.product.setMasks(three.slice(0, 2));
    const problem = problemFrom(await visit.app.masks.edit("mid", draft())());
    await settled();
    expect(problem.message).to.equal("There is no such mask");
    expect(ids(visit)).to.deep.equal(["new", "old"]);
  });
});

describe("Switching a mask", () => {
  it("or pinning it changes that mask alone, before the server answers and after", async () => {
    const visit = await withThree();
    const { masks } = visit.app;
    const marked = () =>
      Object.fromEntries(masks.view$.value.all.map(({ id, active, pinned }) => [id, [active, pinned]]));
    const untouched = marked();
    for (const [change, then] of [
      [masks.setPinned("mid", true), [false, true]],
      [masks.setActive("mid", true), [true, true]],
      [masks.setPinned("mid", false), [true, false]],
      [masks.setActive("mid", false), [false, false]],
    ] as const) {
      const changing = change();
      expect(marked()).to.deep.equal({ ...untouched, mid: then });
      expect((await changing)._tag).to.equal("Right");
      expect(marked()).to.deep.equal({ ...untouched, mid: then });
    }
  });

  it("shows at once, with a toast when the server accepts it", async () => {
    const visit = await withThree();
    const { app, server } = visit;
    const off = app.masks.setActive("new", false)();
    await settled();
    valueFrom(await off);
    valueFrom(await app.masks.setActive("mid", true)());
    expect(server.requestsTo("PUT /masks/new")[0]?.body).to.deep.equal({ active: false });
    expect(server.requestsTo("PUT /masks/mid")[0]?.body).to.deep.equal({ active: true });
    expect(toasts(visit)).to.deep.equal([
      "success: Mask deactivated successfully",
      "success: Mask activated successfully",
    ]);
  });

  it("is pending until the answer, ignores a second change meanwhile, and is undone by a refusal", async () => {
    const visit = await withThree();
    const { app, server, clock } = visit;
    const isOn = () => app.masks.view$.value.all[0]?.active;
    server.on("PUT", "/masks/:id", { status: 400, afterMs: 1_000 });
    const off = app.masks.setActive("new", false)();
    await settled();
    expect([...app.masks.pendingIds$.value]).to.deep.equal(["new"]);
    expect(isOn()).to.equal(false);
    expect(problemFrom(await app.masks.setActive("new", true)()).failure.kind).to.equal("busy");
    await clock.advance(1_000);
    expect(problemFrom(await off).message).to.equal("Failed to deactivate mask");
    expect(isOn()).to.equal(true);
    expect(app.masks.pendingIds$.value.size).to.equal(0);
    expect(server.requestsTo("PUT /masks/new")).to.have.length(1);
    expect(toasts(visit)).to.deep.equal(["error: Failed to deactivate mask"]);
  });

  it("shows 'Failed to activate mask' when switching on fails", async () => {
    const visit = await withThree();
    visit.server.on("PUT", "/masks/:id", { status: 400 });
    await visit.app.masks.setActive("mid", true)();
    expect(toasts(visit)).to.deep.equal(["error: Failed to activate mask"]);
  });

  it("shows 'Failed to update mask status' for an unknown mask", async () => {
    const visit = await withThree();
    const problem = problemFrom(await visit.app.masks.setActive("nobody", true)());
    expect(problem.message).to.equal("Failed to update mask status");
    expect(toasts(visit)).to.deep.equal(["error: Failed to update mask status"]);
  });

  it("is not undone by a list that was loaded meanwhile", async () => {
    const visit = await withThree();
    const { app, server, clock } = visit;
    server.on("PUT", "/masks/:id", { json: { ...three[1], active: false }, afterMs: 1_000 });
    const off = app.masks.setActive("new", false)();
    await settled();
    await app.masks.refresh()();
    expect(app.masks.view$.value.all[0]?.active).to.equal(false);
    await clock.advance(1_000);
    valueFrom(await off);
    expect(app.masks.view$.value.all[0]?.active).to.equal(false);
  });
});

describe("Deleting a mask", () => {
  it("removes it from the list and shows a toast", async () => {
    const visit = await withThree();
    valueFrom(await visit.app.masks.remove("mid")());
    expect(ids(visit)).to.deep.equal(["new", "old"]);
    expect(toasts(visit)).to.deep.equal(["success: Mask deleted successfully"]);
  });

  it("keeps it and shows 'Failed to delete mask' when the server refuses without a message", async () => {
    const visit = await withThree();
    visit.server.on("DELETE", "/masks/:id", { status: 400 });
    expect(problemFrom(await visit.app.masks.remove("mid")()).message).to.equal(
      "Failed to delete email mask",
    );
    expect(ids(visit)).to.have.length(3);
    expect(toasts(visit)).to.deep.equal(["error: Failed to delete mask"]);
  });

  it("is not undone by a list that was requested before", async () => {
    const visit = await withThree();
    visit.server.on("GET", "/masks", { json: { masks: three }, afterMs: 1_000 });
    const reading = visit.app.masks.refresh()();
    await settled();
    await visit.app.masks.remove("mid")();
    await visit.clock.advance(1_000);
    await reading;
    expect(ids(visit)).to.deep.equal(["new", "old"]);
  });

  it("shows no toast to a user who has logged out meanwhile", async () => {
    const visit = await withThree();
    visit.server.on("DELETE", "/masks/:id", { json: {}, afterMs: 1_000 });
    const removing = visit.app.masks.remove("mid")();
    await settled();
    await visit.app.session.logOut()();
    await visit.clock.advance(1_000);
    await removing;
    expect(toasts(visit)).to.deep.equal([]);
    expect(visit.app.masks.pendingIds$.value.size).to.equal(0);
  });
});

describe("Copying an address", () => {
  it("shows a toast, and a mark on the card for 2 s", async () => {
    const visit = await withThree();
    const { app, page, clock } = visit;
    valueFrom(await app.masks.copyAddress("mid")());
    expect(page.clipboard()).to.equal("mid@masks.example");
    expect(toasts(visit)).to.deep.equal(["success: Email mask copied to clipboard"]);
    await clock.advance(1_999);
    expect(app.masks.copied$.value).to.equal("mid");
    await clock.advance(1);
    expect(app.masks.copied$.value).to.equal(null);
  });

  it("shows 'Failed to copy to clipboard' when it is refused", async () => {
    const visit = await withThree();
    visit.page.refuseCopies();
    expect(problemFrom(await visit.app.masks.copyAddress("mid")()).message).to.equal(
      "Failed to copy to clipboard",
    );
    expect(toasts(visit)).to.deep.equal(["error: Failed to copy to clipboard"]);
    expect(visit.app.masks.copied$.value).to.equal(null);
  });
});

describe("Reading one mask", () => {
  it("sends a request, and falls back on the cache", async () => {
    const { app, server } = await withThree();
    server.on("GET", "/masks/:id", { json: { ...three[0], description: "Fresh" } });
    expect(valueFrom(await app.masks.read("old")()).description).to.equal("Fresh");
    server.cutOff(true);
    expect(valueFrom(await app.masks.read("old")()).description).to.equal("Mask old");
    expect(valueFrom(await app.masks.statistics("old")()).totalReceived).to.equal(0);
  });

  for (const status of [400, 403, 429, 503])
    it(`falls back on the cache after ${status}, as the list does (MA7)`, async () => {
      const { app, server, clock } = await withThree();
      server.on("GET", "/masks/:id", { status });
      const read = app.masks.read("old")();
      await clock.advance(30_000);
      expect(valueFrom(await read).description).to.equal("Mask old");
    });

  it("fails with a message when there is no cache", async () => {
    const { app, server } = await withThree();
    server.on("GET", "/masks/:id", { status: 404 });
    server.on("GET", "/masks/:id/stats", { status: 404 });
    expect(problemFrom(await app.masks.read("old")()).message).to.equal("Failed to get email mask");
    expect(problemFrom(await app.masks.statistics("old")()).message).to.equal(
      "Failed to get mask statistics",
    );
  });
});

describe("An update message over the socket", () => {
  const listening = async () => {
    const visit = await withThree();
    visit.sockets.latest().accept();
    await visit.clock.advance(2_000);
    const before = visit.server.requests.length;
    const since = (): string[] =>
      visit.server.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
    const update = (resourceId?: string): void =>
      visit.sockets.latest().push({
        type: "data_update",
        data: { resource: "masks", action: "updated", ...(resourceId === undefined ? {} : { resourceId }) },
      });
    return { ...visit, since, update };
  };
  const counting = (totalReceived: number) =>
    createMask("mid", {
      created: "2026-06-01T00:00:00.000Z",
      statistics: { totalReceived, totalForwarded: 0, spamBlocked: 0, totalSent: 0, lastUsed: null },
    });

  describe("that names the state of the list at a connection", () => {
    const lists = async (...states: readonly (string | undefined)[]) => {
      const visit = await withThree({
        before: ({ server }) => server.on("GET", "/masks", { json: { masks: three, version: "v1" } }),
      });
      const requests = () => visit.server.requestsTo("GET /masks").length;
      const counts: number[] = [];
      for (const version of states) {
        const before = requests();
        visit.sockets.latest().accept();
        await visit.clock.advance(500);
        if (version !== undefined)
          visit.sockets.latest().push({ type: "resource_version", data: { resource: "masks", version } });
        await visit.clock.advance(2_000);
        counts.push(requests() - before);
        visit.sockets.latest().drop(1012);
        await visit.clock.advance(2_400);
      }
      return counts;
    };

    it("saves the request for the list that was fetched already, at the first connection and later ones", async () => {
      expect(await lists("v1", "v1")).to.deep.equal([0, 0]);
    });

    it("leads to a request where a shown change may have been taken back while the connection was lost", async () => {
      const visit = await withThree({
        before: ({ server }) => server.on("GET", "/masks", { json: { masks: three, version: "v1" } }),
      });
      const connect = async (): Promise<void> => {
        visit.sockets.latest().accept();
        visit.sockets.latest().push({ type: "resource_version", data: { resource: "masks", version: "v1" } });
        await visit.clock.advance(2_000);
      };
      await connect();
      const shownFirst = () => visit.app.masks.view$.value.all[0]?.description;
      const before = shownFirst();
      const entity = createMask("new", { created: "2026-11-19T00:00:00.000Z", description: "For a moment" });
      visit.sockets.latest().push({
        type: "data_update",
        data: { resource: "masks", action: "updated", resourceId: "new", entity },
      });
      await visit.clock.advance(500);
      expect(shownFirst()).to.equal("For a moment");
      visit.sockets.latest().drop(1012);
      await visit.clock.advance(2_400);
      await connect();
      expect(shownFirst()).to.equal(before);
    });

    it("leads to one request when it is another state, and when the server names none within a second", async () => {
      expect(await lists("v2")).to.deep.equal([1]);
      expect(await lists(undefined)).to.deep.equal([1]);
    });
  });

  it("reloads the one mask that it names", async () => {
    const { app, clock, update, since, product } = await listening();
    product.setMasks([...three.slice(0, 2), counting(7)]);
    update("mid");
    await clock.advance(250);
    expect(app.masks.view$.value.all[1]?.statistics?.totalReceived).to.equal(7);
    expect(since()).to.deep.equal(["GET /masks/mid"]);
  });

  it("causes one request in 250 ms, however many arrive", async () => {
    const { clock, update, since } = await listening();
    for (let i = 0; i < 50; i += 1) update("mid");
    await clock.advance(249);
    expect(since()).to.deep.equal([]);
    await clock.advance(1);
    expect(since()).to.deep.equal(["GET /masks/mid"]);
    for (let i = 0; i < 50; i += 1) update("old");
    await clock.advance(250);
    expect(since()).to.deep.equal(["GET /masks/mid", "GET /masks/old"]);
  });

  it("for many masks, or without an id, reloads the list", async () => {
    const { clock, update, since } = await listening();
    for (const id of ["a", "b", "c", "d"]) update(id);
    await clock.advance(250);
    update("mid");
    update();
    await clock.advance(250);
    expect(since()).to.deep.equal(["GET /masks", "GET /masks"]);
  });

  it("for a deleted mask removes it from the list; for a new one adds it", async () => {
    const visit = await listening();
    visit.product.setMasks([
      ...three.slice(0, 2),
      createMask("late", { created: "2026-11-20T00:00:00.000Z" }),
    ]);
    visit.update("mid");
    visit.update("late");
    await visit.clock.advance(250);
    expect(ids(visit)).to.deep.equal(["late", "new", "old"]);
  });

  it("causes one further request when more arrive while the server is slow", async () => {
    const { clock, update, since, server } = await listening();
    server.on("GET", "/masks/:id", { json: counting(1), afterMs: 3_000 });
    for (let second = 0; second < 12; second += 1) {
      update(second % 2 ? "mid" : "old");
      await clock.advance(250);
    }
    expect(since()).to.have.length(1);
    await clock.advance(4_000);
    expect(since()).to.have.length(3);
    expect(new Set(since())).to.deep.equal(new Set(["GET /masks/mid", "GET /masks/old"]));
  });

  it("for another resource is ignored", async () => {
    const { clock, sockets, since } = await listening();
    sockets.latest().push({ type: "data_update", data: { resource: "rules", action: "created" } });
    await clock.advance(1_000);
    expect(since()).to.deep.equal([]);
  });

  it("for a mask that is being changed causes a request once the change is saved", async () => {
    const { app, clock, update, server, product } = await listening();
    server.on("PUT", "/masks/:id", { json: { ...counting(1), active: true }, afterMs: 400 });
    product.setMasks([...three.slice(0, 2), { ...counting(9), active: true }]);
    const on = app.masks.setActive("mid", true)();
    update("mid");
    await clock.advance(1_000);
    await on;
    expect(app.masks.view$.value.all[1]).to.deep.include({ active: true });
    expect(app.masks.view$.value.all[1]?.statistics?.totalReceived).to.equal(9);
  });

  describe("that contains the mask", () => {
    const at = (second: number, more: Partial<Mask> = {}): Mask => ({
      ...counting(1),
      updated: `2026-11-20T10:00:0${second}.000Z`,
      ...more,
    });
    const push = (visit: Awaited<ReturnType<typeof listening>>, action: string, entity: Mask | null) =>
      visit.sockets.latest().push({
        type: "data_update",
        data: { resource: "masks", action, resourceId: entity?.id ?? "mid", entity },
      });
    const shown = ({ app }: Awaited<ReturnType<typeof listening>>): Mask | undefined =>
      app.masks.view$.value.all.find(({ id }) => id === "mid");

    it("is shown at once, without a request, whether the mask is new, changed or deleted", async () => {
      const visit = await listening();
      push(visit, "created", createMask("late", { created: "2026-11-20T00:00:00.000Z" }));
      push(visit, "updated", at(1, { description: "Bakery" }));
      expect(ids(visit)).to.deep.equal(["late", "new", "mid", "old"]);
      expect(shown(visit)?.description).to.equal("Bakery");
      push(visit, "deleted", null);
      expect(ids(visit)).to.deep.equal(["late", "new", "old"]);
      await visit.clock.advance(5_000);
      expect(visit.since()).to.deep.equal([]);
    });

    it("never replaces a newer edit or a higher count", async () => {
      const visit = await listening();
      push(visit, "updated", at(3, { description: "Newest", active: true }));
      push(visit, "updated", at(2, { ...counting(9), updated: at(2).updated ?? "", description: "Older" }));
      expect(shown(visit)).to.deep.include({ description: "Newest" });
      expect(shown(visit)?.statistics?.totalReceived).to.equal(9);
      visit.server.on("PUT", "/masks/:id", { json: at(5, { description: "Mine" }), afterMs: 400 });
      const editing = visit.app.masks.setActive("mid", false)();
      push(visit, "updated", at(6, { description: "Theirs, later" }));
      await visit.clock.advance(500);
      await editing;
      expect(shown(visit)?.description).to.equal("Theirs, later");
      push(visit, "updated", at(4, { description: "Theirs, earlier" }));
      expect(shown(visit)?.description).to.equal("Theirs, later");
      await visit.clock.advance(5_000);
      expect(visit.since()).to.deep.equal(["PUT /masks/mid"]);
    });

    it("does not restore a mask that was deleted here meanwhile", async () => {
      const visit = await listening();
      visit.server.on("DELETE", "/masks/:id", { status: 200, json: {} });
      await visit.app.masks.remove("mid")();
      visit.product.setMasks(three.slice(0, 2));
      visit.server.on("GET", "/masks/:id", { status: 404 });
      push(visit, "updated", at(1));
      await visit.clock.advance(1_000);
      expect(ids(visit)).to.deep.equal(["new", "old"]);
    });

    it("is replaced by a request when it is unreadable", async () => {
      const visit = await listening();
      visit.sockets.latest().push({
        type: "data_update",
        data: { resource: "masks", action: "updated", resourceId: "mid", entity: { id: "mid" } },
      });
      await visit.clock.advance(250);
      expect(visit.since()).to.deep.equal(["GET /masks/mid"]);
    });
  });

  it("may have been missed during a disconnect: the list is reloaded when the socket is back", async () => {
    const { clock, sockets, since } = await listening();
    sockets.latest().drop(1006);
    await clock.advance(3_000);
    sockets.latest().accept();
    await clock.advance(1_250);
    expect(since().filter((requests) => requests.includes("/masks"))).to.deep.equal(["GET /masks"]);
  });
});

describe("The masks of another user", () => {
  it("replace those of the previous user", async () => {
    const visit = await withThree();
    await visit.app.session.logOut()();
    expect(visit.app.masks.view$.value).to.deep.equal({
      status: "loading",
      warning: null,
      leftOut: "",
      all: [],
    });
    const bob = createUser("bob@example.org");
    visit.server.on("PUT", "/login", { json: { token: tokenOf(bob.email), user: bob } });
    visit.server.on("GET", "/masks", { json: { masks: [createMask("bobs")] } });
    visit.server.on("GET", "/account", { status: 503 });
    await visit.app.signIn.requestCode(bob.email)();
    await visit.clock.advance(500);
    await visit.app.signIn.verifyCode("123456")();
    await settled();
    expect(ids(visit)).to.deep.equal(["bobs"]);
  });
});
