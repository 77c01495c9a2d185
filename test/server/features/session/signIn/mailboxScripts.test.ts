import { expect } from "chai";
import { startServer, type TestServer } from "../../../support/startServer.ts";

const scripts = ["bücher.example", "xn--bcher-kva.example"] as const;

for (const [name, [first, other]] of Object.entries({
  "with letters": scripts,
  "in ASCII": [scripts[1], scripts[0]] as const,
}))
  describe(`An account whose domain is written ${name}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer();
    });
    after(() => server.stop());

    const countRows = async (table: "users" | "destinations"): Promise<number> =>
      (await server.database.db.selectFrom(table).select("id").where("email", "like", "me@%").execute())
        .length;

    it("is the one that the other script logs in to, and gets no second one", async () => {
      const owner = await server.signIn(`me@${first}`);
      const again = await server.signIn(`Me@${other.toUpperCase()}`);
      const idOf = async (client: typeof owner) =>
        ((await client.call("GET", "/account")).json as { email: string }).email;
      expect(await idOf(again)).to.equal(await idOf(owner));
      expect(await countRows("users")).to.equal(1);
    });

    it("takes a code that was asked for in the other script", async () => {
      await server.client().call("POST", "/login", { body: { email: `me@${other}` } });
      const otp = await server.code(`me@${other}`);
      const answer = await server.client().call("PUT", "/login", { body: { email: `me@${first}`, otp } });
      expect(answer.status).to.equal(200);
    });

    it("gets no second destination for the other script", async () => {
      const owner = await server.signIn(`me@${first}`);
      await owner.call("POST", "/masks", { body: { description: "", forwardTo: `me@${other}` } });
      await owner.call("POST", "/destinations", { body: { email: `me@${other}` } });
      expect(await countRows("destinations")).to.equal(1);
    });

    it("has as many codes as with one script", async () => {
      const statuses = [];
      for (const domain of [first, other, first, other, first, other, first]) {
        const answer = await server.client().call("POST", "/login", { body: { email: `many@${domain}` } });
        statuses.push(answer.status);
      }
      expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 429, 429]);
    });
  });
