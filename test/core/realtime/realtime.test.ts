import { expect } from "chai";
import fc from "fast-check";
import { socketAddress } from "../../../core/realtime/address.ts";
import { type ConnectionEvent, noConnection, step } from "../../../core/realtime/connection.ts";
import { reconnectDelay } from "../../../core/realtime/reconnectDelay.ts";
import { startApp } from "../../fakes/appOnFakes.ts";
import { makeUser, tokenOf } from "../../fakes/productServer.ts";
import { startsAt } from "../../fakes/virtualClock.ts";

const token = tokenOf("ada@example.org");

describe("The address of the socket", () => {
  it("is /ws with token, time, client and session", () => {
    expect(socketAddress("", "a.b.c", 1_700_000_000_000, "00ff")).to.equal(
      "/ws?token=a.b.c&t=1700000000000&client=web&sessionId=00ff",
    );
    expect(socketAddress("https://api.example.org/", "a.b.c", 0, "00")).to.match(
      /^wss:\/\/api\.example\.org\/ws\?/,
    );
    expect(socketAddress("http://localhost:3000", "a.b.c", 0, "00")).to.match(/^ws:\/\/localhost:3000\/ws\?/);
  });

  it("is none for a token without three dot-separated parts", () => {
    for (const other of ["", "abc", "a.b", "a.b.c.d", "a..c", ".b.c", "a.b."])
      expect(socketAddress("", other, 0, "00"), other).to.equal(null);
  });
});

describe("The wait before reconnecting", () => {
  it("is 2 s × 1.5^n, at most 30 s", () => {
    const middle = [0, 1, 2, 3, 4, 20].map((attempt) => reconnectDelay(attempt, 0.5));
    expect(middle).to.deep.equal([2_000, 3_000, 4_500, 6_750, 10_125, 30_000]);
  });

  it("is 20 % shorter or longer by chance, never over 30 s", () => {
    expect(reconnectDelay(0, 0)).to.equal(1_600);
    fc.assert(
      fc.property(
        fc.nat(1_000),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, fraction) => {
          const exact = Math.min(2_000 * 1.5 ** attempt, Number.MAX_SAFE_INTEGER);
          const delay = reconnectDelay(attempt, fraction);
          expect(delay).to.be.at.most(30_000);
          expect(delay).to.be.at.least(Math.min(30_000, Math.floor(exact * 0.8)));
          expect(delay).to.be.at.most(Math.ceil(exact * 1.2));
        },
      ),
    );
  });
});

describe("The connection", () => {
  it("opens when somebody is signed in, and says who it is", async () => {
    const { app, sockets } = await startApp();
    expect(app.realtime.state$.value).to.equal("connecting");
    sockets.latest().accept();
    expect(app.realtime.state$.value).to.equal("connected");
    const [message] = sockets.latest().sent;
    expect(message?.["type"]).to.equal("auth");
    expect(message?.["timestamp"]).to.equal(startsAt);
    expect(message?.["sessionId"]).to.match(/^[0-9a-f]{32}$/);
    expect(message?.["data"]).to.deep.equal({
      token,
      sessionId: message?.["sessionId"],
      capabilities: { binary: false, compression: false, encryption: false },
    });
    expect(sockets.latest().address).to.equal(
      `/ws?token=${encodeURIComponent(token)}&t=${startsAt}&client=web&sessionId=${message?.["sessionId"]}`,
    );
  });

  it("is not made for nobody, nor where sockets are off", async () => {
    const flags = { websockets: false };
    const off = await startApp({
      settings: { configuration: { brand: "B", maskDomain: "m.example", flags } },
    });
    const nobody = await startApp({ isSignedIn: false });
    expect([off.sockets.connections.length, nobody.sockets.connections.length]).to.deep.equal([0, 0]);
    expect(off.app.realtime.state$.value).to.equal("idle");
  });

  it("comes back after it breaks, later each time, and soon again once it has held", async () => {
    const { app, sockets, clock } = await startApp();
    sockets.latest().accept();
    const waits: number[] = [];
    for (let i = 0; i < 6; i += 1) {
      const count = sockets.connections.length;
      sockets.latest().drop(1006);
      expect(app.realtime.state$.value).to.equal("disconnected");
      let waited = 0;
      while (sockets.connections.length === count && waited < 40_000) {
        await clock.advance(100);
        waited += 100;
      }
      waits.push(waited);
    }
    const expected = [2_000, 3_000, 4_500, 6_750, 10_125, 15_187];
    waits.forEach((wait, i) => {
      expect(wait).to.be.within((expected[i] ?? 0) * 0.8, (expected[i] ?? 0) * 1.2 + 100);
    });
    sockets.latest().accept();
    const count = sockets.connections.length;
    sockets.latest().drop(1001);
    await clock.advance(2_400);
    expect(sockets.connections).to.have.length(count + 1);
  });

  it("does not come back after a normal close", async () => {
    const { app, sockets, clock } = await startApp();
    sockets.latest().accept();
    sockets.latest().drop(1000);
    await clock.advance(600_000);
    expect(sockets.connections).to.have.length(1);
    expect(app.realtime.state$.value).to.equal("disconnected");
  });

  it("ends for good when the server does not accept who it is", async () => {
    const { app, sockets, clock } = await startApp();
    sockets.latest().accept();
    sockets.latest().say({ type: "auth_response", data: { success: false, error: "no" } });
    await clock.advance(600_000);
    expect(sockets.connections).to.have.length(1);
    expect(sockets.latest().closedBy()).to.deep.equal({ code: 1000, reason: "authentication failed" });
    expect(app.realtime.state$.value).to.equal("disconnected");
  });

  it("bears what it does not understand", async () => {
    const { app, sockets } = await startApp();
    sockets.latest().accept();
    for (const odd of ["", "{", "null", "7", '{"type":"tomorrow"}', '{"type":"data_update"}', "\u0000"])
      sockets.latest().say(odd);
    expect(app.realtime.state$.value).to.equal("connected");
  });

  it("is not tried with a token that builds no address", async () => {
    const user = makeUser("ada@example.org");
    const { app, sockets } = await startApp({
      isSignedIn: false,
      user,
      before: ({ storage, server }) => {
        server.on("GET", "/account", { status: 503 });
        server.on("GET", "/masks", { json: { masks: [] } });
        storage.local.write("userEmail", user.email);
        storage.local.write("userData", JSON.stringify(user));
        storage.local.write("authToken", "opaque");
      },
    });
    expect(sockets.connections).to.have.length(0);
    expect(app.realtime.state$.value).to.equal("disconnected");
  });

  it("waits for nothing once nobody wants it", async () => {
    const { app, sockets, clock } = await startApp();
    sockets.latest().accept();
    sockets.latest().drop(1006);
    await app.session.logOut()();
    await clock.advance(600_000);
    expect(sockets.connections).to.have.length(1);
    expect(app.realtime.state$.value).to.equal("idle");
  });
});

describe("The connection's rules", () => {
  const event: fc.Arbitrary<ConnectionEvent> = fc.oneof(
    fc.record({ kind: fc.constant("wanted" as const), wanted: fc.boolean() }),
    fc.record({ kind: fc.constantFrom("opened" as const, "retry-due" as const) }),
    fc.record({ kind: fc.constant("closed" as const), code: fc.constantFrom(1000, 1001, 1006, 1008) }),
    fc.record({
      kind: fc.constant("received" as const),
      message: fc.boolean().map((success) => ({ type: "auth_response" as const, data: { success } })),
    }),
  );

  it("never open or retry while nobody wants a connection, whatever happens", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let model = noConnection;
        for (const happened of events) {
          const next = step(model, happened);
          const opens = next.effects.some(({ kind }) => kind === "open" || kind === "retry-later");
          if (opens) expect(next.model.wanted).to.equal(true);
          if (!next.model.wanted) expect(next.model.state).to.equal("idle");
          model = next.model;
        }
      }),
    );
  });
});
