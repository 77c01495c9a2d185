import { expect } from "chai";
import { cryptoRandom } from "../../../../../adapters/system/clockAndRandom.ts";
import { mailboxKey } from "../../../../../core/mail/emailAddress.ts";
import { codeLifetimeMs } from "../../../../../core/session/oneTimeCode.ts";
import { parseSignInLink } from "../../../../../core/session/signIn/signInLink.ts";
import { createSignInLink } from "../../../../../server/features/session/signIn/signInLink.ts";
import { createKeyedHash } from "../../../../../server/platform/ops/keyedHash.ts";
import { startServer, type TestServer } from "../../../support/startServer.ts";

const secrets = {
  signing: new Uint8Array(32).fill(1),
  hashing: new Uint8Array(32).fill(2),
  sealing: new Uint8Array(32).fill(3),
};

describe("A sign-in link of the operator", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startServer({ secrets });
  });
  afterEach(() => server.stop());

  const linkFor = async (email: string): Promise<string> => {
    const { link } = await createSignInLink(server.database.db, {
      publicUrl: "https://app.example",
      email,
      hash: createKeyedHash(secrets.hashing),
      random: cryptoRandom,
      now: server.clock.now(),
    });
    return link;
  };
  const tokenOf = (link: string): string => parseSignInLink(new URL(link).hash)?.token ?? "";
  const open = (token: string) => server.client().call("POST", "/login/link", { body: { token } });

  it("signs in once, also when it is opened twice at the same time, and keeps its token to itself", async () => {
    await server.signIn("ada@example.org");
    const link = await linkFor("ada@example.org");
    expect(parseSignInLink(new URL(link).hash)?.email).to.equal("ada@example.org");
    const stored = await server.database.db.selectFrom("sign_up_tickets").selectAll().execute();
    expect(JSON.stringify(stored)).not.to.contain(tokenOf(link));
    const answers = await Promise.all([open(tokenOf(link)), open(tokenOf(link))]);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 401]);
    const [signedIn] = answers.filter(({ status }) => status === 200);
    expect(signedIn?.json).to.have.nested.property("user.email", "ada@example.org");
    expect(server.logged.join("")).not.to.contain(tokenOf(link));
  });

  it("is refused after ten minutes, and when it is invented", async () => {
    await server.signIn("ada@example.org");
    const link = await linkFor("ada@example.org");
    server.clock.advance(codeLifetimeMs);
    for (const token of [tokenOf(link), "invented", ""]) {
      const { status, json } = await open(token);
      expect([status, json]).to.deep.equal([
        401,
        { message: "This link was used already or has expired. Ask for another one." },
      ]);
    }
  });

  it("is no ticket of a sign-up, nor the other way round", async () => {
    const token = tokenOf(await linkFor("new@example.org"));
    const asTicket = await server
      .client()
      .call("POST", "/signup", { body: { tempToken: token, tier: "free" } });
    expect(asTicket.status).to.equal(401);
    const opened = await open(token);
    expect(opened.json).to.include({ status: "plan_selection_required" });
    expect((await open((opened.json as { tempToken: string }).tempToken)).status).to.equal(401);
  });

  it("still asks for the second factor of an account that has one", async () => {
    await server.signIn("ada@example.org");
    await server.database.db
      .updateTable("users")
      .set({ two_factor: 1 })
      .where("email_key", "=", mailboxKey("ada@example.org"))
      .execute();
    const { status, json } = await open(tokenOf(await linkFor("ada@example.org")));
    expect(status).to.equal(200);
    expect(json).to.include({ requires2FA: true }).and.not.have.property("token");
  });
});
