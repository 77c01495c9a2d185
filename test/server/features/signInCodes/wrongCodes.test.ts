import { expect } from "chai";
import { wrongCodeAt } from "../../support/authenticator.ts";
import { bystander } from "../../support/bystander.ts";
import type { Client } from "../../support/client.ts";
import { askForFactor, codeNow, offer, protect } from "../../support/secondFactor.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

const [minuteMs, dayMs] = [60_000, 24 * 60 * 60_000];
const email = "ada@example.org";

for (const store of everyStore)
  describe(`Wrong codes, on ${store.name}`, () => {
    let server: TestServer;

    before(requireStore(store));
    beforeEach(async () => {
      server = await startServer({ store, trustedProxies: ["loopback"], clockStands: true });
    });
    afterEach(() => server?.stop());

    const from = (network: string) => ({ "x-forwarded-for": network });
    const ask = (network: string, to = email, client = server.client()) => {
      // Of two mails of one moment neither is the newer.
      server.clock.advance(1);
      return client.call("POST", "/login", { body: { email: to }, headers: from(network) });
    };
    const enter = (network: string, otp: string, client: Client = server.client()) =>
      client.call("PUT", "/login", { body: { email, otp }, headers: from(network) });
    const wrongFor = (code: string): string => (code === "111111" ? "222222" : "111111");

    /** Guesses one code every 16 minutes, longer than any delay; returns how many were looked at. */
    const guess = async (network: string, most: number): Promise<number> => {
      let wrong = 0;
      for (let n = 0; n < most; n += 1) {
        server.clock.advance(16 * minuteMs);
        await ask(network.replace(/\.1$/, ".200"));
        const { status } = await enter(network, wrongFor(await server.code(email)));
        if (status === 401) wrong += 1;
      }
      return wrong;
    };
    const told = async () => ({
      notices: (
        await server.database.db
          .selectFrom("notifications")
          .where("user_id", "!=", bystander.id)
          .select("message")
          .execute()
      ).filter(({ message }) => message.startsWith("10 wrong codes")).length,
      mails: (await server.mails(email)).filter(({ subject }) => subject.startsWith("Wrong sign-in codes"))
        .length,
    });

    it("are at most ten a day of a network, with growing delays, and the owner is told once", async () => {
      const owner = await server.signIn(email);
      expect(await guess("198.51.100.1", 6)).to.equal(6);
      const waits: number[] = [];
      for (let n = 0; n < 4; n += 1) {
        const { status, headers } = await enter("198.51.100.1", wrongFor(await server.code(email)));
        expect(status).to.equal(429);
        waits.push(Number(headers.get("retry-after")));
        expect(await guess("198.51.100.1", 1)).to.equal(1);
      }
      expect(waits).to.deep.equal([30, 60, 120, 240]);
      expect(await guess("198.51.100.1", 2)).to.equal(0);
      const refused = await enter("198.51.100.77", await server.code(email));
      expect([refused.status, refused.headers.get("retry-after")], "the same /24").to.deep.equal([
        429,
        "86400",
      ]);
      expect(await told()).to.deep.equal({ notices: 1, mails: 1 });
      expect((await ask("192.0.2.1")).status).to.equal(200);
      expect((await enter("192.0.2.1", await server.code(email))).status, "the owner, elsewhere").to.equal(
        200,
      );
      expect(owner.cookies.has("maskBrowser")).to.equal(true);
      const metrics = await server.client().call("GET", "/metrics");
      if (metrics.status === 200) expect(metrics.text).to.match(/bauta_guessed_accounts 1/);
    });

    it("are at most fifty a day of all networks, and leave a known browser alone", async () => {
      const owner = await server.signIn(email);
      let wrong = 0;
      for (let n = 0; n < 6; n += 1) wrong += await guess(`10.0.${n}.1`, 10);
      expect(wrong).to.equal(50);
      expect((await enter("192.0.2.1", await server.code(email))).status).to.equal(429);
      for (let n = 0; n < 5; n += 1) await ask("198.51.100.9");
      expect((await ask("192.0.2.1", email, owner)).status, "with codes of its own").to.equal(200);
      expect((await enter("192.0.2.1", await server.code(email), owner)).status).to.equal(200);
      server.clock.advance(dayMs);
      expect((await ask("192.0.2.1")).status).to.equal(200);
      expect((await enter("192.0.2.1", await server.code(email))).status).to.equal(200);
    });

    it("count for second factors as well", async () => {
      const user = await protect(server, email);
      const wrong = wrongCodeAt(user.secret, server.clock.now());
      let refused = 0;
      for (let n = 0; n < 30 && refused === 0; n += 1) {
        const tempToken = await askForFactor(server, email);
        const { status } = await offer(server, { email, code: wrong, tempToken });
        if (status === 429) refused = n;
        server.clock.advance(16 * minuteMs);
      }
      expect(refused).to.equal(10);
      expect(await told()).to.deep.equal({ notices: 1, mails: 1 });
      server.clock.advance(dayMs);
      const tempToken = await askForFactor(server, email);
      expect((await offer(server, { email, code: codeNow(server, user.secret), tempToken })).status).to.equal(
        200,
      );
    });

    it("cannot be prepared with mails: a network causes sixty an hour, to whatever addresses", async () => {
      const statuses: number[] = [];
      for (let n = 0; n < 62; n += 1) {
        statuses.push((await ask(`198.51.100.${n + 1}`, `somebody${n}@example.org`)).status);
      }
      expect(statuses.filter((status) => status === 200)).to.have.lengthOf(60);
      expect((await ask("198.51.101.1", "else@example.org")).status).to.equal(200);
      const six = [];
      for (let n = 0; n < 61; n += 1)
        six.push((await ask(`2001:db8:0:${(n % 256).toString(16)}::1`, `six${n}@example.org`)).status);
      expect(six.filter((status) => status === 200)).to.have.lengthOf(60);
      server.clock.advance(60 * minuteMs);
      expect((await ask("198.51.100.1", "later@example.org")).status).to.equal(200);
    });
  });
