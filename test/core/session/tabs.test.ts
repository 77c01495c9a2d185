import { expect } from "chai";
import fc from "fast-check";
import { type AppOnFakes, createTestApp, startApp, type TestApp } from "../../fakes/appOnFakes.ts";
import { createFakePorts, type FakePorts } from "../../fakes/fakePorts.ts";
import { createMask } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";

const configuration = { brand: "Bauta", maskDomain: "masks.example", flags: { websockets: false } };

type Tab = FakePorts & { readonly app: TestApp };

/** Opens this many tabs of one browser with one server. */
const openTabs = async (count: number): Promise<{ first: AppOnFakes; tabs: readonly Tab[] }> => {
  const first = await startApp({ masks: [createMask("m1")], settings: { configuration } });
  const others = Array.from({ length: count - 1 }, (_, at): Tab => {
    const fakes = createFakePorts({
      storage: first.storage.openTab(),
      tabs: first.tabs.openTab(),
      clock: first.clock,
      server: first.server,
      seed: at + 2,
    });
    const { app } = createTestApp(fakes.ports, { configuration });
    app.start();
    return { ...fakes, app };
  });
  await settled();
  await first.clock.advance(60_000);
  return { first, tabs: [first, ...others] };
};

const isSignedIn = ({ app }: Tab): boolean => app.session.state$.value.kind === "signed-in";
const toasts = ({ app }: Tab): readonly string[] => app.toasts.list$.value.map(({ text }) => text);

describe("Ten tabs with an expired token", () => {
  it("request one new token together, and the session continues", async () => {
    const { first, tabs } = await openTabs(10);
    const { server, product, clock } = first;
    product.expireToken();
    const reading = tabs.map(({ app }) => app.masks.refresh()());
    await clock.advance(1_000);
    for (const result of await Promise.all(reading)) expect(result).to.have.property("_tag", "Right");
    expect(server.requestsTo("POST /auth/refresh-token")).to.have.length(1);
    expect(tabs.every(isSignedIn)).to.equal(true);
    expect(tabs.flatMap(toasts)).to.deep.equal([]);
    for (const { storage } of tabs) expect(storage.local.read("authToken")).to.equal(product.token());
  });

  it("share a failure too: one attempt, not ten", async () => {
    const { first, tabs } = await openTabs(10);
    const { server, product, clock } = first;
    product.expireToken();
    for (const path of ["/auth/refresh-token", "/refresh-token"])
      server.on("POST", path, { status: 503, afterMs: 100 });
    const reading = tabs.map(({ app }) => app.masks.refresh()());
    await clock.advance(5_000);
    await Promise.all(reading);
    expect(server.requestsTo("POST /auth/refresh-token")).to.have.length(2);
    expect(server.requestsTo("POST /refresh-token")).to.have.length(1);
    expect(tabs.every(isSignedIn)).to.equal(true);
  });

  it("end together when the server refuses a refresh, and the requesting tab shows why", async () => {
    const { first, tabs } = await openTabs(10);
    first.product.endSession();
    const reading = tabs.map(({ app }) => app.masks.refresh()());
    await first.clock.advance(2_000);
    await Promise.all(reading);
    expect(tabs.some(isSignedIn)).to.equal(false);
    for (const { storage, page } of tabs) {
      expect([storage.local.keys(), storage.tab.keys()]).to.deep.equal([[], []]);
      expect(page.path$.value).to.equal("/login");
    }
    expect(tabs.flatMap(toasts)).to.include("Your session has expired. Please log in again.");
    expect(first.server.requestsTo("POST /auth/refresh-token").length).to.be.at.most(2);
  });

  it("wait at most 5 s for a suspended tab", async () => {
    const { first, tabs } = await openTabs(2);
    const { server, product, clock } = first;
    product.expireToken();
    let requestCount = 0;
    server.on("POST", "/auth/refresh-token", () => {
      requestCount += 1;
      return requestCount === 1 ? "silent" : { json: { token: product.token() } };
    });
    const [asleep, awake] = tabs;
    void asleep?.app.session.refresh()();
    await clock.advance(100);
    const refreshing = awake?.app.session.refresh()();
    await clock.advance(4_999);
    expect(requestCount).to.equal(1);
    await clock.advance(1 + 250);
    expect(await refreshing).to.have.property("_tag", "Right");
    expect(requestCount).to.equal(2);
  });

  it("use a token that another tab received up to 10 s ago", async () => {
    const { first, tabs } = await openTabs(2);
    const [one, two] = tabs;
    await one?.app.session.refresh()();
    await first.clock.advance(9_999);
    expect(await two?.app.session.refresh()()).to.have.property("_tag", "Right");
    expect(first.server.requestsTo("POST /auth/refresh-token")).to.have.length(1);
    await first.clock.advance(1);
    await two?.app.session.refresh()();
    expect(first.server.requestsTo("POST /auth/refresh-token")).to.have.length(2);
  });

  it("report when the attempts are used up, in whichever tab they were made", async () => {
    const { first, tabs } = await openTabs(2);
    for (const path of ["/auth/refresh-token", "/refresh-token"])
      first.server.on("POST", path, { status: 500 });
    const [one, two] = tabs;
    await one?.app.session.refresh()();
    await first.clock.advance(10_000);
    await two?.app.session.refresh()();
    await first.clock.advance(10_000);
    expect(tabs.every(isSignedIn)).to.equal(true);
    await one?.app.session.refresh()();
    expect(tabs.some(isSignedIn)).to.equal(false);
  });
});

describe("Tabs, under random events and delays,", () => {
  const step = fc.record({
    tab: fc.nat({ max: 4 }),
    afterMs: fc.nat({ max: 4_000 }),
    what: fc.constantFrom("read", "write", "expire", "refresh", "hide", "show"),
  });

  // A token is read while another tab, whose own attempt is exactly 10 s ago, gets the next one.
  const refreshedAgainAtOnce: (typeof step extends fc.Arbitrary<infer A> ? A : never)[] = [
    { tab: 2, afterMs: 3_209, what: "refresh" },
    { tab: 0, afterMs: 1_079, what: "read" },
    { tab: 0, afterMs: 2, what: "read" },
    { tab: 0, afterMs: 4_000, what: "read" },
    { tab: 0, afterMs: 1_710, what: "refresh" },
    { tab: 2, afterMs: 0, what: "refresh" },
    { tab: 0, afterMs: 0, what: "read" },
  ];

  it("never refresh twice within 10 s, never lose the session, and all finally have the same valid token", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 25 }),
        fc.array(fc.nat({ max: 4_000 }), { minLength: 1, maxLength: 8 }),
        async (steps, slowness) => {
          const { first, tabs } = await openTabs(5);
          const { server, product, clock } = first;
          const attempts: number[] = [];
          let answered = 0;
          const delay = (): number => slowness[answered++ % slowness.length] ?? 0;
          let issued = product.token();
          let good = issued;
          let count = 0;
          server.on("POST", "/auth/refresh-token", () => {
            attempts.push(clock.now());
            count += 1;
            issued = `head.token${count}.tail`;
            good = issued;
            return { json: { token: issued }, afterMs: delay() };
          });
          const authorised = (json: unknown) => (request: { headers: Readonly<Record<string, string>> }) =>
            request.headers["authorization"] === `Bearer ${good}`
              ? { json, afterMs: delay() }
              : { status: 401, afterMs: delay() };
          server.on("GET", "/masks", authorised({ masks: [createMask("m1")] }));
          server.on("PUT", "/masks/:id", authorised(createMask("m1")));
          server.on("GET", "/masks/:id", authorised(createMask("m1")));
          server.on("GET", "/account", { status: 404 });
          server.on("GET", "/auth/validate-token", { status: 200, json: {} });
          let expiredAt = Number.NEGATIVE_INFINITY;
          const act: Record<(typeof steps)[number]["what"], (tab: Tab) => void> = {
            read: ({ app }) => void app.masks.refresh()(),
            write: ({ app }) => void app.masks.setActive("m1", false)(),
            refresh: ({ app }) => void app.session.refresh()(),
            // A token lives longer than the 10 s in which no tab may refresh it again.
            expire: () => {
              if (clock.now() - Math.max(expiredAt, ...attempts) < 30_000) return;
              expiredAt = clock.now();
              good = "none";
            },
            hide: (tab) => tab.tabs.visible$.set(false),
            show: (tab) => tab.tabs.visible$.set(true),
          };
          await clock.advance(30_000);
          for (const { tab, afterMs, what } of steps) {
            act[what](tabs[tab] as Tab);
            await clock.advance(afterMs);
          }
          await clock.advance(60_000);
          for (const tab of tabs) void tab.app.masks.read("m1")();
          await clock.advance(60_000);
          attempts.reduce((before, now) => {
            expect(now - before).to.be.at.least(10_000);
            return now;
          }, Number.NEGATIVE_INFINITY);
          expect(tabs.every(isSignedIn)).to.equal(true);
          expect(new Set(tabs.map(({ storage }) => storage.local.read("authToken")))).to.have.property(
            "size",
            1,
          );
          expect(first.storage.local.read("authToken")).to.equal(good);
        },
      ),
      { numRuns: 60, examples: [[refreshedAgainAtOnce, [1, 0, 3]]] },
    );
  });
});
