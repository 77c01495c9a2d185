import { expect } from "chai";
import { firstValueFrom, map, timer } from "rxjs";
import type { ServerContext } from "../../../../server/context/serverContext.ts";
import { createWebhookDispatcher } from "../../../../server/features/webhooks/webhookDispatcher.ts";
import { allPlaces, unprovenPlaces } from "../../../../server/features/webhooks/webhookLimits.ts";
import { newMessageRow } from "../../../../server/features/webhooks/webhookQueries.ts";
import { newWebhookSecret, secretContext } from "../../../../server/features/webhooks/webhookSecret.ts";
import type { PostToPublicHost } from "../../../../server/platform/outgoing/publicHttpClient.ts";
import { createVirtualClock, settled, type VirtualClock } from "../../../fakes/virtualClock.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { addOwner } from "../../support/owners.ts";
import { createTestContext } from "../../support/serverContext.ts";
import { until } from "../../support/until.ts";

const timeoutMs = 10_000;

describe("The messages to webhooks of several accounts", () => {
  onEachDatabase(({ database }) => {
    let clock: VirtualClock;
    let context: ServerContext;
    let posted: { readonly url: string }[];
    let stop: () => Promise<void>;
    let wake: () => void;

    /** Slow receivers answer nothing for ten seconds; others at once. */
    const post: PostToPublicHost = async ({ url }) => {
      posted.push({ url });
      if (!url.includes("slow")) return { status: 200, retryAfter: null, text: "" };
      return firstValueFrom(
        timer(timeoutMs, clock.scheduler).pipe(map(() => ({ failure: "timeout" }) as const)),
      );
    };
    const begin = (): void => {
      const delivery = createWebhookDispatcher({ ...context, postToPublicHost: post });
      wake = delivery.wake;
      stop = delivery.start();
    };
    const seal = (id: string): string =>
      context.seal.seal(newWebhookSecret(context.random), secretContext(id));

    beforeEach(() => {
      clock = createVirtualClock();
      posted = [];
      context = createTestContext({ database: database(), clock });
    });
    afterEach(async () => {
      const stopped = stop();
      await clock.advance(timeoutMs);
      await stopped;
    });

    const addWebhook = async (userId: string, host: string, messages: number, path = ""): Promise<void> => {
      const { db } = database();
      const id = `${userId}-${host}`;
      const webhook = {
        id,
        user_id: userId,
        url: `https://${host}/${path}`,
        host,
        secret: seal(id),
        earlier_secret: null,
        earlier_until: null,
        events: "[]",
        labels: "[]",
        includes_content: 0,
        active: 1,
        paused_because: null,
        failing_since: null,
        created_at: 0,
      } as const;
      await db.insertInto("webhooks").values(webhook).execute();
      await addMessages(userId, host, messages);
    };
    const addMessages = async (userId: string, host: string, count: number): Promise<void> => {
      const body = JSON.stringify({ timestamp: "2026-11-20T09:00:00Z", data: {} });
      const due = { now: clock.now(), giveUpAt: clock.now() + 86_400_000 };
      for (let n = 0; n < count; n += 1)
        await database()
          .db.insertInto("webhook_messages")
          .values(
            newMessageRow(
              { id: `${userId}-${host}`, user_id: userId, host },
              "mask.changed",
              { body, sealed: null },
              due,
            ),
          )
          .execute();
    };

    /** Lets the delivery do what it can do without time passing. */
    const drain = async (): Promise<void> => {
      for (let quiet = 0, before = -1; quiet < 25; quiet = posted.length === before ? quiet + 1 : 0) {
        before = posted.length;
        wake();
        await database().db.selectFrom("webhook_messages").select("id").limit(1).execute();
        await settled();
      }
    };
    const untilPosted = (count: number): Promise<void> =>
      until(`${count} are sent`, async () => {
        await drain();
        return posted.length >= count;
      });
    const pass = async (ms: number, stepMs = 250): Promise<void> => {
      for (let passed = 0; passed < ms; passed += stepMs) {
        await clock.advance(stepMs);
        await drain();
      }
    };
    /** Waits for the database, however busy the machine is, without time passing for the delivery. */
    const untilSent = (word: string, count: number): Promise<void> =>
      until(`${word} has ${count}`, async () => {
        await drain();
        return countOf(word) >= count;
      });
    const countOf = (word: string): number => posted.filter(({ url }) => url.includes(word)).length;

    const flood = async (): Promise<void> => {
      for (let n = 0; n < 10; n += 1) {
        const { id } = await addOwner(database().db);
        for (let host = 0; host < 16; host += 1) await addWebhook(id, `slow-${n}-${host}.example`, 2);
      }
    };

    it("reach an honest receiver at once beside 320 to slow receivers of ten accounts", async () => {
      await flood();
      begin();
      await untilPosted(20);
      const honest = await addOwner(database().db);
      await addWebhook(honest.id, "honest.example", 1);
      await pass(250);
      await untilSent("honest", 1);
    });

    it("are sent one of each account in turn, whoever has more and older ones", async () => {
      const many = await addOwner(database().db);
      for (let host = 0; host < 4; host += 1) await addWebhook(many.id, `many-${host}.example`, 30);
      const others = [];
      for (let n = 0; n < 3; n += 1) {
        const { id } = await addOwner(database().db);
        await addWebhook(id, `other-${n}.example`, 2);
        others.push(id);
      }
      begin();
      await untilPosted(126);
      expect(posted).to.have.length(126);
      const sent = posted.map(({ url }) => url);
      for (let n = 0; n < others.length; n += 1)
        expect(sent.indexOf(`https://other-${n}.example/`)).to.be.below(4);
      expect(sent.slice(0, 4).filter((url) => url.includes("many"))).to.have.length(1);
    });

    it("reach a receiver that answers beside slow ones of others on the same host", async () => {
      for (let n = 0; n < 6; n += 1) {
        const { id } = await addOwner(database().db);
        await addWebhook(id, "shared.example", 5, "slow");
      }
      const honest = await addOwner(database().db);
      await addWebhook(honest.id, "shared.example", 1, "honest");
      begin();
      await pass(40_000, 1_000);
      await untilSent("honest", 1);
      await addMessages(honest.id, "shared.example", 3);
      await pass(250);
      await untilSent("honest", 4);
      expect(countOf("honest")).to.equal(4);
    });

    it("of receivers that time out take half of the places at most, and two of an account", async () => {
      const users: string[] = [];
      for (let n = 0; n < 20; n += 1) {
        const { id } = await addOwner(database().db);
        users.push(id);
        for (let host = 0; host < 5; host += 1) await addWebhook(id, `slow-${n}-${host}.example`, 1);
      }
      begin();
      await untilPosted(unprovenPlaces.total);
      await drain();
      expect(posted).to.have.length(unprovenPlaces.total);
      expect(unprovenPlaces.total).to.be.at.most(allPlaces.total / 2);
      for (let n = 0; n < users.length; n += 1)
        expect(countOf(`slow-${n}-`)).to.be.at.most(unprovenPlaces.user);
    });

    it("leave those alone that are off, of suspended accounts, or not due yet", async () => {
      const { db } = database();
      const off = await addOwner(db);
      await addWebhook(off.id, "off.example", 3);
      await db.updateTable("webhooks").where("user_id", "!=", bystander.id).set({ active: 0 }).execute();
      const suspended = await addOwner(db);
      await addWebhook(suspended.id, "suspended.example", 3);
      await db.updateTable("users").set({ suspended: 1 }).where("id", "=", suspended.id).execute();
      const later = await addOwner(db);
      await addWebhook(later.id, "later.example", 1);
      const dueLater = db
        .updateTable("webhook_messages")
        .where("user_id", "!=", bystander.id)
        .set({ next_attempt_at: clock.now() + 5_000 });
      await dueLater.where("user_id", "=", later.id).execute();
      const now = await addOwner(db);
      await addWebhook(now.id, "now.example", 1);
      begin();
      await pass(4_000, 1_000);
      expect(posted.map(({ url }) => url)).to.deep.equal(["https://now.example/"]);
      await pass(2_000, 1_000);
      await untilPosted(2);
      expect(posted.map(({ url }) => url).at(-1)).to.equal("https://later.example/");
    });

    it("reach an account behind hundreds whose messages wait for later", async () => {
      const { db } = database();
      for (let n = 0; n < 250; n += 1) await addWebhook((await addOwner(db)).id, `later-${n}.example`, 1);
      await db
        .updateTable("webhook_messages")
        .where("user_id", "!=", bystander.id)
        .set({ next_attempt_at: clock.now() + 3_600_000 })
        .execute();
      const last = await addOwner(db);
      await addWebhook(last.id, "honest.example", 2);
      begin();
      await untilPosted(2);
      expect(countOf("honest")).to.equal(2);
    });
  });
});
