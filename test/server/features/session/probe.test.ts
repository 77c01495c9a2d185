import { expect } from "chai";
import { startServer, type TestServer } from "../../support/startServer.ts";

const probe = "000000";

describe("A request that probes whether an account exists (SI12, D35)", () => {
  let server: TestServer;

  before(async () => {
    server = await startServer();
    await server.signIn("known@example.org");
  });
  after(() => server.stop());

  const ask = (email: string, client = server.client()) =>
    client.call("PUT", "/login", { body: { email, otp: probe } });

  it("is answered 401 for every address, with an account or without, with a pending code or without", async () => {
    await server.client().call("POST", "/login", { body: { email: "waiting@example.org" } });
    const answers = await Promise.all(
      ["known@example.org", "unknown@example.org", "waiting@example.org"].map((one) => ask(one)),
    );
    for (const { status, text } of answers) {
      expect(status).to.equal(401);
      expect(text).to.equal(answers[0]?.text);
    }
  });

  it("is answered plan_selection_required only in the browser that has just confirmed the mailbox", async () => {
    const email = "fresh@example.org";
    const browser = server.client();
    await browser.call("POST", "/login", { body: { email } });
    const verified = await browser.call("PUT", "/login", { body: { email, otp: await server.code(email) } });
    const { tempToken } = verified.json as { tempToken: string };
    const probed = await ask(email, browser);
    expect(probed.status).to.equal(200);
    expect(probed.json).to.deep.equal({ status: "plan_selection_required", tempToken });
    expect((await ask(email)).status, "another browser").to.equal(401);
    expect((await ask("unknown@example.org", browser)).status, "another address").to.equal(401);
    server.clock.advance(31 * 60_000);
    expect((await ask(email, browser)).status, "after half an hour").to.equal(401);
  });

  it("uses up no try of a code", async () => {
    const email = "patient@example.org";
    await server.client().call("POST", "/login", { body: { email } });
    for (let tries = 0; tries < 8; tries++) await ask(email);
    const right = { email, otp: await server.code(email) };
    expect((await server.client().call("PUT", "/login", { body: right })).status).to.equal(200);
  });
});
