import { expect } from "chai";
import { pino } from "pino";
import { cryptoRandom } from "../../../../../adapters/system/clockAndRandom.ts";
import { insertFactorTicket } from "../../../../../server/features/session/twoFactor/twoFactorQueries.ts";
import { wrongCodeLimits } from "../../../../../server/features/signInCodes/codeLimits.ts";
import { createWrongCodes } from "../../../../../server/features/signInCodes/wrongCodes.ts";
import { createKeyedHash, newSecret } from "../../../../../server/platform/ops/keyedHash.ts";
import { lockUser } from "../../../../../server/platform/store/users.ts";
import { named } from "../../../../support/domainNames.ts";
import { wrongCodeAt } from "../../../support/authenticator.ts";
import { askForFactor, codeNow, nextStep, offer, protect } from "../../../support/secondFactor.ts";
import { newSecrets } from "../../../support/serverContext.ts";
import { startServer, type TestServer } from "../../../support/startServer.ts";
import { everyStore, postgresqlStore, requireStore } from "../../../support/stores.ts";

const many = 50;

for (const store of everyStore)
  describe(`Parallel second factors, on ${store.name}`, () => {
    const secrets = newSecrets();
    const hash = createKeyedHash(secrets.hashing);
    let server: TestServer;

    before(async function () {
      await requireStore(store).call(this);
      server = await startServer({ store, secrets });
    });
    after(() => server?.stop());

    /** Creates tickets in the store, because one user cannot get as many by mail. */
    const tickets = async (email: string): Promise<readonly string[]> => {
      const { id } = await server.database.db
        .selectFrom("users")
        .select("id")
        .where("email", "=", email)
        .executeTakeFirstOrThrow();
      const created = Array.from({ length: many }, () => newSecret(cryptoRandom));
      for (const ticket of created)
        await insertFactorTicket(server.database.db, {
          tokenHash: hash("second-factor", ticket),
          userId: id,
          expiresAt: server.clock.now() + 300_000,
        });
      return created;
    };
    const offers = (email: string, code: string, tempTokens: readonly string[]) =>
      Promise.all(tempTokens.map((tempToken) => offer(server, { email, code, tempToken })));
    const ok = (answers: readonly { status: number }[]): number =>
      answers.filter(({ status }) => status === 200).length;

    it("are accepted once for one code sent 50 times with 50 tickets", async () => {
      const { email, secret } = await protect(server, "many@example.org");
      const answers = await offers(email, codeNow(server, secret), await tickets(email));
      expect(ok(answers)).to.equal(1);
      expect(answers.filter(({ status }) => status === 401 || status === 429)).to.have.length(many - 1);
    });

    it("are accepted once for one recovery code sent 50 times", async () => {
      const { email, recoveryCodes } = await protect(server, "recovering@example.org");
      const answers = await offers(email, recoveryCodes[4] ?? "", await tickets(email));
      expect(ok(answers)).to.equal(1);
    });

    it("are accepted once for one ticket used 50 times with the right code", async () => {
      const { email, secret } = await protect(server, "one@example.org");
      const tempToken = await askForFactor(server, email);
      const answers = await offers(email, codeNow(server, secret), Array(many).fill(tempToken));
      expect(ok(answers)).to.equal(1);
    });

    it("have exactly five tries among 50 wrong codes with one ticket", async () => {
      const { email, secret } = await protect(server, "guessed@example.org");
      const tempToken = await askForFactor(server, email);
      const answers = await offers(
        email,
        wrongCodeAt(secret, server.clock.now()),
        Array(many).fill(tempToken),
      );
      const messages = answers.map(({ json }) => (json as { message: string }).message);
      expect(messages.filter((message) => message.startsWith("Invalid 2FA code"))).to.have.length(5);
      expect((await offer(server, { email, code: codeNow(server, secret), tempToken })).status).to.equal(401);
    });

    it("are switched on once, with one set of codes, by 50 parallel verifications", async () => {
      const browser = await server.signIn("eager@example.org");
      const { secret } = (await browser.call("POST", "/account/2fa/setup")).json as { secret: string };
      const code = codeNow(server, secret);
      const answers = await Promise.all(
        Array.from({ length: many }, () => browser.call("POST", "/account/2fa/verify", { body: { code } })),
      );
      expect(ok(answers)).to.equal(1);
      expect((await browser.call("GET", "/account/2fa")).json).to.have.property("recoveryCodesLeft", 10);
      nextStep(server);
    });

    it("are checked for only five of 50 wrong codes that are sent to switch it off", async () => {
      const { browser, secret } = await protect(server, "stolen@example.org");
      const code = wrongCodeAt(secret, server.clock.now());
      const answers = await Promise.all(
        Array.from({ length: many }, () => browser.call("DELETE", "/account/2fa", { body: { code } })),
      );
      expect(answers.filter(({ status }) => status === 400)).to.have.length(5);
      expect(answers.filter(({ status }) => status === 429)).to.have.length(many - 5);
    });
  });

describe("A second factor, on PostgreSQL", () => {
  let server: TestServer;

  before(async function () {
    await requireStore(postgresqlStore).call(this);
    server = await startServer({ store: postgresqlStore });
  });
  after(() => server?.stop());

  it("is accepted while the wrong code of which the owner is told is counted", async () => {
    const { clock, database } = server;
    const hash = createKeyedHash(newSecrets().hashing);
    const { email } = await protect(server, "between@example.org");
    const user = await database.db
      .selectFrom("users")
      .select(["id", "email"])
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    const sender = { brand: "Bauta", publicUrl: "https://bauta.test", maskDomain: named("mask.test") };
    const wrongCodes = createWrongCodes({
      database,
      hash,
      clock,
      random: cryptoRandom,
      sender,
      log: pino({ level: "silent" }),
    });
    const guess = { account: "between", client: "session", isKnown: true };
    const record = (found?: () => void) =>
      wrongCodes.record(guess, async () => {
        found?.();
        return user;
      });
    for (let n = 1; n < wrongCodeLimits.notifiedAfter; n += 1) await record();
    let counted: Promise<void> = Promise.resolve();
    await database.transaction(async (db) => {
      await lockUser(db, user.id);
      await new Promise<void>((found) => {
        counted = record(found);
      });
      await wrongCodes.forgive(db, guess);
    });
    await counted;
  });
});
