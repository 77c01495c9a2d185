import { expect } from "chai";
import { type AppOnFakes, startApp } from "../../fakes/appOnFakes.ts";
import type { Answer } from "../../fakes/fakeHttp.ts";
import { createMask } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";
import { problemFrom } from "../problems.ts";

const m1 = createMask("m1");
const draft = {
  description: "Shop",
  forwardTo: "ada@example.org",
  spamFilter: true,
  labels: [],
  note: "",
  customPrefix: "",
};
const issue = "Connection issue. Please try again later.";
const shown = ({ app }: Pick<AppOnFakes, "app">) =>
  app.toasts.list$.value.map(({ kind, text }) => [kind, text]);
const visit = () => startApp({ masks: [m1] });

describe("Without a network", () => {
  it("shows a toast and reports the failure", async () => {
    const visitor = await visit();
    visitor.server.cutOff(true);
    const problem = problemFrom(await visitor.app.masks.read("m9")());
    expect(problem.message).to.equal(issue);
    expect(shown(visitor)).to.deep.equal([["error", issue]]);
    expect(visitor.reporter.reports.map(({ error, context }) => [String(error), context])).to.deep.equal([
      ["Error: GET /masks/:id got no answer", { failure: "network" }],
    ]);
  });

  it("treats an answer that does not come within 15 s the same way", async () => {
    const visitor = await visit();
    visitor.sockets.latest().accept();
    visitor.server.on("GET", "/masks/:id", "silent");
    void visitor.app.masks.read("m9")();
    await visitor.clock.advance(15_000);
    expect(shown(visitor)).to.deep.equal([["error", issue]]);
  });

  it("shows one toast for a burst of failures, and reports them once", async () => {
    const visitor = await visit();
    visitor.server.cutOff(true);
    const ids = Array.from({ length: 20 }, (_, at) => `m${at}`);
    await Promise.all(ids.map((id) => visitor.app.masks.read(id)()));
    await visitor.app.account.refresh()();
    expect(shown(visitor)).to.deep.equal([["error", issue]]);
    expect(visitor.reporter.reports).to.have.length(1);
  });

  it("shows another toast when the first one is gone", async () => {
    const visitor = await visit();
    visitor.server.cutOff(true);
    await visitor.app.masks.read("m9")();
    await visitor.clock.advance(5_000);
    expect(shown(visitor)).to.deep.equal([]);
    await visitor.app.masks.read("m9")();
    expect(shown(visitor)).to.deep.equal([["error", issue]]);
  });

  it("shows no toast for what was read while the page says that it is offline, but for a change", async () => {
    const visitor = await visit();
    visitor.sockets.latest().accept();
    visitor.sockets.latest().drop(1012);
    visitor.server.cutOff(true);
    await visitor.app.masks.read("m9")();
    await visitor.app.account.refresh()();
    expect(visitor.app.realtime.isOffline$.value).to.equal(true);
    expect(shown(visitor)).to.deep.equal([]);
    await visitor.app.masks.create(draft)();
    expect(shown(visitor)).to.deep.equal([["error", issue]]);
  });

  it("loads the page with one toast only", async () => {
    const visitor = await startApp({ before: ({ server }) => server.cutOff(true) });
    expect(shown(visitor)).to.deep.equal([["error", issue]]);
  });
});

/** The actions that show a toast for their own failure. */
const actions: readonly (readonly [string, (visit: AppOnFakes) => Promise<unknown>])[] = [
  ["creating a mask", ({ app }) => app.masks.create(draft)()],
  ["editing a mask", ({ app }) => app.masks.edit("m1", draft)()],
  ["switching a mask off", ({ app }) => app.masks.setActive("m1", false)()],
  ["deleting a mask", ({ app }) => app.masks.remove("m1")()],
];

const failures: readonly (readonly [string, Answer, readonly [string, string]])[] = [
  ["the network is dead", "unreachable", ["error", issue]],
  [
    "the server is broken",
    { status: 500, json: { message: "Out of disk" } },
    ["error", "Server error: Out of disk. Our team has been notified."],
  ],
  [
    "the server is broken and says nothing",
    { status: 503 },
    ["error", "Server error: Server error. Our team has been notified."],
  ],
  [
    "there are too many requests",
    { status: 429, headers: { "retry-after": "60" } },
    ["warning", "Too many requests. Please try again in a moment."],
  ],
  [
    "the server refuses",
    { status: 403, json: { message: "Not on this plan" } },
    ["error", "Not on this plan"],
  ],
];

describe("One action has one toast", () => {
  for (const [action, begin] of actions)
    for (const [why, answer, toast] of failures)
      it(`when ${action} fails because ${why}`, async () => {
        const visitor = await visit();
        visitor.server.on("POST", "/masks", answer);
        visitor.server.on("PUT", "/masks/:id", answer);
        visitor.server.on("DELETE", "/masks/:id", answer);
        await begin(visitor);
        expect(shown(visitor)).to.deep.equal([toast]);
      });

  it("when a form shows the message beside its fields", async () => {
    const visitor = await startApp({ isSignedIn: false });
    visitor.server.on("POST", "/login", { status: 500, json: { error: "The mail server is away." } });
    const problem = problemFrom(await visitor.app.signIn.requestCode("ada@example.org")());
    const sentence = "Server error: The mail server is away. Our team has been notified.";
    expect(problem.message).to.equal(sentence);
    expect(shown(visitor)).to.deep.equal([["error", sentence]]);
  });
});

describe("A broken server", () => {
  it("is reported each time, as its toast promises", async () => {
    const visitor = await visit();
    visitor.server.on("GET", "/masks/:id", { status: 502 });
    await visitor.app.masks.read("m8")();
    await visitor.app.masks.read("m9")();
    expect(visitor.reporter.reports.map(({ error }) => String(error))).to.deep.equal([
      "Error: GET /masks/:id answered 502",
      "Error: GET /masks/:id answered 502",
    ]);
    expect(shown(visitor)).to.have.length(1);
  });
});

describe("The list of masks", () => {
  const refreshing = async (answers: readonly Answer[]) => {
    const visitor = await visit();
    const before = visitor.server.requestsTo("GET /masks").length;
    visitor.server.on(
      "GET",
      "/masks",
      () => answers[visitor.server.requestsTo("GET /masks").length - before - 1] ?? "unreachable",
    );
    const result = visitor.app.masks.refresh()();
    await settled();
    return { visitor, result, sent: () => visitor.server.requestsTo("GET /masks").slice(before) };
  };

  it("is fetched once more, with as few headers as possible, when no answer came", async () => {
    const { visitor, result, sent } = await refreshing([
      "unreachable",
      { json: { masks: [createMask("m7")] } },
    ]);
    expect(await result).to.have.property("_tag", "Right");
    expect(visitor.app.masks.view$.value.all.map(({ id }) => id)).to.deep.equal(["m7"]);
    expect(shown(visitor)).to.deep.equal([]);
    const headers = sent().map((request) => Object.keys(request.headers).toSorted());
    expect(headers).to.deep.equal([
      ["accept", "authorization", "x-csrf-token", "x-request-id"],
      ["accept", "authorization", "x-csrf-token", "x-request-id"],
    ]);
  });

  it("keeps the masks shown before when that fails too, with one toast", async () => {
    const { visitor, result, sent } = await refreshing(["unreachable", "unreachable"]);
    expect(problemFrom(await result).message).to.equal("Failed to get email masks");
    expect(sent()).to.have.length(2);
    expect(shown(visitor)).to.deep.equal([["error", issue]]);
    expect(visitor.app.masks.view$.value.warning).to.equal("Using cached mask data. Refresh when online.");
  });

  it("is not fetched again when the server has answered", async () => {
    const { result, sent } = await refreshing([{ status: 500 }]);
    await result;
    expect(sent()).to.have.length(1);
  });

  it("is the only request that is fetched once more", async () => {
    const visitor = await visit();
    visitor.server.on("GET", "/masks/:id", "unreachable");
    await visitor.app.masks.read("m1")();
    expect(visitor.server.requestsTo("GET /masks/m1")).to.have.length(1);
  });
});
