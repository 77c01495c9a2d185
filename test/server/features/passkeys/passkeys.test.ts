import { expect } from "chai";
import { minuteMs } from "../../../../core/kernel/durations.ts";
import type { Passkey, Passkeys } from "../../../../core/passkeys/passkeyEndpoints.ts";
import { pruneUsedMarks } from "../../../../server/platform/store/usedMarks.ts";
import { bystander } from "../../support/bystander.ts";
import type { Answer, Client } from "../../support/client.ts";
import { codeNow, offer, protect } from "../../support/secondFactor.ts";
import {
  createSoftwareAuthenticator,
  type Deviation,
  type SoftwareAuthenticator,
} from "../../support/softwareAuthenticator.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

const email = "owner@home.example";

for (const store of everyStore)
  describe(`Passkeys (${store.name})`, () => {
    let server: TestServer;
    let owner: Client;

    before(requireStore(store));
    beforeEach(async () => {
      server = await startServer({ clockStands: true, store, trustedProxies: ["127.0.0.1"] });
      owner = await server.signIn(email);
    });
    afterEach(() => server?.stop());

    const optionsFor = async (path: string, client: Client): Promise<unknown> =>
      ((await client.call("POST", path)).json as { options: unknown }).options;
    const register = async (
      authenticator: SoftwareAuthenticator,
      { client = owner, deviation }: { readonly client?: Client; readonly deviation?: Deviation } = {},
    ): Promise<Answer> =>
      client.call("POST", "/account/passkeys", {
        body: authenticator.make(await optionsFor("/account/passkeys/options", client), deviation),
      });
    const registered = async (authenticator = createSoftwareAuthenticator()) => {
      const { status, json } = await register(authenticator);
      expect(status).to.equal(201);
      return { authenticator, passkey: json as Passkey };
    };
    const signIn = async (
      authenticator: SoftwareAuthenticator,
      {
        client = server.client(),
        deviation,
      }: { readonly client?: Client; readonly deviation?: Deviation } = {},
    ): Promise<Answer> =>
      client.call("POST", "/login/passkey", {
        body: authenticator.use(await optionsFor("/login/passkey/options", client), deviation),
      });
    const browserWith = async (authenticator: SoftwareAuthenticator): Promise<Client> => {
      const client = server.client();
      const { status, json } = await signIn(authenticator, { client });
      expect(status).to.equal(200);
      client.token = (json as { token: string }).token;
      return client;
    };
    const listed = async (client = owner): Promise<Passkeys> =>
      (await client.call("GET", "/account/passkeys")).json as Passkeys;
    const setOnly = (only: boolean): Promise<Answer> =>
      owner.call("PUT", "/account/passkeys-only", { body: { only } });
    const subjects = async (): Promise<readonly string[]> =>
      (await server.mails(email)).map(({ subject }) => subject);
    const passkeysOnlyMail = async (address: string) =>
      (await server.mails(address)).find(({ subject }) => subject.includes("with your passkey"));
    const kept = () => server.database.db.selectFrom("used_marks").selectAll().execute();
    const messageOf = ({ json }: Answer): string => (json as { message: string }).message;

    it("log in without an address, and without the second factor where they verify their holder", async () => {
      const { browser, email: address } = await protect(server, "both@home.example");
      const authenticator = createSoftwareAuthenticator();
      expect((await register(authenticator, { client: browser })).status).to.equal(201);
      const { status, json } = await signIn(authenticator);
      expect(status).to.equal(200);
      expect(json).to.have.nested.property("user.email", address);
    });

    it("ask for the second factor where they do not verify their holder", async () => {
      const { browser, secret, email: address } = await protect(server, "both@home.example");
      const authenticator = createSoftwareAuthenticator({ verifies: false });
      await register(authenticator, { client: browser });
      const { json } = await signIn(authenticator);
      expect(json).to.include({ requires2FA: true, email: address });
      const { tempToken } = json as { tempToken: string };
      const answer = await offer(server, { email: address, code: codeNow(server, secret), tempToken });
      expect(answer.status).to.equal(200);
      expect(
        await server.database.db
          .selectFrom("sessions")
          .where("user_id", "!=", bystander.id)
          .select("passkey_id")
          .execute(),
      ).to.deep.include({
        passkey_id: (await listed(browser)).passkeys[0]?.id ?? "",
      });
    });

    it("are listed with what tells one from the other", async () => {
      const synced = createSoftwareAuthenticator({
        isSynced: true,
        counts: false,
        aaguid: "ea9b8d664d011d213ce4b6b48cb575d4",
      });
      await registered(synced);
      server.clock.advance(minuteMs);
      const browser = await browserWith(synced);
      const [only] = (await listed(browser)).passkeys;
      expect(only).to.include({ name: "Google Password Manager", isSynced: true, isCurrent: true });
      expect(only?.lastUsed).to.equal(new Date(server.clock.now()).toISOString());
      expect((await listed()).passkeys[0]).to.include({ isCurrent: false });
    });

    it("are known by a random handle and never by the address", async () => {
      const options = (await optionsFor("/account/passkeys/options", owner)) as {
        user: { id: string };
        rp: { id: string };
        attestation: string;
      };
      expect(Buffer.from(options.user.id, "base64url")).to.have.length(32);
      expect(options).to.have.nested.property("rp.id", "bauta.test");
      expect(options.attestation).to.equal("none");
      const again = (await optionsFor("/account/passkeys/options", owner)) as typeof options;
      expect(again.user.id).to.equal(options.user.id);
    });

    it("are told to their owner when added and removed, by mail and notification", async () => {
      const { passkey } = await registered();
      await owner.call("DELETE", `/account/passkeys/${passkey.id}`);
      expect((await subjects()).join())
        .to.contain("A passkey was added")
        .and.contain("A passkey was removed");
      const notices = await server.database.db
        .selectFrom("notifications")
        .where("user_id", "!=", bystander.id)
        .select("message")
        .execute();
      expect(notices.filter(({ message }) => message.startsWith("The passkey"))).to.have.length(2);
    });

    it("can be renamed by their owner only", async () => {
      const { passkey } = await registered();
      const path = `/account/passkeys/${passkey.id}`;
      const other = await server.signIn("other@home.example");
      const body = { name: "Phone" };
      expect((await other.call("PATCH", path, { body })).status).to.equal(404);
      expect((await other.call("DELETE", path)).status).to.equal(404);
      expect((await owner.call("PATCH", path, { body })).json).to.include(body);
      expect((await owner.call("PATCH", path, { body: { name: " " } })).status).to.equal(400);
    });

    it("end their sessions when they are removed, and no other one", async () => {
      const { authenticator, passkey } = await registered();
      const browser = await browserWith(authenticator);
      expect((await browser.call("GET", "/account")).status).to.equal(200);
      await owner.call("DELETE", `/account/passkeys/${passkey.id}`);
      server.clock.advance(10_000);
      expect((await browser.call("GET", "/account")).status).to.equal(401);
      expect((await browser.refresh()).status).to.equal(401);
      expect((await owner.call("GET", "/account")).status).to.equal(200);
      expect((await signIn(authenticator)).status).to.equal(401);
    });

    it("end in the second step of a sign-in too", async () => {
      const { browser, secret, email: address } = await protect(server, "both@home.example");
      const authenticator = createSoftwareAuthenticator({ verifies: false });
      await register(authenticator, { client: browser });
      const { tempToken } = (await signIn(authenticator)).json as { tempToken: string };
      const [passkey] = (await listed(browser)).passkeys;
      await browser.call("DELETE", `/account/passkeys/${passkey?.id}`);
      const answer = await offer(server, { email: address, code: codeNow(server, secret), tempToken });
      expect(answer.status).to.equal(401);
    });

    it("are at most 20", async () => {
      for (let made = 0; made < 20; made += 1) await registered();
      expect((await owner.call("POST", "/account/passkeys/options")).status).to.equal(409);
    });

    it("log nobody in to a suspended account", async () => {
      const { authenticator } = await registered();
      await server.database.db
        .updateTable("users")
        .where("id", "!=", bystander.id)
        .set({ suspended: 1 })
        .execute();
      expect((await signIn(authenticator)).status).to.equal(403);
    });

    it("take each answer once", async () => {
      const { authenticator } = await registered();
      const options = await optionsFor("/login/passkey/options", server.client());
      const body = authenticator.use(options);
      expect((await server.client().call("POST", "/login/passkey", { body })).status).to.equal(200);
      const again = await server.client().call("POST", "/login/passkey", { body });
      expect(again.status).to.equal(401);
      expect(messageOf(again)).to.contain("answered already");
    });

    it("take no answer after five minutes", async () => {
      const { authenticator } = await registered();
      const options = await optionsFor("/login/passkey/options", server.client());
      server.clock.advance(5 * minuteMs);
      const late = await server.client().call("POST", "/login/passkey", { body: authenticator.use(options) });
      expect(late.status).to.equal(401);
      expect(messageOf(late)).to.contain("took too long");
    });

    it("refuse what was signed for something else, log it and count it", async () => {
      const { authenticator } = await registered();
      const other = await server.signIn("other@home.example");
      const others = createSoftwareAuthenticator();
      await register(others, { client: other });
      const stripVerified = (data: Buffer): Buffer => {
        const copy = Buffer.from(data);
        copy[32] = (copy[32] ?? 0) & ~4;
        return copy;
      };
      const bad: readonly (readonly [string, Deviation])[] = [
        ["challenge", { challenge: "bm90IGdpdmVuIGJ5IHRoaXMgc2VydmVy" }],
        ["origin", { origin: "https://bauta.example" }],
        ["signature", { rpId: "bauta.example" }],
        ["signature", { type: "webauthn.create" }],
        ["unreadable", { crossOrigin: true }],
        ["signature", { tamper: stripVerified }],
        ["unverified", { isVerified: false }],
        ["unknown", { credentialId: createSoftwareAuthenticator().credentialId }],
        ["owner", { credentialId: others.credentialId }],
        ["owner", { userHandle: null }],
        ["owner", { userHandle: Buffer.alloc(32).toString("base64url") }],
      ];
      for (const [reason, deviation] of bad) {
        const answer = await signIn(authenticator, { deviation });
        expect(answer.status, reason).to.equal(401);
        expect(messageOf(answer)).not.to.contain("home.example");
        expect(server.logged.join("")).to.contain(`"reason":"${reason}"`);
      }
      const refusals = server.logged.filter((line) => line.includes('"refused":"sign-in"'));
      expect(refusals).to.have.length(bad.length);
      const counted = await server.database.db
        .selectFrom("code_counts")
        .select("count")
        .where("kind", "=", "all-passkeys")
        .executeTakeFirstOrThrow();
      expect(Number(counted.count)).to.equal(bad.length);
      expect((await signIn(authenticator)).status).to.equal(200);
    });

    it("answer the same for a passkey of nobody and for one with another owner", async () => {
      const { authenticator } = await registered();
      const unknown = { credentialId: createSoftwareAuthenticator().credentialId };
      const [nobody, wrongOwner] = [
        await signIn(authenticator, { deviation: unknown }),
        await signIn(authenticator, { deviation: { userHandle: "AAAA" } }),
      ];
      expect(nobody.json).to.deep.equal(wrongOwner.json);
    });

    it("are refused when their counter does not increase, which their owner is told", async () => {
      const { authenticator } = await registered();
      await signIn(authenticator, { deviation: { counter: 9 } });
      for (const counter of [9, 3, 0]) {
        const answer = await signIn(authenticator, { deviation: { counter } });
        expect(answer.status).to.equal(401);
        expect(messageOf(answer)).to.contain("copied");
      }
      expect((await subjects()).join()).to.contain("A passkey may have been copied");
      expect((await signIn(authenticator, { deviation: { counter: 10 } })).status).to.equal(200);
    });

    it("are refused at registration for another origin, host or challenge, and when known already", async () => {
      const authenticator = createSoftwareAuthenticator();
      for (const [status, deviation] of [
        [400, { origin: "https://bauta.example" }],
        [400, { rpId: "bauta.example" }],
        [400, { type: "webauthn.get" }],
        [409, { challenge: "bm90IGdpdmVuIGJ5IHRoaXMgc2VydmVy" }],
      ] as const)
        expect((await register(authenticator, { deviation })).status).to.equal(status);
      expect((await listed()).passkeys).to.deep.equal([]);
      await registered(authenticator);
      expect((await register(authenticator)).status).to.equal(409);
    });

    it("are registered only with a challenge of the same user", async () => {
      const other = await server.signIn("other@home.example");
      const authenticator = createSoftwareAuthenticator();
      const body = authenticator.make(await optionsFor("/account/passkeys/options", other));
      expect((await owner.call("POST", "/account/passkeys", { body })).status).to.equal(409);
      const ofSignIn = (await optionsFor("/login/passkey/options", owner)) as { challenge: string };
      const { status } = await register(authenticator, { deviation: { challenge: ofSignIn.challenge } });
      expect(status).to.equal(409);
    });

    it("are refused without being checked after 30 wrong ones of a network in an hour", async () => {
      const { authenticator } = await registered();
      const body = authenticator.use({ challenge: "AAAA", rpId: "bauta.test" });
      const headers = { "x-forwarded-for": "203.0.113.7" };
      for (let tries = 0; tries < 30; tries += 1)
        expect((await server.client().call("POST", "/login/passkey", { body, headers })).status).to.equal(
          401,
        );
      const refused = await server.client().call("POST", "/login/passkey", { body, headers });
      expect(refused.status).to.equal(429);
      const options = await optionsFor("/account/proof/passkey/options", owner);
      const proof = { body: authenticator.use(options), headers };
      expect((await owner.call("PUT", "/account/proof/passkey", proof)).status, "of a user there").to.equal(
        200,
      );
      expect((await signIn(authenticator)).status).to.equal(200);
    });

    it("read nothing but what an authenticator answers", async () => {
      for (const body of [{}, { id: "a", rawId: "a", type: "password", response: {} }, { id: "=" }, null])
        expect((await server.client().call("POST", "/login/passkey", { body })).status).to.equal(400);
    });

    it("can be the only way in once there are two", async () => {
      expect((await setOnly(true)).status).to.equal(409);
      const { authenticator, passkey } = await registered();
      expect((await setOnly(true)).status).to.equal(409);
      await registered();
      expect((await setOnly(true)).json).to.include({ only: true, mayBeOnly: true });

      const asked = await server.client().call("POST", "/login", { body: { email } });
      expect(asked.json).to.deep.equal(
        (await server.client().call("POST", "/login", { body: { email: "nobody@home.example" } })).json,
      );
      const mail = await passkeysOnlyMail(email);
      expect(mail?.text).to.contain("Use a passkey");
      expect(mail?.text).not.to.match(/\b\d{6}\b/);
      expect((await signIn(authenticator)).status).to.equal(200);
      expect((await owner.call("DELETE", `/account/passkeys/${passkey.id}`)).status).to.equal(409);
      expect((await setOnly(false)).json).to.include({ only: false });
      expect((await owner.call("DELETE", `/account/passkeys/${passkey.id}`)).status).to.equal(200);
    });

    it("as the only way in refuse a code that was sent before", async () => {
      await server.client().call("POST", "/login", { body: { email } });
      const otp = await server.code(email);
      await registered();
      await registered();
      await setOnly(true);
      const answer = await server.client().call("PUT", "/login", { body: { email, otp } });
      expect(answer.status).to.equal(401);
      expect(messageOf(answer)).to.contain("Invalid verification code");
    });

    it("as the only way in leave a code with a recovery code, and none with an authenticator", async () => {
      const { browser, secret, recoveryCodes, email: address } = await protect(server, "both@home.example");
      const authenticator = createSoftwareAuthenticator();
      await register(authenticator, { client: browser });
      const only = await browser.call("PUT", "/account/passkeys-only", { body: { only: true } });
      expect(only.status).to.equal(200);
      const code = { code: codeNow(server, secret) };
      expect((await browser.call("DELETE", "/account/2fa", { body: code })).status).to.equal(409);

      const client = server.client();
      await client.call("POST", "/login", { body: { email: address } });
      const answer = await client.call("PUT", "/login", {
        body: { email: address, otp: /\b\d{6}\b/.exec((await passkeysOnlyMail(address))?.text ?? "")?.[0] },
      });
      const { tempToken } = answer.json as { tempToken: string };
      const factor = { email: address, tempToken };
      expect((await offer(server, { ...factor, code: codeNow(server, secret) })).status).to.equal(401);
      expect((await offer(server, { ...factor, code: recoveryCodes[0] ?? "" })).status).to.equal(200);
    });

    it("are in the export of an account without their keys, and are deleted with it", async () => {
      const { passkey } = await registered();
      const { json, text } = await owner.call("GET", "/account/export");
      expect(json).to.have.nested.property("passkeys[0].name", passkey.name);
      const [row] = await server.database.db
        .selectFrom("passkeys")
        .where("user_id", "!=", bystander.id)
        .selectAll()
        .execute();
      expect(text).not.to.contain(row?.public_key).and.not.to.contain(row?.credential_id);
      await owner.call("DELETE", "/account", { body: { email } });
      expect(
        await server.database.db
          .selectFrom("passkeys")
          .where("user_id", "!=", bystander.id)
          .selectAll()
          .execute(),
      ).to.deep.equal([]);
    });

    it("are not offered again after the answer", async () => {
      await owner.call("PUT", "/account/passkey-offer", { body: { answer: "declined" } });
      const { json } = await owner.call("GET", "/account");
      expect(json).to.include({ passkeyOffer: "declined" });
    });

    it("answer all who ask, and keep nothing of it, so that strangers stop nobody's passkeys", async () => {
      const { authenticator } = await registered();
      const asked = (n: number) =>
        server.client().call("POST", "/login/passkey/options", {
          headers: { "x-forwarded-for": `203.0.113.${n}` },
        });
      for (let n = 1; n <= 250; n += 1) expect((await asked(n)).status).to.equal(200);
      const options = await optionsFor("/account/proof/passkey/options", owner);
      expect(await kept(), "the one that made the passkey").to.have.length(1);
      const proof = await owner.call("PUT", "/account/proof/passkey", { body: authenticator.use(options) });
      expect(proof.status).to.equal(200);
      expect((await signIn(authenticator)).status).to.equal(200);
      expect(await kept()).to.have.length(3);
    });

    it("keep nothing of answers that no passkey of this server has signed", async () => {
      const { authenticator } = await registered();
      const before = await kept();
      for (const one of [createSoftwareAuthenticator(), authenticator])
        await signIn(one, { deviation: { rpId: "bauta.example" } });
      expect(await kept()).to.deep.equal(before);
    });

    it("take no challenge that was changed, or written in another way", async () => {
      const { authenticator } = await registered();
      const { challenge } = (await optionsFor("/login/passkey/options", server.client())) as {
        challenge: string;
      };
      const bytes = Buffer.from(challenge, "base64url");
      const changed = [0, 21, 30, bytes.length - 1].map((at) => {
        const copy = Buffer.from(bytes);
        copy[at] = (copy[at] ?? 0) ^ 1;
        return copy.toString("base64url");
      });
      for (const text of [...changed, `${challenge}=`, `${challenge}A`, challenge.slice(0, -4), ""])
        expect((await signIn(authenticator, { deviation: { challenge: text } })).status, text).to.equal(401);
      expect((await signIn(authenticator, { deviation: { challenge } })).status).to.equal(200);
      for (const text of [challenge, `${challenge}=`, `${challenge}==`, ` ${challenge}`])
        expect((await signIn(authenticator, { deviation: { challenge: text } })).status, text).to.equal(401);
    });

    it("keep a used challenge no longer than it could be answered", async () => {
      const { authenticator } = await registered();
      await signIn(authenticator);
      const [used] = (await kept()).slice(-1);
      expect(Number(used?.expires_at)).to.equal(server.clock.now() + 5 * minuteMs);
      await pruneUsedMarks(server.database.db, server.clock.now() + 5 * minuteMs);
      expect(await kept()).to.deep.equal([]);
    });
  });
