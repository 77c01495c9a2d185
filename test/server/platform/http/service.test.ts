import { expect } from "chai";
import { startServer } from "../../support/startServer.ts";

describe("The service endpoints of a server", () => {
  it("answer 503 with the state of each part until all are ready, then 200", async () => {
    const ready = { http: true, smtp: false, store: true, delivery: true };
    const server = await startServer({ ready: () => ready });
    const early = await server.client().call("GET", "/healthz");
    expect(early.status).to.equal(503);
    expect(early.json).to.deep.equal({ status: "not ready", parts: ready });
    ready.smtp = true;
    const late = await server.client().call("GET", "/healthz");
    expect(late.status).to.equal(200);
    expect(late.json).to.deep.equal({ status: "ready", parts: ready });
    await server.stop();
  });

  it("tell a process that lives from one that is ready for requests and mail", async () => {
    const parts = { http: true, smtp: true, store: true, delivery: false };
    const server = await startServer({ ready: () => parts });
    const read = async (path: string) => {
      const { status, json } = await server.client().call("GET", path);
      return { status, json };
    };
    const ready = { http: true, smtp: true, store: true };
    expect(await read("/readyz")).to.deep.equal({ status: 200, json: { status: "ready", parts: ready } });
    parts.store = false;
    expect(await read("/readyz")).to.deep.equal({
      status: 503,
      json: { status: "not ready", parts: { ...ready, store: false } },
    });
    expect(await read("/livez")).to.deep.equal({ status: 200, json: { status: "alive" } });
    await server.stop();
  });

  it("return the brand, the mask domain and the features to the app", async () => {
    const server = await startServer();
    const { status, json } = await server.client().call("GET", "/config.json");
    expect(status).to.equal(200);
    expect(json).to.deep.equal({
      brand: "Bauta",
      maskDomain: "masks.test",
      flags: { websockets: true, payments: false, encryption: true },
    });
    await server.stop();
  });

  it("cause one log line for each request, with the route and without its parameters", async () => {
    const server = await startServer();
    const user = await server.signIn("log.reader@example.org");
    await user.call("GET", "/masks/someones-mask-id?token=in-a-query");
    await user.call("GET", "/confirm?token=in-a-link");
    await user.call("GET", "/nowhere/at-all");
    await user.call("GET", `/ws?token=${user.token}`);
    const log = server.logged.join("");
    expect(log).to.contain('"route":"/masks/:id"').and.to.contain('"status":404').and.to.contain('"ms":');
    for (const secret of [
      "someones-mask-id",
      "in-a-query",
      "in-a-link",
      "at-all",
      "log.reader",
      String(user.token),
    ])
      expect(log).not.to.contain(secret);
    for (const value of user.cookies.values()) expect(log).not.to.contain(value);
    await server.stop();
  });
});
