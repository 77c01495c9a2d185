import { expect } from "chai";
import { minuteMs } from "../../../../core/kernel/durations.ts";
import { createAssertRecentlyProven } from "../../../../server/features/recentProof/recentProof.ts";
import { UseCaseError } from "../../../../server/platform/errors/useCaseError.ts";
import type { Answer, Client } from "../../support/client.ts";
import { proveByCode } from "../../support/recentProof.ts";
import { createSoftwareAuthenticator } from "../../support/softwareAuthenticator.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

const email = "owner@home.example";

const isAsked = ({ status, json }: Answer): boolean =>
  status === 403 &&
  (json as { errors?: readonly { field: string }[] }).errors?.some(({ field }) => field === "proof") === true;

const otherThan = (code: string): string => (code === "123456" ? "654321" : "123456");

for (const store of everyStore)
  describe(`What protects an account, on ${store.name}`, () => {
    let server: TestServer;
    let owner: Client;

    before(requireStore(store));
    beforeEach(async () => {
      server = await startServer({ clockStands: true, store });
      owner = await server.signIn(email);
    });
    afterEach(() => server?.stop());

    const prove = (code: string, client = owner): Promise<Answer> =>
      client.call("PUT", "/account/proof", { body: { code } });
    const isProven = async (): Promise<boolean> => !isAsked(await owner.call("DELETE", "/keys"));
    const optionsOf = async (path: string, client = owner): Promise<unknown> =>
      ((await client.call("POST", path)).json as { options: unknown }).options;
    const addPasskey = async (client = owner) => {
      const authenticator = createSoftwareAuthenticator();
      const made = authenticator.make(await optionsOf("/account/passkeys/options", client));
      expect((await client.call("POST", "/account/passkeys", { body: made })).status).to.equal(201);
      return authenticator;
    };

    it("is changed within five minutes of a sign-in or a proof, and not after them", async () => {
      expect(await isProven()).to.equal(true);
      server.clock.advance(5 * minuteMs + 1);
      expect(await isProven()).to.equal(false);
      await proveByCode(server, owner, email);
      server.clock.advance(5 * minuteMs);
      expect(await isProven()).to.equal(true);
      server.clock.advance(1);
      expect(await isProven()).to.equal(false);
    });

    it("is left alone by the choice of other settings, and by the address's own code", async () => {
      await owner.call("PUT", "/account/profile", { body: { email: "new@home.example" } });
      const code = await server.code("new@home.example");
      server.clock.advance(6 * minuteMs);
      const settings = await owner.call("PUT", "/account/profile", { body: { senderShown: "mask" } });
      expect(settings.status).to.equal(200);
      const confirmed = await owner.call("PUT", "/account/profile", {
        body: { email: "new@home.example", code },
      });
      expect(confirmed.status).to.equal(200);
    });

    it("is proven by a code of its own, once, within ten minutes and five tries", async () => {
      server.clock.advance(6 * minuteMs);
      await server.client().call("POST", "/login", { body: { email } });
      const signInCode = await server.code(email);
      server.clock.advance(1);
      await owner.call("POST", "/account/proof/code");
      const code = await server.code(email);
      if (signInCode !== code) expect((await prove(signInCode)).status).to.equal(400);
      const other = await server.signIn("other@home.example");
      expect((await prove(code, other)).status).to.equal(400);
      expect((await prove(code)).status).to.equal(200);
      expect(await isProven()).to.equal(true);
      expect((await prove(code)).status, "used").to.equal(400);

      server.clock.advance(6 * minuteMs);
      await owner.call("POST", "/account/proof/code");
      const late = await server.code(email);
      server.clock.advance(10 * minuteMs);
      await owner.refresh();
      expect((await prove(late)).status, "late").to.equal(400);

      await owner.call("POST", "/account/proof/code");
      const tried = await server.code(email);
      for (let tries = 0; tries < 5; tries += 1) expect((await prove(otherThan(tried))).status).to.equal(400);
      expect((await prove(tried)).status, "the sixth").to.be.oneOf([400, 429]);
      expect(await isProven()).to.equal(false);
    });

    it("is proven for the session that was asked, and no other one of the user", async () => {
      server.clock.advance(1);
      const second = await server.signIn(email);
      server.clock.advance(6 * minuteMs);
      await proveByCode(server, second, email);
      expect(await isProven()).to.equal(false);
      expect(isAsked(await second.call("DELETE", "/keys"))).to.equal(false);
    });

    it("is refused as signed out when the session ends while a request is under way", async () => {
      const assertRecentlyProven = createAssertRecentlyProven(server.context);
      const refused = await assertRecentlyProven({ callerId: "ended" }).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(UseCaseError).and.to.have.property("kind", "unauthenticated");
    });

    it("is proven by a passkey of the account, whose answer works once and was asked for this", async () => {
      const authenticator = await addPasskey();
      const other = await server.signIn("other@home.example");
      const othersPasskey = await addPasskey(other);
      server.clock.advance(6 * minuteMs);
      const answer = async (path: string, by = authenticator) =>
        owner.call("PUT", "/account/proof/passkey", { body: by.use(await optionsOf(path)) });
      expect((await answer("/login/passkey/options")).status, "asked for a sign-in").to.equal(400);
      expect((await answer("/account/proof/passkey/options", othersPasskey)).status, "another's").to.equal(
        400,
      );
      expect(await isProven()).to.equal(false);
      const used = authenticator.use(await optionsOf("/account/proof/passkey/options"));
      expect((await owner.call("PUT", "/account/proof/passkey", { body: used })).status).to.equal(200);
      expect(await isProven()).to.equal(true);
      server.clock.advance(6 * minuteMs);
      expect((await owner.call("PUT", "/account/proof/passkey", { body: used })).status).to.equal(400);
      expect(await isProven()).to.equal(false);
    });

    it("is not proven by a code where only passkeys log in", async () => {
      await addPasskey();
      await addPasskey();
      await owner.call("PUT", "/account/passkeys-only", { body: { only: true } });
      server.clock.advance(6 * minuteMs);
      const refused = await owner.call("POST", "/account/proof/code");
      expect(refused.status).to.equal(403);
      expect((refused.json as { message: string }).message).to.contain("requires a passkey");
    });
  });
