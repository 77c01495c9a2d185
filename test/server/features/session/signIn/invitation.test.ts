import { expect } from "chai";
import { cryptoRandom } from "../../../../../adapters/system/clockAndRandom.ts";
import { invitationLifetimeMs } from "../../../../../server/features/session/lifetimes.ts";
import { createInvitation } from "../../../../../server/features/session/signIn/invitationQueries.ts";
import { createKeyedHash } from "../../../../../server/platform/ops/keyedHash.ts";
import { removeBystander } from "../../../support/bystander.ts";
import { startServer, type TestServer } from "../../../support/startServer.ts";
import { everyStore, requireStore } from "../../../support/stores.ts";

const secrets = {
  signing: new Uint8Array(32).fill(1),
  hashing: new Uint8Array(32).fill(2),
  sealing: new Uint8Array(32).fill(3),
};

for (const store of everyStore)
  describe(`Sign-up on a server that is not open to everybody, on ${store.name} (SIGN_UP)`, () => {
    let server: TestServer;
    before(requireStore(store));
    afterEach(() => server.stop());

    const start = async (mode: "invite" | "closed", allowed: readonly string[] = []): Promise<void> => {
      server = await startServer({ signUp: { mode, allowed }, secrets, store });
    };

    const verify = async (email: string) => {
      await server.client().call("POST", "/login", { body: { email } });
      return server.client().call("PUT", "/login", { body: { email, otp: await server.code(email) } });
    };
    const signUp = async (email: string, invitation?: string) => {
      const { tempToken } = (await verify(email)).json as { tempToken: string };
      return server
        .client()
        .call("POST", "/signup", { body: { tempToken, tier: "free", ...(invitation && { invitation }) } });
    };
    const invite = () =>
      createInvitation(server.database.db, {
        hash: createKeyedHash(secrets.hashing),
        random: cryptoRandom,
        now: server.clock.now(),
      });
    const refused = { status: 403, field: "invitation" };
    const outcome = ({ status, json }: { status: number; json: unknown }) => ({
      status,
      field: (json as { errors?: { field: string }[] }).errors?.[0]?.field,
    });

    it("needs an invitation, which works once, also for two parallel uses", async () => {
      await start("invite");
      expect((await verify("new@example.org")).json).to.include({
        status: "plan_selection_required",
        needsInvitation: true,
      });
      expect(outcome(await signUp("new@example.org"))).to.deep.equal(refused);
      expect(outcome(await signUp("new@example.org", "invented"))).to.deep.equal(refused);
      const { token } = await invite();
      const answers = await Promise.all([signUp("one@example.org", token), signUp("two@example.org", token)]);
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 403]);
      expect(outcome(await signUp("three@example.org", token))).to.deep.equal(refused);
    });

    it("refuses an invitation that is older than seven days", async () => {
      await start("invite");
      const { token } = await invite();
      server.clock.advance(invitationLifetimeMs);
      expect(outcome(await signUp("late@example.org", token))).to.deep.equal(refused);
    });

    it("needs no invitation for allowed addresses and domains, nor for users with an account", async () => {
      await start("invite", ["me@example.org", "family.example"]);
      for (const email of ["Me@Example.org", "aunt@family.example"]) {
        expect((await verify(email)).json, email).not.to.have.property("needsInvitation");
        expect((await signUp(email)).status, email).to.equal(200);
      }
      expect((await verify("me@example.org")).json).to.have.property("token");
      expect((await verify("other@example.org")).json).to.have.property("needsInvitation", true);
    });

    it("accepts no new users when it is closed, and says so to the owner of the mailbox only", async () => {
      await start("closed", ["me@example.org"]);
      expect((await signUp("me@example.org")).status).to.equal(200);
      const asked = await server.client().call("POST", "/login", { body: { email: "new@example.org" } });
      expect(asked.status).to.equal(200);
      const { status, json } = await verify("new@example.org");
      expect([status, json]).to.deep.equal([
        403,
        { message: "This server takes no new accounts. Ask the operator." },
      ]);
    });

    it("makes the first account of an installation the operator's, and no other", async () => {
      await start("invite", ["example.org"]);
      await removeBystander(server.database, "an account that is there already would be the first");
      for (const email of ["first@example.org", "second@example.org"]) await signUp(email);
      const users = await server.database.db
        .selectFrom("users")
        .select(["email", "is_operator"])
        .orderBy("email")
        .execute();
      expect(users).to.deep.equal([
        { email: "first@example.org", is_operator: 1 },
        { email: "second@example.org", is_operator: 0 },
      ]);
    });
  });
