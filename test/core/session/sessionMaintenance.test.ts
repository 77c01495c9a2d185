import { expect } from "chai";
import { startApp } from "../../fakes/appOnFakes.ts";
import type { FakePorts } from "../../fakes/fakePorts.ts";
import { rightCode } from "../../fakes/productServer.ts";
import { startsAt } from "../../fakes/virtualClock.ts";
import { problemFrom } from "../problems.ts";

const minute = 60_000;
const hour = 3_600_000;

interface Left {
  /** How long ago, in milliseconds, the server last validated the token. */
  readonly validatedAgo?: number;
  /** In how many milliseconds the session expires. */
  readonly expiresIn?: number;
}

const visit = async (
  { validatedAgo, expiresIn }: Left = {},
  before: (fakes: FakePorts) => void = () => {},
) => {
  const started = await startApp({
    before: (fakes) => {
      const { local } = fakes.storage;
      if (validatedAgo !== undefined) local.write("lastValidated", String(startsAt - validatedAgo));
      if (expiresIn !== undefined) local.write("tokenExpiry", String(startsAt + expiresIn));
      before(fakes);
    },
  });
  const { server } = started;
  return {
    ...started,
    validations: () => server.requestsTo("GET /auth/validate-token").length,
    refreshes: () => server.requestsTo("POST /auth/refresh-token").length,
  };
};

describe("At the start, a session", () => {
  it("is not validated when that was done less than 30 s ago", async () => {
    const { validations } = await visit({ validatedAgo: 29_999 });
    expect(validations()).to.equal(0);
  });

  it("is validated when that was done 30 s ago, or never, and the time is stored", async () => {
    const known = await visit({ validatedAgo: 30_000 });
    expect(known.validations()).to.equal(1);
    expect(known.storage.local.read("lastValidated")).to.equal(String(startsAt));
    const never = await visit();
    expect(never.validations()).to.equal(1);
  });

  it("shows the app during the validation", async () => {
    const { app } = await visit({}, ({ server }) => server.on("GET", "/auth/validate-token", "silent"));
    expect(app.session.state$.value.kind).to.equal("signed-in");
  });

  it("is refreshed when the token is no longer valid", async () => {
    const { app, refreshes, storage } = await visit({}, ({ server }) => {
      server.on("GET", "/auth/validate-token", { status: 401 });
      server.on("POST", "/auth/refresh-token", { json: { token: "a.new.one" } });
      for (const path of ["/masks", "/account"]) server.on("GET", path, { status: 404 });
    });
    expect(refreshes()).to.equal(1);
    expect(storage.local.read("authToken")).to.equal("a.new.one");
    expect(app.session.state$.value.kind).to.equal("signed-in");
  });

  it("ends when the refresh fails too", async () => {
    const { app, page } = await visit({}, ({ server }) => {
      server.on("GET", "/auth/validate-token", { status: 401 });
      for (const path of ["/auth/refresh-token", "/refresh-token"])
        server.on("POST", path, { status: 401, json: { message: "Invalid or expired token" } });
    });
    expect(app.session.state$.value.kind).to.equal("signed-out");
    expect(page.path$.value).to.equal("/login");
  });

  for (const answer of ["unreachable", { status: 500 }, { status: 404 }] as const)
    it(`continues when the validation ends in ${JSON.stringify(answer)}`, async () => {
      const { app } = await visit({}, ({ server }) => server.on("GET", "/auth/validate-token", answer));
      expect(app.session.state$.value.kind).to.equal("signed-in");
    });
});

describe("As time passes, a session", () => {
  it("is refreshed once it expires in 3,600,000 ms", async () => {
    const { refreshes, clock, storage } = await visit({ validatedAgo: 0, expiresIn: hour + minute + 1 });
    await clock.advance(minute);
    expect(refreshes()).to.equal(0);
    await clock.advance(minute);
    expect(refreshes()).to.equal(1);
    expect(storage.local.read("tokenExpiry")).to.equal(String(clock.now() + 604_800_000));
  });

  it("is refreshed right at the start when it expires that soon", async () => {
    expect((await visit({ validatedAgo: 0, expiresIn: hour })).refreshes()).to.equal(1);
    expect((await visit({ validatedAgo: 0, expiresIn: hour + 1 })).refreshes()).to.equal(0);
  });

  it("is validated again once that was done more than 1,800,000 ms ago", async () => {
    const { validations, clock } = await visit({ validatedAgo: 0 });
    await clock.advance(30 * minute);
    expect(validations()).to.equal(0);
    await clock.advance(minute);
    expect(validations()).to.equal(1);
    await clock.advance(31 * minute);
    expect(validations()).to.equal(2);
  });

  it("is not maintained while the tab is hidden, and is as soon as it is visible", async () => {
    const { validations, clock, tabs } = await visit({ validatedAgo: 0 });
    tabs.visible$.set(false);
    await clock.advance(3 * hour);
    expect(validations()).to.equal(0);
    tabs.visible$.set(true);
    await clock.advance(0);
    expect(validations()).to.equal(1);
  });

  it("is not maintained while there is no network, and is as soon as it returns", async () => {
    const { refreshes, clock, online$ } = await visit({ validatedAgo: 0, expiresIn: 2 * hour });
    online$.set(false);
    await clock.advance(1.5 * hour);
    expect(refreshes()).to.equal(0);
    online$.set(true);
    await clock.advance(0);
    expect(refreshes()).to.equal(1);
  });

  it("is not maintained without a signed-in user", async () => {
    const { app, clock, server, validations } = await visit({ validatedAgo: 0 });
    await app.session.logOut()();
    const before = server.requests.length;
    await clock.advance(3 * hour);
    expect(validations()).to.equal(0);
    expect(server.requests.length).to.equal(before);
  });

  it("ends after the third failed attempt", async () => {
    const { app, clock } = await visit({ validatedAgo: 0, expiresIn: hour }, ({ server }) => {
      for (const path of ["/auth/refresh-token", "/refresh-token"]) server.on("POST", path, { status: 500 });
    });
    await clock.advance(minute);
    expect(app.session.state$.value.kind).to.equal("signed-in");
    await clock.advance(minute);
    expect(app.session.state$.value.kind).to.equal("signed-out");
  });
});

describe("Validating a session", () => {
  it("succeeds on a 200, and its time is stored", async () => {
    const { app, clock, storage } = await visit({ validatedAgo: 0 });
    await clock.advance(5_000);
    expect(await app.session.validate()()).to.have.property("_tag", "Right");
    expect(storage.local.read("lastValidated")).to.equal(String(clock.now()));
  });

  it("fails with a message when the server rejects the token", async () => {
    const { app, server } = await visit({ validatedAgo: 0 });
    server.on("GET", "/auth/validate-token", { status: 401 });
    for (const path of ["/auth/refresh-token", "/refresh-token"]) server.on("POST", path, { status: 401 });
    expect(problemFrom(await app.session.validate()()).message).to.equal("Invalid or expired token");
  });

  it("stores nothing when the user has logged out meanwhile", async () => {
    const { app, server, clock, storage } = await visit({ validatedAgo: 0 });
    server.on("GET", "/auth/validate-token", { json: {}, afterMs: 1_000 });
    const validating = app.session.validate()();
    await clock.advance(500);
    await app.session.logOut()();
    await clock.advance(500);
    await validating;
    expect(storage.local.keys()).to.deep.equal([]);
  });
});

describe("A new session", () => {
  it("has its token stored as a cookie for 604,800 s", async () => {
    const { app, server, clock } = await startApp({ isSignedIn: false });
    await app.signIn.requestCode("ada@example.org")();
    await clock.advance(500);
    await app.signIn.verifyCode(rightCode)();
    expect(server.requestsTo("POST /auth/set-token-cookie").map(({ body }) => body)).to.deep.equal([
      {
        token: app.session.state$.value.kind === "signed-in" ? "head.YWRhQGV4YW1wbGUub3Jn.tail" : "",
        maxAge: 604_800,
      },
    ]);
    const [request] = server.requestsTo("POST /auth/set-token-cookie");
    expect(request?.headers["x-request-id"]).to.match(/^[0-9a-f]{32}$/);
  });

  it("starts without a toast where the server cannot set the cookie", async () => {
    const { app, server, clock, reporter } = await startApp({ isSignedIn: false });
    server.on("POST", "/auth/set-token-cookie", { status: 500 });
    await app.signIn.requestCode("ada@example.org")();
    await clock.advance(500);
    await app.signIn.verifyCode(rightCode)();
    expect(app.session.state$.value.kind).to.equal("signed-in");
    expect(app.toasts.list$.value.map(({ text }) => text)).to.deep.equal(["Logged in successfully"]);
    expect(reporter.reports).to.deep.equal([]);
  });
});
