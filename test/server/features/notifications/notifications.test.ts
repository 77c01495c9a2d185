import { setImmediate as turn } from "node:timers/promises";
import { expect } from "chai";
import { dayMs } from "../../../../core/kernel/durations.ts";
import { addNotification } from "../../../../server/features/notifications/notificationQueries.ts";
import type { Client } from "../../support/client.ts";
import { notify, userIdOf } from "../../support/notify.ts";
import { pruneAll } from "../../support/serverContext.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

interface Page {
  readonly notifications: readonly {
    readonly id: string;
    readonly message: string;
    readonly type: string;
    readonly priority: string;
    readonly timestamp: number;
    readonly read: boolean;
  }[];
  readonly unread: number;
}

for (const store of everyStore)
  describe(`The notifications of a user, on ${store.name} (NO1)`, () => {
    let server: TestServer;
    let user: Client;
    let userId: string;
    let people = 0;

    before(async function () {
      await requireStore(store).call(this);
      server = await startServer({ store });
    });
    after(() => server?.stop());
    beforeEach(async () => {
      const email = `owner${++people}@example.org`;
      user = await server.signIn(email);
      userId = await userIdOf(server.database, email);
    });

    const write = async (count: number): Promise<string[]> => {
      const ids: string[] = [];
      for (let n = 1; n <= count; n++) ids.push(await notify(server.database, userId, `Message ${n}`));
      return ids;
    };
    const page = async (query = "limit=50", client = user): Promise<Page> =>
      (await client.call("GET", `/notifications?${query}`)).json as Page;
    const read = (body: unknown, client = user) => client.call("PUT", "/notifications/read", { body });
    const remove = (id: string, client = user) => client.call("DELETE", `/notifications/${id}`);
    const ids = ({ notifications }: Page): string[] => notifications.map(({ id }) => id);

    it("are listed newest first, completely, with the number of unread ones", async () => {
      expect(await page()).to.deep.equal({ notifications: [], unread: 0 });
      const now = server.clock.now();
      const id = await notify(server.database, userId, "All 100 emails of this month are used.", {
        type: "warning",
        priority: "high",
        now,
      });
      const [second] = await write(1);
      const { notifications, unread } = await page();
      expect(unread).to.equal(2);
      expect(notifications[0]?.id).to.equal(second);
      expect(notifications[1]).to.deep.equal({
        id,
        message: "All 100 emails of this month are used.",
        type: "warning",
        priority: "high",
        timestamp: now,
        read: false,
      });
    });

    it("are listed after an id without a gap or a repetition", async () => {
      const all = await write(7);
      expect(ids(await page(`limit=50&after=${all[3]}`))).to.deep.equal(all.slice(4).toReversed());
      expect(ids(await page(`limit=50&after=${all[6]}`))).to.deep.equal([]);
      expect(await page(`limit=2&after=${all[0]}`)).to.have.property("unread", 7);
      expect(ids(await page(`limit=2&after=${all[0]}`))).to.deep.equal([all[6], all[5]]);
    });

    it("are requested with a limit from 1 to 50 and an id, or the answer says what is wrong", async () => {
      for (const query of [
        "",
        "limit=0",
        "limit=51",
        "limit=ten",
        "limit=5&after=x",
        "limit=5&after=-1",
        "limit=1e1",
      ])
        expect((await user.call("GET", `/notifications?${query}`)).status, query).to.equal(400);
      const { json } = await user.call("GET", "/notifications?limit=51");
      expect(json).to.deep.equal({
        message: "The limit must be a number from 1 to 50.",
        errors: [{ field: "limit", message: "The limit must be a number from 1 to 50." }],
      });
    });

    it("are marked as read one by one or all at once, and a repetition is no error", async () => {
      const [first = "", second = "", third = ""] = await write(3);
      for (const _ of [1, 2]) expect((await read({ notificationId: second })).status).to.equal(200);
      expect((await page()).notifications.map((one) => one.read)).to.deep.equal([false, true, false]);
      expect((await page()).unread).to.equal(2);
      for (const _ of [1, 2]) expect((await read({ all: true })).status).to.equal(200);
      expect(await page()).to.have.property("unread", 0);
      expect(ids(await page())).to.deep.equal([third, second, first]);
      for (const body of [{}, { all: false }, { notificationId: 7 }, [], null])
        expect((await read(body)).status, JSON.stringify(body)).to.equal(400);
    });

    it("are deleted, and an id is never assigned a second time", async () => {
      const [first = "", second = ""] = await write(2);
      expect((await remove(second)).status).to.equal(200);
      expect(await remove(second)).to.include({ status: 404 });
      expect(ids(await page())).to.deep.equal([first]);
      const [third] = await write(1);
      expect(Number(third)).to.be.above(Number(second));
      expect(ids(await page(`limit=50&after=${second}`))).to.deep.equal([third]);
    });

    it("are visible to their user alone, who alone can mark and delete them", async () => {
      const stranger = await server.signIn(`stranger${people}@example.org`);
      const [id = ""] = await write(1);
      expect(await page("limit=50", stranger)).to.deep.equal({ notifications: [], unread: 0 });
      await read({ notificationId: id }, stranger);
      await read({ all: true }, stranger);
      expect((await remove(id, stranger)).status).to.equal(404);
      for (const odd of ["x", "0", "9".repeat(15), "9".repeat(30), "%00", "1%20or%201"])
        expect((await remove(odd)).status, odd).to.equal(404);
      expect((await read({ notificationId: "9".repeat(30) })).status).to.equal(200);
      expect((await page()).unread).to.equal(1);
      expect((await server.client().call("GET", "/notifications?limit=50")).status).to.equal(401);
    });

    it("never appear below an id that a client has seen, however many are written in parallel", async () => {
      const wanted = { userId, type: "info", priority: "normal", message: "At once" } as const;
      let isOver = false;
      const writing = Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          server.database.transaction(async (db) => {
            const id = await addNotification(db, wanted, server.clock.now());
            for (let turns = (n * 7) % 5; turns > 0; turns--) await turn();
            return id;
          }),
        ),
      ).finally(() => {
        isOver = true;
      });
      const seen: number[] = [];
      for (let wasOver = false; !wasOver; ) {
        wasOver = isOver;
        const news = await page(`limit=50&after=${seen.at(-1) ?? 0}`);
        seen.push(...ids(news).map(Number).toReversed());
      }
      expect(seen).to.deep.equal((await writing).toSorted((a, b) => a - b));
    });

    it("are deleted after 90 days, but never the newest 50", async () => {
      const now = server.clock.now();
      const before = now - 91 * dayMs;
      for (let n = 0; n < 60; n++) await notify(server.database, userId, `Old ${n}`, { now: before });
      const [recent = ""] = await write(1);
      await pruneAll(server.database, now);
      const stored = await server.database.db
        .selectFrom("notifications")
        .where("user_id", "=", userId)
        .select(["id", "message"])
        .orderBy("id")
        .execute();
      expect(stored).to.have.length(50);
      expect(stored[0]?.message).to.equal("Old 11");
      expect(String(stored.at(-1)?.id)).to.equal(recent);
    });
  });
