import { expect } from "chai";
import { AccountExport } from "../../../../core/account/accountDataEndpoints.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

describe("the export of an account", () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  it("contains the user's masks with rules and statistics, destinations, usage and notifications, and nothing of other users", async () => {
    const user = await server.signIn("taking@example.org");
    const other = await server.signIn("other@example.org");
    await other.call("POST", "/masks", { body: { description: "Somebody else's" } });
    const created = await user.call("POST", "/masks", {
      body: { description: "Corner Shop", forwardTo: "elsewhere@example.org" },
    });
    const { maskEmail } = created.json as { maskEmail: string };
    const { status, json, text } = await user.call("GET", "/account/export");
    expect(status).to.equal(200);
    const taken = json as AccountExport;
    expect(AccountExport.is(taken)).to.equal(true);
    expect(taken).to.include({ format: "bauta-export", version: 1 });
    expect(taken.account.email).to.equal("taking@example.org");
    expect(taken.masks).to.have.length(1);
    expect(taken.masks[0]).to.deep.include({
      description: "Corner Shop",
      forwardTo: "elsewhere@example.org",
      addresses: [maskEmail],
    });
    expect(taken.masks[0]?.statistics).to.include({ totalReceived: 0 });
    expect(taken.destinations.map(({ email }) => email)).to.have.members([
      "taking@example.org",
      "elsewhere@example.org",
    ]);
    expect(text).not.to.include("Somebody else's");
    expect(text, "no secret of any kind").not.to.match(/hash|secret|token/i);
  });

  it("requires a session", async () => {
    expect((await server.client().call("GET", "/account/export")).status).to.equal(401);
  });
});
