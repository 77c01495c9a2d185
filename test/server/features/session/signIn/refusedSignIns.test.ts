import { expect } from "chai";
import { startServer, type TestServer } from "../../../support/startServer.ts";

describe("The operator's log of a sign-in that is refused", () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  it("has one line with the address of the connection, and none for one that succeeds", async () => {
    const email = "owner@home.example";
    const refusals = () =>
      server.logged.map((line) => JSON.parse(line)).filter(({ refused }) => refused !== undefined);
    await server.signIn(email);
    expect(refusals()).to.deep.equal([]);
    const stranger = server.client();
    await stranger.call("POST", "/login", { body: { email } });
    const right = await server.code(email);
    const otp = right === "123456" ? "654321" : "123456";
    expect((await stranger.call("PUT", "/login", { body: { email, otp } })).status).to.equal(401);
    const body = { email, code: "123456", tempToken: "unknown" };
    expect((await stranger.call("POST", "/login/verify2fa", { body })).status).to.equal(401);
    for (const refusal of refusals())
      expect(refusal).to.include({ refused: "sign-in", ip: "127.0.0.1", msg: "a stranger was refused" });
    expect(refusals()).to.have.lengthOf(2);
    expect(JSON.stringify(refusals())).not.to.match(/@|654321|123456/);
  });
});
