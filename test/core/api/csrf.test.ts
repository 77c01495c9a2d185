import { expect } from "chai";
import { startApp } from "../../fakes/appOnFakes.ts";
import type { Answer } from "../../fakes/fakeHttp.ts";
import { createMask } from "../../fakes/productServer.ts";
import { problemFrom } from "../problems.ts";

const draft = {
  description: "Shop",
  forwardTo: "ada@example.org",
  spamFilter: true,
  labels: [],
  note: "",
  customPrefix: "",
};

/** A server that accepts one CSRF token only, which it returns on request. */
const strict = async (refusal: Answer, renewal: Answer = { json: { csrfToken: "good" } }) => {
  const started = await startApp({ masks: [createMask("m1")] });
  started.server.on("GET", "/csrf-token", renewal);
  started.server.on("POST", "/masks", ({ headers }) =>
    headers["x-csrf-token"] === "good" ? { json: createMask("m2") } : refusal,
  );
  const before = started.server.requestsTo("GET /csrf-token").length;
  return {
    ...started,
    renewals: () => started.server.requestsTo("GET /csrf-token").length - before,
    sent: () => started.server.requestsTo("POST /masks"),
  };
};

describe("The CSRF token of a fresh browser (RQ12)", () => {
  it("is requested at the start, and the first GET carries one already", async () => {
    const { server } = await startApp({ masks: [createMask("m1")] });
    expect(server.requestsTo("GET /csrf-token")).to.have.length(1);
    const [first] = server.requestsTo("GET /masks");
    expect(first?.headers["x-csrf-token"]).to.match(/^[0-9a-f]{32}$/);
  });
});

describe("A request refused for its CSRF token", () => {
  for (const json of [
    { message: "CSRF token missing" },
    { error: "invalid csrf token" },
    { message: "Forbidden", error: "CSRF_MISMATCH" },
  ])
    it(`fetches a new token and is sent again, when the server answers ${JSON.stringify(json)}`, async () => {
      const { app, renewals, sent, storage } = await strict({ status: 403, json });
      expect(await app.masks.create(draft)()).to.have.property("_tag", "Right");
      expect(renewals()).to.equal(1);
      expect(sent().map(({ headers }) => headers["x-csrf-token"])).to.deep.equal([
        "c5f".padEnd(32, "0"),
        "good",
      ]);
      expect(new Set(sent().map(({ headers }) => headers["x-request-id"]))).to.have.property("size", 1);
      expect(storage.local.read("csrfToken")).to.equal("good");
      expect(app.toasts.list$.value.map(({ text }) => text)).to.deep.equal(["Mask created successfully"]);
    });

  it("also takes the token from the header of the answer", async () => {
    const { app } = await strict(
      { status: 403, json: { message: "CSRF" } },
      { json: {}, headers: { "x-csrf-token": "good" } },
    );
    expect(await app.masks.create(draft)()).to.have.property("_tag", "Right");
  });

  it("is sent again only once", async () => {
    const { app, renewals, sent } = await strict(
      { status: 403, json: { message: "CSRF token invalid" } },
      { json: { csrfToken: "bad" } },
    );
    const { message } = problemFrom(await app.masks.create(draft)());
    expect(message).to.equal("CSRF token invalid");
    expect([sent().length, renewals()]).to.deep.equal([2, 1]);
    expect(app.toasts.list$.value.map(({ text }) => text)).to.deep.equal(["CSRF token invalid"]);
  });

  it("is not sent again where no new token can be fetched", async () => {
    const { app, sent } = await strict(
      { status: 403, json: { message: "CSRF token invalid" } },
      { status: 404 },
    );
    expect(problemFrom(await app.masks.create(draft)()).message).to.equal("CSRF token invalid");
    expect(sent()).to.have.length(1);
  });

  it("is distinguished from any other 403", async () => {
    const { app, renewals, sent } = await strict({ status: 403, json: { message: "Free allows 2 masks" } });
    expect(problemFrom(await app.masks.create(draft)()).message).to.equal("Free allows 2 masks");
    expect([sent().length, renewals()]).to.deep.equal([1, 0]);
  });

  it("shares the new token with other requests that were refused", async () => {
    const { app, server, renewals } = await strict({ status: 403, json: { message: "CSRF" } });
    server.on("PUT", "/masks/:id", ({ headers }) =>
      headers["x-csrf-token"] === "good"
        ? { json: createMask("m1") }
        : { status: 403, json: { message: "CSRF" } },
    );
    server.on("GET", "/csrf-token", () => Promise.resolve({ json: { csrfToken: "good" } }));
    const both = await Promise.all([app.masks.create(draft)(), app.masks.setActive("m1", false)()]);
    expect(both.map(({ _tag }) => _tag)).to.deep.equal(["Right", "Right"]);
    expect(renewals()).to.equal(1);
  });
});
