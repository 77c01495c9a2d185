import { expect } from "chai";
import { dayMs } from "../../../../core/kernel/durations.ts";
import { type Client, copyClient } from "../../support/client.ts";
import { openSocket } from "../../support/socketClient.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

const invalid = { message: "Invalid or expired token" };

const sessionIn = (token: string | null): unknown =>
  (JSON.parse(Buffer.from(token?.split(".")[1] ?? "", "base64url").toString("utf8")) as { sid: string }).sid;

for (const store of everyStore)
  describe(`The refresh of a session, on ${store.name}`, () => {
    let server: TestServer;
    let people = 0;

    before(async function () {
      await requireStore(store).call(this);
      server = await startServer({ store });
    });
    after(() => server?.stop());

    const user = () => server.signIn(`holder${++people}@example.org`);
    const copy = (one: Client): Client => copyClient(server.origin, one);
    const isIn = async (client: Client): Promise<boolean> =>
      (await client.call("GET", "/account")).status === 200;
    const cookie = (client: Client): string => client.cookies.get("maskSession") ?? "";
    const notifications = async (email: string) =>
      server.database.db
        .selectFrom("notifications")
        .innerJoin("users", "users.id", "notifications.user_id")
        .where("users.email", "=", email)
        .select(["type", "priority", "message"])
        .execute();

    it("sets a new secret each time, and keeps the session", async () => {
      const holder = await user();
      const [first, secrets] = [sessionIn(holder.token), new Set([cookie(holder)])];
      for (let round = 0; round < 4; round++) {
        expect((await holder.refresh()).status).to.equal(200);
        server.clock.advance(5_000);
        secrets.add(cookie(holder));
        expect(sessionIn(holder.token)).to.equal(first);
        expect(await isIn(holder)).to.equal(true);
      }
      expect(secrets.size).to.equal(5);
    });

    it("keeps a secret that is less than 5 seconds old, because the one before may have been checked a moment ago", async () => {
      const holder = await user();
      const other = copy(holder);
      expect(await isIn(other)).to.equal(true);
      await holder.refresh();
      const secret = cookie(holder);
      server.clock.advance(3_000);
      expect((await holder.refresh()).status).to.equal(200);
      expect(cookie(holder)).to.equal(secret);
      expect(await isIn(other)).to.equal(true);
      server.clock.advance(2_000);
      await holder.refresh();
      expect(cookie(holder)).not.to.equal(secret);
      expect(await isIn(other)).to.equal(false);
    });

    it("replaces the secret once for ten parallel requests of tabs, and signs no tab out", async () => {
      for (let round = 0; round < 5; round++) {
        const holder = await user();
        const old = cookie(holder);
        const tabs = Array.from({ length: 10 }, () => copy(holder));
        const answers = await Promise.all(tabs.map((tab) => tab.refresh()));
        expect(answers.map(({ status }) => status)).to.deep.equal(Array(10).fill(200));
        expect(new Set(tabs.map(({ token }) => sessionIn(token))).size).to.equal(1);
        expect(tabs.filter((tab) => cookie(tab) !== old)).to.have.length(1);
        for (const tab of tabs) expect(await isIn(tab)).to.equal(true);
      }
    });

    it("leaves the previous secret valid for 30 seconds, for requests in flight", async () => {
      const holder = await user();
      const [slow, slower] = [copy(holder), copy(holder)];
      await holder.refresh();
      expect(await isIn(holder)).to.equal(true);
      server.clock.advance(29_000);
      expect(await isIn(slow)).to.equal(true);
      expect((await slow.refresh()).headers.getSetCookie().join()).not.to.contain("maskSession");
      expect(await isIn(slow)).to.equal(true);
      expect(await isIn(holder)).to.equal(true);
      server.clock.advance(1_500);
      expect((await slower.refresh()).json).to.deep.equal(invalid);
    });

    it("ends a session whose replaced secret is used again: row, tokens and sockets, and the owner is notified", async () => {
      const email = `holder${++people}@example.org`;
      const [holder, elsewhere] = [await server.signIn(email), await server.signIn(email)];
      const thief = copy(holder);
      await holder.refresh();
      const socket = await openSocket(server.origin, holder);
      server.clock.advance(31_000);

      expect((await thief.refresh()).json).to.deep.equal(invalid);
      expect(await socket.closed).to.deep.equal({ code: 1008, reason: "The session has ended" });
      expect((await holder.call("GET", "/account")).json).to.deep.equal(invalid);
      expect((await holder.refresh()).json).to.deep.equal(invalid);
      expect(await isIn(elsewhere), "another sign-in of the same user").to.equal(true);
      const messages = await notifications(email);
      expect(messages).to.have.length(1);
      expect(messages[0]).to.include({ type: "security", priority: "high" });
      expect(messages[0]?.message).to.match(/somebody may have copied it\. Log in again/);
    });

    it("ends it for any use of the copied secret", async () => {
      const uses: readonly ((thief: Client) => Promise<{ readonly status: number }>)[] = [
        (thief) => thief.call("GET", "/account"),
        (thief) => thief.call("GET", "/csrf-token"),
        (thief) => thief.call("POST", "/auth/set-token-cookie", { body: { token: thief.token } }),
      ];
      for (const use of uses) {
        const holder = await user();
        const thief = copy(holder);
        for (const _ of [1, 2]) {
          await holder.refresh();
          server.clock.advance(5_000);
        }
        await use(thief);
        expect((await holder.refresh()).status).to.equal(401);
      }
    });

    it("does not end a session for a secret that was never issued", async () => {
      const holder = await user();
      const [id = "", secret = "", mark = ""] = cookie(holder).split(".");
      const madeUp = [
        `${id}.${"A".repeat(43)}.${mark}`,
        `${id}.${secret}`,
        `${id}.${secret}.${mark}.`,
        `${id}..`,
        id,
      ];
      for (const value of madeUp) {
        const stranger = copy(holder);
        stranger.cookies.set("maskSession", value);
        expect((await stranger.refresh()).status, value).to.equal(401);
        expect(await isIn(stranger)).to.equal(false);
      }
      expect(await isIn(holder)).to.equal(true);
    });

    it("tolerates a lost answer: the old secret is valid until the new one is used", async () => {
      const holder = await user();
      const lost = copy(holder);
      await lost.refresh();
      server.clock.advance(2 * dayMs);
      expect((await holder.refresh()).status).to.equal(200);
      expect(await isIn(holder)).to.equal(true);
      expect((await lost.refresh()).status, "whoever has the lost answer is too late").to.equal(401);
      expect(await isIn(holder), "and was a thief").to.equal(false);
    });

    it("tolerates several lost answers, in sequence and in parallel", async () => {
      const holder = await user();
      for (let round = 0; round < 3; round++) {
        await Promise.all(Array.from({ length: 5 }, () => copy(holder).refresh()));
        server.clock.advance(60_000);
      }
      expect((await holder.refresh()).status).to.equal(200);
      expect(await isIn(holder)).to.equal(true);
    });

    it("does not set an old secret in the browser again when its cookie is renewed", async () => {
      const holder = await user();
      const slow = copy(holder);
      await holder.refresh();
      const set = await slow.call("POST", "/auth/set-token-cookie", { body: { token: slow.token } });
      expect(set.status).to.equal(200);
      expect(set.headers.getSetCookie().join()).not.to.contain("maskSession");
    });
  });
