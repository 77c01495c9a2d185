import { expect } from "chai";
import { dayMs } from "../../../../core/kernel/durations.ts";
import { type Answer, type Client, copyClient } from "../../support/client.ts";
import { pruneAll } from "../../support/serverContext.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { setTier } from "../../support/tier.ts";

for (const store of everyStore)
  describe(`A request repeated with the same X-Request-ID, on ${store.name} (D43)`, () => {
    let server: TestServer;
    let user: Client;
    let people = 0;
    let email: string;

    before(async function () {
      await requireStore(store).call(this);
      server = await startServer({ store });
    });
    after(() => server?.stop());
    beforeEach(async () => {
      email = `owner${++people}@example.org`;
      user = await server.signIn(email);
    });

    const create = (id: string, description = "Shop", client = user): Promise<Answer> =>
      client.call("POST", "/masks", { body: { description }, headers: { "x-request-id": id } });
    const masks = async (client = user): Promise<number> =>
      ((await client.call("GET", "/masks")).json as { masks: readonly unknown[] }).masks.length;
    const created = async (): Promise<number> => {
      const { n } = await server.database.db
        .selectFrom("events")
        .innerJoin("users", "users.id", "events.user_id")
        .where("users.email", "=", email)
        .where("action", "=", "created")
        .select(({ fn }) => fn.countAll<number>().as("n"))
        .executeTakeFirstOrThrow();
      return n;
    };

    it("is executed once and gets the same answer", async () => {
      const [first, again] = [await create("one"), await create("one")];
      expect(first.status).to.equal(201);
      expect([again.status, again.text]).to.deep.equal([first.status, first.text]);
      expect(again.headers.get("content-type")).to.equal(first.headers.get("content-type"));
      expect([await masks(), await created()]).to.deep.equal([1, 1]);
    });

    it("is executed once when it arrives 30 times at the same time, also for the last mask of the plan", async () => {
      await create("first-of-two");
      const answers = await Promise.all(Array.from({ length: 30 }, () => create("at-once")));
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([201]));
      expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
      expect([await masks(), await created()]).to.deep.equal([2, 2]);
    });

    it("is recognized only among the newest requests, so that endless requests do not fill the disk", async () => {
      const { id } = (await create("make")).json as { id: string };
      const rule = (name: string, n: number) => ({
        id: `rule_${n}`,
        name: `${name}${"x".repeat(80)}`,
        type: "content_filter",
        enabled: true,
        conditions: [{ field: "subject", operator: "contains", value: "y".repeat(200) }],
        actions: [{ type: "tag", params: { tag: "z" } }],
      });
      const save = async (name: string): Promise<void> => {
        const rules = Array.from({ length: 40 }, (_, n) => rule(name, n));
        const { status } = await user.call("PUT", `/masks/${id}`, {
          body: { settings: { rules } },
          headers: { "x-request-id": `save-${name}` },
        });
        expect(status).to.equal(200);
        server.clock.advance(1_000);
      };
      for (let n = 0; n < 30; n++) await save(`${n}`);
      const rows = await server.database.db
        .selectFrom("idempotent_answers")
        .innerJoin("users", "users.id", "idempotent_answers.user_id")
        .where("users.email", "=", email)
        .select("request_id")
        .execute();
      const known = rows.map(({ request_id }) => request_id);
      const newest = Array.from({ length: 20 }, (_, n) => `save-${n + 10}`);
      expect(known).to.have.members(["make", ...newest]);
    });

    it("is a new request with another ID", async () => {
      expect((await create("a")).text).not.to.equal((await create("b")).text);
      expect(await masks()).to.equal(2);
    });

    it("gets the same answer for changes and deletions: a repeated deletion is no 404", async () => {
      const { id } = (await create("make")).json as { id: string };
      const rename = (name: string, requestId: string) =>
        user.call("PUT", `/masks/${id}`, {
          body: { description: name },
          headers: { "x-request-id": requestId },
        });
      const first = await rename("First", "rename");
      await rename("Second", "rename-again");
      expect((await rename("First", "rename")).text, "not done a second time").to.equal(first.text);
      expect((await user.call("GET", `/masks/${id}`)).json).to.have.property("description", "Second");

      const remove = () => user.call("DELETE", `/masks/${id}`, { headers: { "x-request-id": "remove" } });
      const removals = [await remove(), ...(await Promise.all([remove(), remove(), remove()]))];
      expect(removals.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
      expect((await user.call("DELETE", `/masks/${id}`)).status).to.equal(404);
    });

    it("is refused with 422 when its content differs", async () => {
      await create("mine", "Shop");
      const other = await create("mine", "Another shop");
      expect(other.status).to.equal(422);
      expect(other.json).to.have.property("message").that.contains("X-Request-ID");
      const elsewhere = await user.call("DELETE", "/masks/x", { headers: { "x-request-id": "mine" } });
      expect(elsewhere.status).to.equal(422);
      expect(await masks()).to.equal(1);
    });

    it("is executed when the first one was refused", async () => {
      for (const id of ["a", "b"]) await create(id);
      expect((await create("c")).status).to.equal(403);
      await setTier(server.database, email, "basic");
      expect((await create("c")).status).to.equal(201);
      expect((await create("c")).status).to.equal(201);
      expect(await masks()).to.equal(3);
    });

    it("is a new request in a session of another user or in another session of the same user", async () => {
      const stranger = await server.signIn(`stranger${people}@example.org`);
      const elsewhere = await server.signIn(email);
      const answers = [
        await create("same"),
        await create("same", "Shop", stranger),
        await create("same", "Shop", elsewhere),
      ];
      expect(new Set(answers.map(({ text }) => text)).size).to.equal(3);
      expect([await masks(), await masks(stranger)]).to.deep.equal([2, 1]);
    });

    it("is recognized after a token refresh, and gets no answer without the session", async () => {
      const first = await create("kept");
      const before = copyClient(server.origin, user);
      await user.refresh();
      expect((await create("kept")).text).to.equal(first.text);
      before.cookies.clear();
      expect((await create("kept", "Shop", before)).status).to.equal(401);
      expect(
        (
          await user.call("POST", "/masks", {
            body: {},
            headers: { "x-request-id": "kept", "x-csrf-token": "" },
          })
        ).status,
      ).to.equal(403);
    });

    it("is recognized for 24 hours", async () => {
      const first = await create("day");
      server.clock.advance(dayMs - 60_000);
      await user.refresh();
      await pruneAll(server.database, server.clock.now());
      expect((await create("day")).text).to.equal(first.text);
      server.clock.advance(61_000);
      await pruneAll(server.database, server.clock.now());
      expect((await create("day")).text).not.to.equal(first.text);
    });

    it("is forgotten when its session ends", async () => {
      await create("logout");
      await user.call("POST", "/logout");
      const stored = await server.database.db
        .selectFrom("idempotent_answers")
        .select("request_id")
        .where("request_id", "=", "logout")
        .execute();
      expect(stored).to.deep.equal([]);
    });

    it("is recognized by an Idempotency-Key as well, in quotes or not, and by either header", async () => {
      const createWith = (headers: Record<string, string>, description = "Shop"): Promise<Answer> =>
        user.call("POST", "/masks", { body: { description }, headers });
      const first = await createWith({ "idempotency-key": '"key"' });
      expect(first.status).to.equal(201);
      for (const headers of [
        { "idempotency-key": '"key"' },
        { "idempotency-key": "key" },
        { "x-request-id": "key" },
        { "idempotency-key": '"key"', "x-request-id": "key" },
      ])
        expect((await createWith(headers)).text).to.equal(first.text);
      expect(await masks()).to.equal(1);
      const other = await createWith({ "idempotency-key": '"key"' }, "Another shop");
      expect([other.status, other.json]).to.deep.equal([
        422,
        { message: "This Idempotency-Key was used for another request. Send a new one with each." },
      ]);
    });

    it("is executed once also when repetitions with an Idempotency-Key arrive while the first still runs", async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () =>
          user.call("POST", "/masks", {
            body: { description: "Shop" },
            headers: { "idempotency-key": "once" },
          }),
        ),
      );
      expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
      expect(await masks()).to.equal(1);
    });

    it("is refused with two different ids, or an Idempotency-Key that cannot be stored", async () => {
      const refused = async (headers: Record<string, string>): Promise<unknown> => {
        const { status, json } = await user.call("POST", "/masks", { body: { description: "x" }, headers });
        expect(status).to.equal(400);
        return (json as { message: string }).message;
      };
      expect(await refused({ "idempotency-key": '"a"', "x-request-id": "b" })).to.equal(
        "X-Request-ID and Idempotency-Key must be the same. One of them is enough.",
      );
      for (const key of ["", '"two words"', `"${"a".repeat(129)}"`])
        expect(await refused({ "idempotency-key": key }), key).to.equal(
          "Idempotency-Key must be 1 to 128 visible ASCII characters.",
        );
      expect(await masks()).to.equal(0);
    });

    it("requires an ID that can be stored", async () => {
      for (const id of ["a".repeat(129), "two words", "ü"]) {
        const { status, json } = await create(id);
        expect([status, json], id).to.deep.equal([
          400,
          { message: "X-Request-ID must be 1 to 128 visible ASCII characters." },
        ]);
      }
      expect(
        (await user.call("GET", "/masks", { headers: { "x-request-id": "two words" } })).status,
      ).to.equal(200);
    });
  });
