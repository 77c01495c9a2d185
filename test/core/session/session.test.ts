import { expect } from "chai";
import { type Observable, Subject } from "rxjs";
import { createApp } from "../../../core/app/createApp.ts";
import { type AppOnFakes, startApp, storeSession } from "../../fakes/appOnFakes.ts";
import { createFakePorts, type FakePorts } from "../../fakes/fakePorts.ts";
import { createMemoryStorage, type MemoryStorage } from "../../fakes/memoryStorage.ts";
import { createMask, createUser, rightCode, serveProduct, tokenOf } from "../../fakes/productServer.ts";
import { settled, startsAt } from "../../fakes/virtualClock.ts";

const ada = createUser("ada@example.org");
const session = { token: tokenOf(ada.email), user: ada };

const startWith = (write: (storage: MemoryStorage) => void, path = "/"): Promise<AppOnFakes> =>
  startApp({ isSignedIn: false, path, before: ({ storage }) => write(storage) });

describe("A session", () => {
  it("is undetermined before the app has started", () => {
    const { ports, server } = createFakePorts();
    const app = createApp(ports, { configuration: { brand: "Bauta", maskDomain: "masks.example" } });
    expect(app.session.state$.value).to.deep.equal({ kind: "starting" });
    expect(server.requests).to.have.length(0);
  });

  it("is restored at the next visit", async () => {
    const { app, page } = await startApp();
    expect(app.session.state$.value).to.deep.equal({ kind: "signed-in", user: ada });
    expect(page.path$.value).to.equal("/");
  });

  it("redirects from the sign-in page to the app", async () => {
    const { page } = await startApp({ path: "/login" });
    expect(page.path$.value).to.equal("/");
  });

  for (const missing of ["authToken", "userEmail", "userData"]) {
    it(`is not restored without the stored ${missing}, and the rest is removed`, async () => {
      const { app, storage } = await startWith((stored) => {
        storeSession(stored, session);
        stored.local.remove(missing);
      });
      expect(app.session.state$.value).to.deep.equal({ kind: "signed-out" });
      expect(storage.local.read("authToken")).to.equal(null);
      expect(storage.local.read("userData")).to.equal(null);
    });
  }

  it("is not restored when the stored user is unreadable", async () => {
    const { app } = await startWith((stored) => {
      storeSession(stored, session);
      stored.local.write("userData", '{"email":');
    });
    expect(app.session.state$.value.kind).to.equal("signed-out");
  });

  describe("that has just expired", () => {
    const startAt = (expiry: number, before: (fakes: FakePorts) => void = () => {}) =>
      startApp({
        before: (fakes) => {
          fakes.storage.local.write("tokenExpiry", String(expiry));
          before(fakes);
        },
      });
    const refuse =
      (status: number) =>
      ({ server }: FakePorts): void => {
        for (const path of ["/auth/refresh-token", "/refresh-token"]) server.on("POST", path, { status });
      };

    it("is refreshed before any other request", async () => {
      const { app, page, server, storage, product } = await startAt(startsAt - 1);
      expect(app.session.state$.value).to.deep.equal({ kind: "signed-in", user: ada });
      expect(page.path$.value).to.equal("/");
      expect(storage.local.read("authToken")).to.equal(product.token());
      expect(storage.local.read("tokenExpiry")).to.equal(String(startsAt + 604_800_000));
      const calls = server.requests.map(({ path }) => path).filter((path) => path !== "/csrf-token");
      expect(calls[0]).to.equal("/auth/refresh-token");
    });

    it("is undetermined during the refresh", async () => {
      const { app, clock } = await startAt(startsAt - 1, ({ server }) =>
        server.on("POST", "/auth/refresh-token", { json: session, afterMs: 2_000 }),
      );
      expect(app.session.state$.value.kind).to.equal("starting");
      await clock.advance(2_000);
      expect(app.session.state$.value.kind).to.equal("signed-in");
    });

    for (const [what, before] of [
      ["refuses", refuse(401)],
      ["is broken", refuse(500)],
      ["cannot be reached", ({ server }: FakePorts) => server.cutOff(true)],
    ] as const)
      it(`ends when the server ${what}: a toast, an empty storage, the page /login`, async () => {
        const { app, page, storage } = await startAt(startsAt - 1, before);
        expect(app.session.state$.value.kind).to.equal("signed-out");
        expect(page.path$.value).to.equal("/login");
        expect(storage.local.keys()).to.deep.equal([]);
        expect(app.toasts.list$.value.map(({ text }) => text)).to.include(
          "Your session has expired. Please log in again.",
        );
      });

    it("is still valid a millisecond before", async () => {
      const { app } = await startAt(startsAt);
      expect(app.session.state$.value.kind).to.equal("signed-in");
    });
  });

  it("that never existed causes no redirect", async () => {
    const { page } = await startWith(() => {});
    expect(page.path$.value).to.equal("/");
  });

  it("ends when the server no longer accepts it: an empty storage, the page /login", async () => {
    const { app, server, storage, page } = await startApp();
    server.on("GET", "/masks", { status: 401, json: { message: "expired" } });
    await app.masks.refresh()();
    expect(app.session.state$.value).to.deep.equal({ kind: "signed-out" });
    expect(page.path$.value).to.equal("/login");
    expect(storage.local.read("authToken")).to.equal(null);
  });

  it("stays on a login path when it ends there", async () => {
    const { app, server, page } = await startApp();
    page.path$.set("/login/help");
    server.on("GET", "/masks", { status: 401 });
    await app.masks.refresh()();
    expect(app.session.state$.value.kind).to.equal("signed-out");
    expect(page.path$.value).to.equal("/login/help");
  });

  it("does not end after a wrong code", async () => {
    const { app, page } = await startApp();
    await app.signIn.verifyCode("999999")();
    expect(app.session.state$.value.kind).to.equal("signed-in");
    expect(page.path$.value).to.equal("/");
  });

  it("does not end by a late answer for an earlier session", async () => {
    const { app, server, clock } = await startApp();
    server.on("GET", "/masks", { status: 401, afterMs: 5_000 });
    const late = app.masks.refresh()();
    await settled();
    await app.session.logOut()();
    await app.signIn.requestCode("ada@example.org")();
    await clock.advance(500);
    server.on("PUT", "/login", { json: { token: "another.session.token", user: ada } });
    server.on("GET", "/masks", { json: { masks: [] } });
    server.on("GET", "/account", { status: 503 });
    await app.signIn.verifyCode(rightCode)();
    await clock.advance(5_000);
    await late;
    expect(app.session.state$.value.kind).to.equal("signed-in");
  });
});

describe("Logging out", () => {
  const busyVisit = async () => {
    const started = await startApp({ masks: [createMask("m1")] });
    started.app.theme.choose("dark");
    await started.clock.advance(1_000);
    expect(started.storage.local.keys()).to.include("cached_masks");
    return started;
  };

  it("removes everything from the browser except the theme, and shows the sign-in page", async () => {
    const { app, storage, page } = await busyVisit();
    await app.session.logOut()();
    expect(storage.local.keys()).to.deep.equal(["theme"]);
    expect(storage.tab.keys()).to.deep.equal([]);
    expect(page.path$.value).to.equal("/login");
    expect(app.session.state$.value).to.deep.equal({ kind: "signed-out" });
    expect(app.masks.view$.value.all).to.deep.equal([]);
    expect(app.account.account$.value).to.equal(null);
  });

  it("is sent to the server with the token of the session that ends", async () => {
    const { app, server } = await busyVisit();
    await app.session.logOut()();
    const [logout] = server.requestsTo("POST /logout");
    expect(logout?.headers["authorization"]).to.equal(`Bearer ${tokenOf(ada.email)}`);
    expect(logout?.body).to.equal(undefined);
  });

  for (const answer of ["unreachable", { status: 500 }] as const) {
    it(`clears everything when the server answers ${JSON.stringify(answer)}`, async () => {
      const { app, server, storage, page } = await busyVisit();
      server.on("POST", "/logout", answer);
      page.setCookie("csrfToken", "c5f");
      await app.session.logOut()();
      expect(storage.local.keys()).to.have.members(["theme", "owedLogout"]);
      expect(storage.local.read("owedLogout"), "no secret").to.equal('{"sessionId":null}');
      expect(page.path$.value).to.equal("/login");
      expect(page.cookie("csrfToken")).to.equal(null);
    });
  }

  /** A user whose logout does not reach the server. */
  const owing = async () => {
    const payload = Buffer.from('{"sub":"u1","sid":"s-1_A"}').toString("base64url");
    const started = await startApp();
    started.storage.local.write("authToken", `head.${payload}.tail`);
    started.server.on("POST", "/logout", "unreachable");
    await started.app.session.logOut()();
    const logouts = () => started.server.requestsTo("POST /logout");
    expect(logouts()).to.have.length(1);
    return { ...started, logouts };
  };

  it("is repeated, without a token, when the network is back, and each minute until the server answers", async () => {
    const { online$, clock, server, storage, logouts, app } = await owing();
    await clock.advance(59_000);
    expect(logouts()).to.have.length(1);
    online$.set(false);
    await clock.advance(600_000);
    expect(logouts()).to.have.length(1);
    server.on("POST", "/logout", { status: 503 });
    online$.set(true);
    await settled();
    expect(logouts()).to.have.length(2);
    expect(logouts()[1]?.headers).to.not.have.property("authorization");
    server.on("POST", "/logout", { json: {} });
    await clock.advance(60_000);
    expect(logouts()).to.have.length(3);
    expect(storage.local.read("owedLogout")).to.equal(null);
    await clock.advance(600_000);
    expect(logouts()).to.have.length(3);
    expect(app.toasts.list$.value).to.deep.equal([]);
  });

  it("is repeated at the next visit", async () => {
    const { storage } = await owing();
    const next = await startApp({ storage, isSignedIn: false });
    await settled();
    expect(next.server.requestsTo("POST /logout")).to.have.length(1);
    expect(storage.local.read("owedLogout")).to.equal(null);
  });

  it("ends the session by its id after a new sign-in, whose cookie the logout would delete", async () => {
    const { app, server, storage, clock, logouts } = await owing();
    server.on("DELETE", "/account/sessions/:id", { status: 503 });
    await app.signIn.requestCode("ada@example.org")();
    await clock.advance(500);
    await app.signIn.verifyCode(rightCode)();
    await settled();
    expect(server.requestsTo("DELETE /account/sessions/s-1_A")).to.have.length(1);
    expect(logouts()).to.have.length(1);
    expect(app.session.state$.value.kind).to.equal("signed-in");
    server.on("DELETE", "/account/sessions/:id", { status: 404 });
    await clock.advance(60_000);
    expect(storage.local.read("owedLogout")).to.equal(null);
  });

  it("does not wait for a server that never answers", async () => {
    const { app, server, storage, clock } = await busyVisit();
    server.on("POST", "/logout", "silent");
    const logout = app.session.logOut()();
    expect(app.session.state$.value.kind).to.equal("signed-out");
    await clock.advance(15_000);
    await logout;
    expect(storage.local.keys()).to.have.members(["theme", "owedLogout"]);
  });

  it("discards answers that arrive afterwards", async () => {
    const { app, server, storage, clock } = await busyVisit();
    const headers = { "x-csrf-token": "late" };
    server.on("GET", "/masks", { json: { masks: [createMask("m2")] }, headers, afterMs: 3_000 });
    server.on("POST", "/logout", { headers, afterMs: 3_000 });
    const reading = app.masks.refresh()();
    await settled();
    const logout = app.session.logOut()();
    await clock.advance(10_000);
    await Promise.all([reading, logout]);
    expect(storage.local.keys()).to.deep.equal(["theme"]);
    expect(app.masks.view$.value.all).to.deep.equal([]);
  });

  it("closes the socket", async () => {
    const { app, sockets } = await busyVisit();
    sockets.latest().accept();
    await app.session.logOut()();
    expect(sockets.latest().closedBy()).to.include({ code: 1000 });
    expect(app.realtime.state$.value).to.equal("idle");
  });
});

describe("Two tabs", () => {
  const twoTabs = async (isSignedIn: boolean, ofSecond: { readonly painted$?: Observable<void> } = {}) => {
    const here = createMemoryStorage();
    const first = await startApp({ storage: here, isSignedIn });
    const second = createFakePorts({ storage: here.openTab(), clock: first.clock });
    serveProduct(second.server);
    const configuration = { brand: "Bauta", maskDomain: "masks.example" };
    const app = createApp(second.ports, { configuration, ...ofSecond });
    app.start();
    await settled();
    return { first, second: { ...second, app } };
  };

  it("log out together, and neither keeps any data", async () => {
    const { first, second } = await twoTabs(true);
    await first.app.session.logOut()();
    await first.clock.advance(1_000);
    expect(second.app.session.state$.value).to.deep.equal({ kind: "signed-out" });
    expect(second.page.path$.value).to.equal("/login");
    expect(second.storage.local.keys()).to.deep.equal([]);
    expect(second.storage.tab.keys()).to.deep.equal([]);
  });

  it("keep nothing where one of them logs out before the other has loaded everything", async () => {
    const painted$ = new Subject<void>();
    const { first, second } = await twoTabs(true, { painted$ });
    await first.app.session.logOut()();
    painted$.next();
    await first.clock.advance(1_000);
    expect(second.server.requestsTo("GET /csrf-token")).to.have.length(1);
    expect(second.storage.local.keys()).to.deep.equal([]);
  });

  it("sign in together", async () => {
    const { first, second } = await twoTabs(false);
    await first.app.signIn.requestCode("ada@example.org")();
    await first.clock.advance(500);
    await first.app.signIn.verifyCode(rightCode)();
    expect(second.app.session.state$.value).to.deep.equal({ kind: "signed-in", user: ada });
    expect(JSON.parse(second.storage.tab.read("userData") ?? "")).to.deep.equal(ada);
  });

  it("change users together, each with a new connection", async () => {
    const { first, second } = await twoTabs(true);
    const bob = createUser("bob@example.org");
    serveProduct(second.server, { user: bob });
    storeSession(first.storage, { token: tokenOf(bob.email), user: bob });
    await settled();
    expect(second.app.session.state$.value).to.deep.equal({ kind: "signed-in", user: bob });
    expect(second.sockets.latest().address).to.include(encodeURIComponent(tokenOf(bob.email)));
    expect(second.sockets.connections.at(0)?.closedBy()).to.include({ code: 1000 });
  });
});

describe("Starting the app", () => {
  it("shows that it failed, and reports the cause, after an exception", async () => {
    const fakes = createFakePorts();
    const broken = {
      ...fakes.storage.local,
      read: () => {
        throw new Error("storage is gone");
      },
    };
    const ports = { ...fakes.ports, storage: { ...fakes.storage, local: broken } };
    const app = createApp(ports, { configuration: { brand: "Bauta", maskDomain: "masks.example" } });
    app.start();
    expect(app.banner.message$.value).to.equal("Failed to initialize application. Please refresh the page.");
    expect(fakes.reporter.reports.map(({ error }) => String(error))).to.deep.equal([
      "Error: storage is gone",
    ]);
  });

  it("works again after it was stopped", async () => {
    const { app, stop, server, clock, sockets } = await startApp();
    stop();
    await clock.advance(60_000);
    const before = server.requests.length;
    await clock.advance(60_000);
    expect(server.requests).to.have.length(before);
    expect(sockets.latest().closedBy()).to.not.equal(null);
    const stopAgain = app.start();
    await settled();
    expect(app.masks.view$.value.status).to.equal("ready");
    stopAgain();
  });
});
