import { expect } from "chai";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import { enqueue } from "../../../../server/delivery/queue/queueQueries.ts";
import { addNotification } from "../../../../server/features/notifications/notificationQueries.ts";
import { ownTables } from "../../../../server/platform/store/ownTables.ts";
import { wrongCodeAt } from "../../support/authenticator.ts";
import { codeNow, protect } from "../../support/secondFactor.ts";
import { openSocket } from "../../support/socketClient.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

for (const store of everyStore)
  describe(`deleting an account, on ${store.name}`, () => {
    let server: TestServer;

    before(async function () {
      await requireStore(store).call(this);
      server = await startServer({ store });
    });
    after(() => server?.stop());

    /** Returns all rows of all tables as text. */
    const everything = async (): Promise<ReadonlyMap<string, string>> => {
      const { db } = server.database;
      const tables = await ownTables(db);
      const rows = new Map<string, string>();
      // The rows in parts of a table are among those of the table.
      const own = tables.filter(
        ({ schema, name }) => schema !== "bystander" && !/^(?:queue|events)_/.test(name),
      );
      for (const { name } of own)
        rows.set(
          name,
          JSON.stringify(
            await db
              .selectFrom(name as "users")
              .selectAll()
              .execute(),
          ),
        );
      return rows;
    };
    const idOf = async (email: string): Promise<string> =>
      (
        await server.database.db
          .selectFrom("users")
          .select("id")
          .where("email", "=", email)
          .executeTakeFirstOrThrow()
      ).id;

    it("removes all data of the user, reserves the addresses of the masks, and changes nothing of other users", async () => {
      const email = "leaving@example.org";
      const user = await server.signIn(email);
      const stays = await server.signIn("staying@example.org");
      await stays.call("POST", "/masks", { body: { description: "Stays" } });
      const created = await user.call("POST", "/masks", {
        body: { description: "Marker-of-mine", forwardTo: "marker@example.net" },
      });
      const { maskEmail, id: maskId } = created.json as { maskEmail: string; id: string };
      const userId = await idOf(email);
      await enqueue(
        server.database.db,
        {
          userId,
          maskId,
          envelopeSender: "x@example.com",
          recipient: "marker@example.net",
          content: Buffer.from("x"),
        },
        { now: server.clock.now(), random: cryptoRandom },
      );
      await addNotification(
        server.database.db,
        { userId, type: "info", priority: "normal", message: "Marker-of-mine" },
        server.clock.now(),
      );

      const before = await everything();
      expect([...before.values()].join(), "there is something to remove").to.include("Marker-of-mine");
      const gone = await user.call("DELETE", "/account", { body: { email: " Leaving@example.org " } });
      expect([gone.status, gone.json]).to.deep.equal([200, {}]);
      expect(user.cookies.has("maskSession")).to.equal(false);

      for (const [table, rows] of await everything()) {
        expect(rows, table).not.to.include("Marker-of-mine");
        expect(rows, table).not.to.include("marker@example.net");
        if (table === "queue") continue;
        expect(rows, table).not.to.include(email);
        if (table !== "events") expect(rows, table).not.to.include(userId);
      }
      const [farewell, ...others] = await server.mails(email);
      expect(farewell?.subject).to.equal("Your Bauta account was deleted");
      expect(others, "older mail of ours to them is gone").to.deep.equal([]);
      const reserved = await server.database.db
        .selectFrom("mask_addresses")
        .select("mask_id")
        .where("email_key", "=", mailboxKey(maskEmail))
        .execute();
      expect(reserved).to.deep.equal([{ mask_id: null }]);
      const { masks } = (await stays.call("GET", "/masks")).json as { masks: unknown[] };
      expect(masks).to.have.length(1);
    });

    it("ends every session: tokens and refreshes at once, sockets with 1008 within a second", async () => {
      const email = "everywhere@example.org";
      const [phone, desk] = [await server.signIn(email), await server.signIn(email)];
      const sockets = [await openSocket(server.origin, phone), await openSocket(server.origin, desk)];
      expect((await phone.call("DELETE", "/account", { body: { email } })).status).to.equal(200);
      for (const socket of sockets) expect((await socket.closed).code).to.equal(1008);
      expect((await desk.call("GET", "/account")).status).to.equal(401);
      expect((await desk.refresh()).status).to.equal(401);
    });

    it("requires the account's own address in the request", async () => {
      const user = await server.signIn("careful@example.org");
      for (const email of ["", "other@example.org", "careful@example.or"]) {
        const refused = await user.call("DELETE", "/account", { body: { email } });
        expect(refused.status).to.equal(400);
        expect(refused.json).to.have.nested.property("errors[0].field", "email");
      }
      expect((await user.call("GET", "/account")).status).to.equal(200);
    });

    it("requires the second factor if the account has one", async () => {
      const { email, browser, secret } = await protect(server, "guarded@example.org");
      const remove = (code?: string) =>
        browser.call("DELETE", "/account", { body: { email, ...(code === undefined ? {} : { code }) } });
      const missing = await remove();
      expect([missing.status, (missing.json as { message: string }).message]).to.deep.equal([
        400,
        "2FA code is required",
      ]);
      expect((await remove(wrongCodeAt(secret, server.clock.now()))).status).to.equal(400);
      expect((await browser.call("GET", "/account")).status).to.equal(200);
      expect((await remove(codeNow(server, secret))).status).to.equal(200);
    });

    it("allows a new, empty account with the same address", async () => {
      const email = "again@example.org";
      const first = await server.signIn(email);
      await first.call("POST", "/masks", { body: { description: "Old" } });
      await first.call("DELETE", "/account", { body: { email } });
      server.clock.advance(1);
      const second = await server.signIn(email);
      const { masks } = (await second.call("GET", "/masks")).json as { masks: unknown[] };
      expect(masks).to.deep.equal([]);
    });

    it("happens once for ten concurrent requests; the others are refused because the account is gone", async () => {
      const email = "hasty@example.org";
      const user = await server.signIn(email);
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => user.call("DELETE", "/account", { body: { email } })),
      );
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
      expect(answers.filter(({ status }) => status === 401)).to.have.length(9);
    });
  });
