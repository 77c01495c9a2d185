import { expect } from "chai";
import { hourMs } from "../../../../core/kernel/durations.ts";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import type { OperatorOverview } from "../../../../core/operator/operatorEndpoints.ts";
import { setOperators } from "../../../../server/platform/store/users.ts";
import { bystander, removeBystander } from "../../support/bystander.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

for (const store of everyStore)
  describe(`The operator's page, on ${store.name} (GET /operator)`, () => {
    let server: TestServer;
    const checked = { asOf: "2026-11-20T09:00:00.000Z", machine: [] };
    let checks = 0;
    before(async function () {
      requireStore(store).call(this);
      server = await startServer({
        store,
        installation: {
          version: async () => ({ running: "0.1.0", installed: "0.2.0", changes: [] }),
          checks: async () => {
            checks += 1;
            return { ...checked, dns: [{ name: "MX", state: "ok", is: "here", advice: null }] };
          },
        },
      });
      await removeBystander(server.database, "the first account is the operator's, and all are counted");
    });
    after(() => server?.stop());

    const idOf = async (email: string): Promise<string> => {
      const users = server.database.db.selectFrom("users").where("id", "!=", bystander.id).select("id");
      return (await users.where("email", "=", email).executeTakeFirstOrThrow()).id;
    };
    const addCounts = async (email: string, period: string, counts: Readonly<Record<string, number>>) => {
      const { db } = server.database;
      const row = { user_id: await idOf(email), kind: "day", period, last_at: 1 };
      await db
        .insertInto("account_counts")
        .values(Object.entries(counts).map(([key, n]) => ({ ...row, key, n })))
        .execute();
    };
    const addQueued = async (
      status: "waiting" | "delivered" | "failed",
      { age, next = 0 }: { readonly age: number; readonly next?: number },
    ) => {
      const now = server.clock.now();
      const created = now - age;
      await server.database.db
        .insertInto("queue")
        .values({
          id: `${created.toString(36).padStart(8, "0")}${status}${next}`,
          user_id: await idOf("second@example.org"),
          mask_id: null,
          envelope_sender: "",
          recipient: "private@home.example",
          content: null,
          size: 1,
          status,
          attempts: 1,
          next_attempt_at: now + next,
          lease: null,
          leased_until: 0,
          last_answer: next > 0 ? "451 4.7.1 later, says postmaster" : null,
          created_at: created,
          finished_at: status === "waiting" ? null : now,
        })
        .execute();
      return created;
    };

    it("is for the first account of an installation, which GET /account names an operator, and 403 for others", async () => {
      const first = await server.signIn("first@example.org");
      const second = await server.signIn("second@example.org");
      const isOperator = async (client: typeof first) =>
        ((await client.call("GET", "/account")).json as { isOperator?: boolean }).isOperator;
      expect([await isOperator(first), await isOperator(second)]).to.deep.equal([true, undefined]);
      const answers = await Promise.all(
        [first, second, server.client()].flatMap((client) =>
          ["/operator", "/operator/checks"].map((path) => client.call("GET", path)),
        ),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 403, 403, 401, 401]);
      expect(checks).to.equal(1);
      expect(answers[1]?.json).to.have.nested.property("dns[0].name", "MX");
      expect(answers[2]?.json).to.deep.equal({
        message: "This page is for those who run the server. OPERATORS names their accounts.",
      });
    });

    it("shows the queue, the mail of two days and the users by plan, and no address", async () => {
      const { db } = server.database;
      const operator = await server.signIn("first@example.org");
      server.clock.advance(11_000);
      await db.deleteFrom("queue").where("user_id", "is distinct from", bystander.id).execute();
      const today = new Date(server.clock.now()).toISOString().slice(0, 10);
      await addCounts("first@example.org", today, { received: 12, forwarded: 9, blocked: 3, spam: 2 });
      await addCounts("second@example.org", today, { received: 5, forwarded: 5 });
      await addCounts("second@example.org", "2020-01-01", { received: 99 });
      const oldest = await addQueued("waiting", { age: 3 * hourMs, next: hourMs });
      await addQueued("waiting", { age: 0 });
      await addQueued("delivered", { age: 0 });
      await addQueued("failed", { age: 2 * hourMs });
      await db.updateTable("users").set({ tier: "pro" }).where("email", "=", "second@example.org").execute();

      const { json, text } = await operator.call("GET", "/operator");
      const overview = json as OperatorOverview;
      expect(overview.queue).to.deep.equal({
        waiting: 2,
        deferred: 1,
        failed: 1,
        oldest: new Date(oldest).toISOString(),
        slowest: [
          { domain: "home.example", waiting: 2, oldest: new Date(oldest).toISOString(), codes: "451 4.7.1" },
        ],
      });
      expect(overview.mail[0]).to.deep.equal({
        day: today,
        accepted: 14,
        delivered: 1,
        refused: 3,
        spam: 2,
      });
      expect(overview.mail[1]).to.include({ accepted: 0, delivered: 0, refused: 0, spam: 0 });
      expect(overview.users).to.deep.equal([
        { tier: "free", count: 1 },
        { tier: "pro", count: 1 },
      ]);
      expect(overview.sessions).to.deep.equal([{ way: "code", count: 3 }]);
      expect(overview.health).to.deep.equal([
        { part: "http", isReady: true },
        { part: "store", isReady: true },
      ]);
      expect(text).not.to.contain("@");
    });

    it("is for exactly those whom OPERATORS names, once it names anybody", async () => {
      await setOperators(server.database.db, ["second@example.org", "nobody@example.org"].map(mailboxKey));
      const statuses = await Promise.all(
        ["first@example.org", "second@example.org"].map(async (email) => {
          const client = await server.signIn(email);
          return (await client.call("GET", "/operator")).status;
        }),
      );
      expect(statuses).to.deep.equal([403, 200]);
    });
  });

describe("OPERATORS", () => {
  it("makes a new account with one of its addresses an operator, and not the first account", async () => {
    const server = await startServer({ operators: ["ops@example.org"] });
    const statuses = [];
    for (const email of ["first@example.org", "Ops@example.org"]) {
      const client = await server.signIn(email);
      statuses.push((await client.call("GET", "/operator")).status);
    }
    expect(statuses).to.deep.equal([403, 200]);
    await server.stop();
  });
});
