import { expect } from "chai";
import fc from "fast-check";
import { longestDelayMs, maximumRetries, retryAfterMs, retryDelayMs } from "../../../core/api/retry.ts";
import { startApp } from "../../fakes/appOnFakes.ts";
import type { Answer, ReceivedRequest } from "../../fakes/fakeHttp.ts";
import { createMask } from "../../fakes/productServer.ts";
import { startsAt } from "../../fakes/virtualClock.ts";
import { problemFrom } from "../problems.ts";

const draft = {
  description: "Shop",
  forwardTo: "ada@example.org",
  spamFilter: true,
  labels: [],
  note: "",
  customPrefix: "",
};
const tooMany = "Too many requests. Please try again in a moment.";
const limited = (headers: Record<string, string> = {}): Answer => ({
  status: 429,
  json: { message: "Slow down" },
  headers,
});

/** Requests one mask from a server that answers 429 the given number of times, and records the request times. */
const ask = async (refusals: number, refusal: Answer = limited(), fraction = 0.5) => {
  const started = await startApp({ masks: [createMask("m1")] });
  const { app, server, clock, ports } = started;
  Object.assign(ports.random, { fraction: () => fraction });
  const attempts: number[] = [];
  const from = clock.now();
  server.on("GET", "/masks/:id", () => {
    attempts.push(clock.now() - from);
    return attempts.length <= refusals ? refusal : { json: createMask("m1") };
  });
  const answer = app.masks.read("m2")();
  return { ...started, attempts, answer, toasts: () => app.toasts.list$.value.map(({ text }) => text) };
};

describe("A request that was refused as too many (429)", () => {
  it("is sent again at 1.5 s, 2.5 s and 4.5 s, at most 3 times", async () => {
    const { attempts, clock, answer } = await ask(9);
    await clock.advance(60_000);
    expect(attempts).to.deep.equal([0, 1_500, 4_000, 8_500]);
    expect(problemFrom(await answer).failure).to.include({ kind: "refused", status: 429 });
  });

  it("shows one toast at once, and no other when it is given up", async () => {
    const { toasts, clock, answer, app } = await ask(9);
    await clock.advance(0);
    expect(toasts()).to.deep.equal([tooMany]);
    app.toasts.close(app.toasts.list$.value[0]?.id ?? "");
    await clock.advance(60_000);
    await answer;
    expect(toasts()).to.deep.equal([]);
  });

  it("succeeds as soon as the server accepts it, and other requests do not notice", async () => {
    const { attempts, clock, answer, reporter } = await ask(2);
    await clock.advance(4_000);
    expect(attempts).to.have.length(3);
    expect(await answer).to.have.nested.property("right.id", "m1");
    expect(reporter.reports).to.deep.equal([]);
  });

  it("waits as long as the server demands, where that is longer, up to 10 s", async () => {
    const seconds = await ask(1, limited({ "retry-after": "7" }));
    await seconds.clock.advance(60_000);
    expect(seconds.attempts).to.deep.equal([0, 7_000]);
    const shorter = await ask(1, limited({ "retry-after": "1" }));
    await shorter.clock.advance(60_000);
    expect(shorter.attempts).to.deep.equal([0, 1_500]);
    const date = await ask(1, limited({ "retry-after": new Date(startsAt + 10_000).toUTCString() }));
    await date.clock.advance(60_000);
    expect(date.attempts).to.deep.equal([0, 10_000]);
  });

  it("is not sent again where the server demands more than 10 s", async () => {
    const { attempts, clock, answer, toasts } = await ask(1, limited({ "retry-after": "11" }));
    await clock.advance(0);
    expect(problemFrom(await answer).message).to.equal("Slow down");
    expect(toasts()).to.deep.equal([tooMany]);
    await clock.advance(60_000);
    expect(attempts).to.deep.equal([0]);
  });

  it("keeps its request id and its body when it is repeated, and shows one toast when it fails", async () => {
    const { app, server, clock } = await startApp();
    server.on("POST", "/masks", { status: 429 });
    const creating = app.masks.create(draft)();
    await clock.advance(4_000);
    expect(app.toasts.list$.value.map(({ text }) => text)).to.deep.equal([tooMany]);
    await clock.advance(20_000);
    const problem = problemFrom(await creating);
    expect(problem.message).to.equal(tooMany);
    const sent: readonly ReceivedRequest[] = server.requestsTo("POST /masks");
    expect(sent).to.have.length(4);
    expect(new Set(sent.map(({ headers }) => headers["x-request-id"]))).to.have.property("size", 1);
    expect(new Set(sent.map(({ body }) => JSON.stringify(body)))).to.have.property("size", 1);
    expect(app.toasts.list$.value).to.deep.equal([]);
  });

  it("is not repeated in the session of another user who signs in meanwhile", async () => {
    const { app, server, clock, storage } = await startApp();
    server.on("POST", "/masks", { status: 429 });
    const creating = app.masks.create(draft)();
    await clock.advance(500);
    await app.session.logOut()();
    storage.local.write("userEmail", "bob@example.org");
    storage.local.write("authToken", "the.other.token");
    await clock.advance(60_000);
    await creating;
    const names = server.requestsTo("POST /masks").map(({ headers }) => headers["authorization"]);
    expect(names).to.have.length(4);
    expect(names).to.not.include("Bearer the.other.token");
  });
});

describe("The delay before a repetition", () => {
  it("is 1000·2^n ms and up to 1 s more, and at most 10 s", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 40 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (n, chance) => {
          const delay = retryDelayMs(n, chance);
          expect(delay).to.be.at.least(Math.min(1_000 * 2 ** n, 10_000));
          expect(delay).to.be.at.most(Math.min(1_000 * 2 ** n + 1_000, 10_000));
        },
      ),
    );
    expect(longestDelayMs).to.equal(10_000);
    expect(maximumRetries).to.equal(3);
  });

  it("grows with each attempt", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 10 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (n, chance) => {
          expect(retryDelayMs(n + 1, chance)).to.be.at.least(retryDelayMs(n, chance));
        },
      ),
    );
  });

  it("is taken from any valid Retry-After, and an invalid one is ignored", () => {
    fc.assert(
      fc.property(fc.nat({ max: 100_000 }), (seconds) => {
        expect(retryAfterMs(String(seconds), startsAt)).to.equal(seconds * 1_000);
        const date = new Date(startsAt + seconds * 1_000).toUTCString();
        expect(retryAfterMs(date, startsAt)).to.equal(seconds * 1_000);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (rubbish) => {
        expect(retryAfterMs(rubbish, startsAt)).to.be.at.least(0);
      }),
    );
    for (const none of [undefined, "", "soon", "-5", new Date(startsAt - 1_000).toUTCString()])
      expect(retryAfterMs(none, startsAt), String(none)).to.equal(0);
  });
});
