import { expect } from "chai";
import fc from "fast-check";
import * as E from "fp-ts/lib/Either.js";
import { NEVER } from "rxjs";
import { createRequestDeduplication } from "../../../core/api/requestDeduplication.ts";
import { network } from "../../../core/kernel/failure.ts";
import type { Http, HttpResponse } from "../../../core/ports/http.ts";
import { startApp } from "../../fakes/appOnFakes.ts";
import { createMask, tokenOf } from "../../fakes/productServer.ts";
import { createVirtualClock, settled } from "../../fakes/virtualClock.ts";

const m1 = createMask("m1");

describe("An identical GET", () => {
  const asking = async (answerAfterMs: number) => {
    const started = await startApp({ masks: [m1] });
    started.server.on("GET", "/masks/:id", { json: m1, afterMs: answerAfterMs });
    const read = () => started.app.masks.read("m1")();
    return { ...started, read, sent: () => started.server.requestsTo("GET /masks/m1").length };
  };

  it("shares the pending answer for exactly 5 s", async () => {
    const { read, sent, clock } = await asking(10_000);
    const first = read();
    await clock.advance(4_999);
    const second = read();
    await settled();
    expect(sent()).to.equal(1);
    await clock.advance(1);
    const third = read();
    const fourth = read();
    await settled();
    expect(sent()).to.equal(2);
    await clock.advance(10_000);
    for (const answer of await Promise.all([first, second, third, fourth]))
      expect(answer).to.have.nested.property("right.id", "m1");
  });

  it("is sent again once the answer has arrived", async () => {
    const { read, sent, clock } = await asking(100);
    const both = [read(), read()];
    await clock.advance(100);
    await Promise.all(both);
    void read();
    await settled();
    expect(sent()).to.equal(2);
  });

  it("shares a failure too", async () => {
    const { clock, server, read } = await asking(0);
    server.on("GET", "/masks/:id", "silent");
    const all = [read(), read(), read()];
    await clock.advance(15_000);
    await Promise.all(all);
    expect(server.requestsTo("GET /masks/m1")).to.have.length(1);
  });

  it("with another URL is sent on its own", async () => {
    const { app, server, clock } = await asking(1_000);
    const both = [app.masks.read("m1")(), app.masks.read("m2")(), app.masks.statistics("m1")()];
    await clock.advance(1_000);
    await Promise.all(both);
    expect(server.requests.slice(-3).map(({ path }) => path)).to.deep.equal([
      "/masks/m1",
      "/masks/m2",
      "/masks/m1/stats",
    ]);
  });

  it("is sent on its own after a change by this user was answered, so that it sees the change", async () => {
    const { app, server, read, sent, clock } = await asking(3_000);
    const early = read();
    server.on("PUT", "/masks/:id", { json: { ...m1, description: "New" } });
    await app.masks.edit("m1", {
      description: "New",
      forwardTo: "a@b.example",
      spamFilter: true,
      labels: [],
      note: "",
      customPrefix: "",
    })();
    void read();
    await settled();
    expect(sent()).to.equal(2);
    await clock.advance(3_000);
    await early;
  });

  it("is sent on its own after the socket reported a change elsewhere", async () => {
    const { server, sockets, sent, clock } = await asking(3_000);
    sockets.latest().accept();
    await clock.advance(2_000);
    const before = sent();
    for (const action of ["updated", "updated"]) {
      sockets.latest().push({ type: "data_update", data: { resource: "mask", resourceId: "m1", action } });
      await clock.advance(300);
    }
    await clock.advance(10_000);
    expect(sent()).to.equal(before + 2);
    expect(server.requestsTo("GET /masks/m1").length).to.equal(before + 2);
  });

  it("is sent on its own in another session", async () => {
    const { app, server, clock, storage } = await asking(4_000);
    const ours = app.masks.read("m1")();
    await settled();
    storage.local.write("authToken", tokenOf("bob@example.org"));
    const theirs = app.masks.read("m1")();
    await clock.advance(4_000);
    await Promise.all([ours, theirs]);
    expect(server.requestsTo("GET /masks/m1").map(({ headers }) => headers["authorization"])).to.deep.equal([
      `Bearer ${tokenOf("ada@example.org")}`,
      `Bearer ${tokenOf("bob@example.org")}`,
    ]);
  });
});

describe("Sharing of requests, at any times", () => {
  const answerTo = (url: string): HttpResponse => ({ status: 200, headers: {}, body: url });

  it("gives each request its answer, sent at most 5 s earlier and after the last change", async () => {
    const step = fc.record({
      afterMs: fc.nat({ max: 3_000 }),
      what: fc.constantFrom("GET /a", "GET /b", "PUT /a", "forget"),
      answeredAfterMs: fc.nat({ max: 12_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const clock = createVirtualClock();
        const sent: { readonly url: string; readonly at: number }[] = [];
        let changedAt = Number.NEGATIVE_INFINITY;
        let answeredAfterMs = 0;
        const wire: Http = (request) => () => {
          sent.push({ url: request.url, at: clock.now() });
          return new Promise((resolve) => {
            clock.scheduler.schedule(() => resolve(E.right(answerTo(request.url))), answeredAfterMs);
          });
        };
        const sharing = createRequestDeduplication(clock, () => "token");
        const http = sharing.middleware(wire);
        for (const one of steps) {
          await clock.advance(one.afterMs);
          answeredAfterMs = one.answeredAfterMs;
          if (one.what === "forget") {
            sharing.forgetPendingGets();
            changedAt = clock.now();
            continue;
          }
          const [method = "GET", url = ""] = one.what.split(" ") as ["GET" | "PUT", string];
          const before = sent.length;
          const answer = http({ method, url, headers: {} })();
          if (method === "PUT") void answer.then(() => (changedAt = clock.now()));
          else if (sent.length === before) {
            const shared = sent.findLast((known) => known.url === url);
            expect(clock.now() - (shared?.at ?? 0)).to.be.below(5_000);
            expect(shared?.at).to.be.at.least(changedAt);
          }
          void answer.then((got) => expect(got).to.deep.equal(E.right(answerTo(url))));
        }
        await clock.advance(20_000);
      }),
      { numRuns: 200 },
    );
  });

  it("never shares requests that can be canceled", async () => {
    const sent: string[] = [];
    const wire: Http =
      ({ url }) =>
      () => {
        sent.push(url);
        return Promise.resolve(E.left(network("gone")));
      };
    const http = createRequestDeduplication(createVirtualClock(), () => null).middleware(wire);
    const request = { method: "GET", url: "/a", headers: {}, abort$: NEVER } as const;
    await Promise.all([http(request)(), http(request)()]);
    expect(sent).to.have.length(2);
  });
});
