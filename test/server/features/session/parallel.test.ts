import { expect } from "chai";
import { bystander } from "../../support/bystander.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

const many = <A>(count: number, make: (index: number) => Promise<A>): Promise<A[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const ok = (answers: readonly { status: number }[]): number =>
  answers.filter(({ status }) => status === 200).length;

for (const store of everyStore)
  describe(`Parallel sign-ins, on ${store.name}`, () => {
    let server: TestServer;

    before(async function () {
      await requireStore(store).call(this);
      server = await startServer({ store });
    });
    after(() => server?.stop());

    const ask = (email: string) => server.client().call("POST", "/login", { body: { email } });
    const verify = (email: string, otp: string) =>
      server.client().call("PUT", "/login", { body: { email, otp } });

    it("get exactly one token for the right code sent 100 times", async () => {
      const email = "known@example.org";
      await server.signIn(email);
      await ask(email);
      const code = await server.code(email);
      const answers = await many(100, () => verify(email, code));
      const tokens = answers.filter(({ json }) => (json as { token?: string }).token !== undefined);
      expect(tokens).to.have.length(1);
      expect(answers.filter(({ status }) => status === 401)).to.have.length(99);
      const sessions = await server.database.db
        .selectFrom("sessions")
        .where("user_id", "!=", bystander.id)
        .select("id")
        .execute();
      expect(sessions, "the sign-up's and this one").to.have.length(2);
    });

    it("get exactly one ticket for a new user", async () => {
      const email = "new@example.org";
      await ask(email);
      const code = await server.code(email);
      expect(ok(await many(100, () => verify(email, code)))).to.equal(1);
      expect(await server.database.db.selectFrom("sign_up_tickets").select("email").execute()).to.have.length(
        1,
      );
    });

    it("have exactly five tries among 100 wrong codes", async () => {
      const email = "guessed@example.org";
      await ask(email);
      const code = Number(await server.code(email));
      const guesses = await many(100, (n) =>
        verify(email, String(((code + n + 1) % 999_999) + 1).padStart(6, "0")),
      );
      expect(ok(guesses)).to.equal(0);
      const row = await server.database.db
        .selectFrom("login_codes")
        .select("tries")
        .where("email_key", "=", email)
        .executeTakeFirstOrThrow();
      expect(row.tries).to.equal(5);
    });

    it("send five mails for 50 requests, and only the last code works", async () => {
      const email = "busy@example.org";
      const answers = await many(50, () => ask(email));
      expect(ok(answers)).to.equal(5);
      expect(answers.filter(({ status }) => status === 429)).to.have.length(45);
      const mails = await server.mails(email);
      expect(mails).to.have.length(5);
      let works = 0;
      for (const { subject } of mails) works += ok([await verify(email, subject.slice(0, 6))]);
      expect(works).to.equal(1);
    });

    it("create one account for one mailbox", async () => {
      const email = "same@example.org";
      const tickets: string[] = [];
      for (let round = 0; round < 4; round++) {
        await ask(email);
        server.clock.advance(1);
        const { json } = await verify(email, await server.code(email));
        tickets.push((json as { tempToken: string }).tempToken);
      }
      const answers = await many(4, (n) =>
        server.client().call("POST", "/signup", { body: { tempToken: tickets[n], tier: "free" } }),
      );
      expect(ok(answers)).to.equal(4);
      const users = await server.database.db
        .selectFrom("users")
        .select("id")
        .where("email", "=", email)
        .execute();
      expect(users).to.have.length(1);
    });
  });
