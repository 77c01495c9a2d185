import { createHmac } from "node:crypto";
import { expect } from "chai";
import { dayMs, hourMs, minuteMs } from "../../../../core/kernel/durations.ts";
import type { Clock } from "../../../../core/ports/clock.ts";
import type { Webhook, WebhookDelivery } from "../../../../core/webhooks/webhookEndpoints.ts";
import { type WebhookEvent, webhookEvents, webhookPayloads } from "../../../../core/webhooks/webhookEvent.ts";
import { upsertPublicKey } from "../../../../server/features/encryption/publicKeyQueries.ts";
import {
  createWebhookDispatcher,
  type WebhookDispatcherDeps,
} from "../../../../server/features/webhooks/webhookDispatcher.ts";
import { pruneMessages } from "../../../../server/features/webhooks/webhookQueries.ts";
import type { MessageDispatcher } from "../../../../server/platform/outgoing/messages/messageDispatcher.ts";
import type { OutgoingResult } from "../../../../server/platform/outgoing/publicHttpClient.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { bystander } from "../../support/bystander.ts";
import { type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { rule, setRules } from "../../support/ruledMask.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";
import { isSignedWith, startWebhookReceiver, type WebhookReceiver } from "../../support/webhookReceiver.ts";

const sender = "orders@shop.example";
const order = letter(`Shop <${sender}>`);

interface Made {
  readonly webhook: Webhook;
  readonly secret: string;
}

for (const store of everyStore)
  describe(`Webhooks, on ${store.name}`, () => {
    let here: HeldServer;
    let receiver: WebhookReceiver;
    let sending: MessageDispatcher;
    let stopSending: () => Promise<void> = async () => {};

    before(requireStore(store));
    beforeEach(async () => {
      here = await startHeldServer(store);
      receiver = await startWebhookReceiver();
      sending = createWebhookDispatcher(here.server.context);
      stopSending = sending.start();
    });
    afterEach(async () => {
      await stopSending();
      await receiver?.close();
      await here?.stop();
    });

    const make = async (change: object = {}, client = here.ada) => {
      const body = {
        url: receiver.url,
        events: webhookEvents,
        labels: [],
        includesContent: false,
        ...change,
      };
      return client.call("POST", "/account/webhooks", { body });
    };
    const made = async (change: object = {}): Promise<Made> => {
      const { status, json } = await make(change);
      expect(status).to.equal(201);
      return json as Made;
    };
    const list = async (): Promise<readonly Webhook[]> =>
      ((await here.ada.call("GET", "/account/webhooks")).json as { webhooks: readonly Webhook[] }).webhooks;
    const pathOf = ({ webhook }: Made): string => `/account/webhooks/${webhook.id}`;
    const deliveries = async (one: Made): Promise<readonly WebhookDelivery[]> =>
      (
        (await here.ada.call("GET", `${pathOf(one)}/deliveries`)).json as {
          deliveries: readonly WebhookDelivery[];
        }
      ).deliveries;
    const types = (): readonly string[] => receiver.messages.map(({ json }) => json.type);
    const untilMessages = (count: number): Promise<void> =>
      until(`${count} messages have come`, async () => {
        sending.wake();
        return receiver.messages.length >= count;
      });
    const untilState = (one: Made, state: string): Promise<void> =>
      until(`it is ${state}`, async () => {
        sending.wake();
        return (await deliveries(one))[0]?.state === state;
      });
    const only = (...events: readonly WebhookEvent[]) => ({ events });
    const rowOf = async ({ webhook }: Made) =>
      here.server.database.db
        .selectFrom("webhooks")
        .selectAll()
        .where("id", "=", webhook.id)
        .executeTakeFirstOrThrow();

    it("show their secret once, are announced to their owner, and keep it encrypted", async () => {
      const one = await made();
      expect(one.secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(one.webhook).to.include({ url: receiver.url, state: "on", pausedBecause: null });
      expect(await list()).to.deep.equal([one.webhook]);
      const tables = [
        await here.server.database.db
          .selectFrom("webhooks")
          .where("user_id", "!=", bystander.id)
          .selectAll()
          .execute(),
        await here.server.database.db
          .selectFrom("idempotent_answers")
          .where("user_id", "!=", bystander.id)
          .selectAll()
          .execute(),
      ];
      expect(JSON.stringify([tables, here.server.logged])).not.to.contain(one.secret.slice(6));
      const [notice] = await here.server.database.db
        .selectFrom("notifications")
        .where("user_id", "!=", bystander.id)
        .selectAll()
        .execute();
      expect(notice).to.include({ type: "security" });
    });

    it("belong to their owner alone", async () => {
      const one = await made();
      const stranger = await here.server.signIn("stranger@elsewhere.example");
      const path = pathOf(one);
      const calls: readonly (readonly [string, string, object?])[] = [
        ["PATCH", path, { active: false }],
        ["DELETE", path],
        ["POST", `${path}/secret`],
        ["POST", `${path}/test`],
        ["GET", `${path}/deliveries`],
        ["POST", `${path}/deliveries/1`],
      ];
      for (const [method, to, body] of calls)
        expect((await stranger.call(method, to, body ? { body } : {})).status, to).to.equal(404);
      expect(await list()).to.deep.equal([one.webhook]);
    });

    it("need an address with https, at least one event, and are at most 20", async () => {
      const refused = ["", "x", "ftp://a.example", "https://me:pw@a.example/", "https://a.example:25/"];
      for (const url of refused) expect((await make({ url })).status, url).to.equal(400);
      for (const host of ["10.0.0.7", "[fd00::1]", "169.254.169.254", "192.168.1.1:8443"]) {
        const { status, json } = await make({ url: `https://${host}/` });
        expect(status, host).to.equal(400);
        expect((json as { errors: readonly object[] }).errors).to.deep.equal([
          {
            field: "url",
            message: "Enter a public address: this server sends nothing to private networks",
          },
        ]);
      }
      expect((await make({ events: [] })).status).to.equal(400);
      expect((await make({ events: ["mail.read"] })).status).to.equal(400);
      for (let n = 0; n < 20; n += 1) expect((await make()).status).to.equal(201);
      expect((await make()).status).to.equal(409);
    });

    it("are told of a mail with what the log keeps of its sender, signed for the receiver's library", async () => {
      const one = await made(only("mail.received", "mail.forwarded"));
      await here.send(sender, order);
      await untilMessages(2);
      expect([...types()].sort()).to.deep.equal(["mail.forwarded", "mail.received"]);
      for (const message of receiver.messages) {
        expect(isSignedWith(one.secret, message)).to.equal(true);
        expect(
          webhookPayloads["mail.received"].decode({ ...message.json, type: "mail.received" })._tag,
        ).to.equal("Right");
        const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signature } = message.headers;
        const key = Buffer.from(one.secret.slice(6), "base64");
        const mac = createHmac("sha256", key).update(`${id}.${at}.${message.body}`).digest("base64");
        expect(signature).to.equal(`v1,${mac}`);
        expect(message.body).not.to.contain("Your order").and.not.to.contain("on its way");
        expect(message.json.data).to.deep.include({
          mask: { id: here.mask.id, address: here.mask.maskEmail, labels: [] },
          result: "forwarded",
        });
        expect(message.json.data.mail).to.include({ from: null });
      }
      for (const [keep, from] of [
        ["domain", "shop.example"],
        ["address", sender],
      ] as const) {
        await here.ada.call("PUT", "/log/settings", { body: { keep } });
        receiver.messages.length = 0;
        await here.send(sender, order);
        await untilMessages(2);
        const mail = receiver.messages[0]?.json.data.mail;
        expect(mail?.["from"]).to.equal(from);
        expect(mail?.["logId"]).to.be.a("string");
      }
    });

    it("get subject and text only where their owner asks for them and has no key, even when one comes later", async () => {
      await made({ ...only("mail.received"), includesContent: true });
      await here.send(sender, order);
      await untilMessages(1);
      const mailOf = (n: number) => receiver.messages[n]?.json.data.mail;
      expect(mailOf(0)).to.include({ subject: "Your order", isTextCut: false });
      expect(mailOf(0)?.["text"]).to.contain("It is on its way.");

      await stopSending();
      await here.send(sender, order);
      const [user] = await here.server.database.db
        .selectFrom("users")
        .where("id", "!=", bystander.id)
        .select("id")
        .execute();
      const key = { publicKey: "a key", fingerprint: "f", now: 0 };
      await upsertPublicKey(here.server.database.db, user?.id ?? "", key);
      stopSending = sending.start();
      await untilMessages(2);
      expect(mailOf(1)).not.to.have.any.keys("subject", "text");
      expect((await make({ includesContent: true })).status).to.equal(400);
    });

    it("tell of blocked, held and refused mail, with the reason", async () => {
      await made(only("mail.blocked", "mail.held", "mail.refused"));
      const { db } = here.server.database;
      const ruled = (type: "block" | "hold") =>
        setRules(db, { id: here.mask.id, email: "" }, [
          rule([type === "block" ? { type, params: {} } : { type }] as never),
        ]);
      await ruled("block");
      await here.send(sender, order);
      await untilMessages(1);
      await ruled("hold");
      await here.send(sender, order);
      await untilMessages(2);
      await here.ada.call("PUT", `/masks/${here.mask.id}`, { body: { active: false } });
      await here.send(sender, order);
      await untilMessages(3);
      const facts = receiver.messages.map(({ json }) => {
        const { result, reason } = json.data as unknown as { result: string; reason: { code: string } };
        return [json.type, result, reason.code];
      });
      expect(facts).to.deep.equal([
        ["mail.blocked", "blocked", "rule-blocked"],
        ["mail.held", "held", "rule-held"],
        ["mail.refused", "refused", "mask-off"],
      ]);
      const held = receiver.messages[1]?.json.data.mail;
      const row = await db
        .selectFrom("held_mails")
        .where("user_id", "!=", bystander.id)
        .select("id")
        .executeTakeFirst();
      expect(held?.["heldId"]).to.equal(row?.id);
    });

    it("tell of masks that are made, changed and deleted, one by one and in bulk", async () => {
      await made(only("mask.made", "mask.changed", "mask.deleted"));
      const { id } = (await here.ada.call("POST", "/masks", { body: { description: "New" } })).json as {
        id: string;
      };
      await untilMessages(1);
      await here.ada.call("PUT", `/masks/${id}`, { body: { active: false } });
      await untilMessages(2);
      expect(receiver.messages[1]?.json.data).to.deep.include({ isActive: false });
      await here.ada.call("DELETE", `/masks/${id}`);
      await untilMessages(3);
      expect(types()).to.deep.equal(["mask.made", "mask.changed", "mask.deleted"]);
      for (const { json } of receiver.messages)
        expect(webhookPayloads["mask.made"].decode({ ...json, type: "mask.made" })._tag).to.equal("Right");
    });

    it("are told of masks with their labels alone, and go on when a label is renamed", async () => {
      const one = await made({ ...only("mask.changed"), labels: ["shops"] });
      const path = `/masks/${here.mask.id}`;
      await here.ada.call("PUT", path, { body: { description: "Without" } });
      await here.ada.call("PUT", path, { body: { labels: ["shops"] } });
      await untilMessages(1);
      await here.ada.call("PATCH", "/labels/shops", { body: { name: "stores" } });
      expect((await list())[0]?.labels).to.deep.equal(["stores"]);
      expect(await deliveries(one)).to.have.length(1);
    });

    it("sign with the earlier secret too for 24 hours after a rotation", async () => {
      const one = await made(only("mask.changed"));
      const { secret, webhook } = (await here.ada.call("POST", `${pathOf(one)}/secret`)).json as Made;
      expect(webhook.earlierSecretUntil).to.be.a("string");
      await here.ada.call("POST", `${pathOf(one)}/test`);
      await untilMessages(1);
      const [first] = receiver.messages;
      if (!first) throw new Error("no message");
      expect([one.secret, secret].map((each) => isSignedWith(each, first))).to.deep.equal([true, true]);
      expect(String(first.headers["webhook-signature"]).split(" ")).to.have.length(2);
      here.server.clock.advance(dayMs + 1);
      await here.ada.refresh();
      expect((await list())[0]?.earlierSecretUntil).to.equal(null);
      await here.ada.call("POST", `${pathOf(one)}/test`);
      await untilMessages(2);
      expect(String(receiver.messages[1]?.headers["webhook-signature"]).split(" ")).to.have.length(1);
    });

    it("list what was answered, its first 200 visible characters, and send again with the same id", async () => {
      const one = await made(only("mask.changed"));
      receiver.answer = (response) => response.writeHead(500).end(`\u0007broken\n${"x".repeat(500)}`);
      await here.ada.call("POST", `${pathOf(one)}/test`);
      await untilState(one, "failed");
      const [failed] = await deliveries(one);
      expect(failed).to.include({ event: "webhook.test", status: 500, attempts: 1, nextAttempt: null });
      expect(failed?.problem).to.equal("Answered 500, which is not a success.");
      expect(failed?.answer)
        .to.have.length(200)
        .and.to.match(/^broken x/);
      receiver.answer = (response) => response.writeHead(200).end();
      const again = await here.ada.call("POST", `${pathOf(one)}/deliveries/${failed?.id}`);
      expect(again.status).to.equal(200);
      await untilState(one, "delivered");
      const ids = receiver.messages.map(({ headers }) => headers["webhook-id"]);
      expect(ids).to.deep.equal([failed?.messageId, failed?.messageId]);
      expect((await deliveries(one))[0]).to.include({ attempts: 2, status: 200, problem: null });
      expect((await list())[0]?.lastDelivery).to.deep.equal((await deliveries(one))[0]);
    });

    it("follow no redirect", async () => {
      const one = await made();
      receiver.answer = (response) => response.writeHead(302, { location: "/other" }).end();
      await here.ada.call("POST", `${pathOf(one)}/test`);
      await untilState(one, "failed");
      expect((await deliveries(one))[0]?.problem).to.equal("Answered 302: redirects are not followed.");
      expect(receiver.messages).to.have.length(1);
    });

    it("are sent nothing while they are off, and nothing after they are deleted", async () => {
      const one = await made(only("mask.changed"));
      await here.ada.call("PATCH", pathOf(one), { body: { active: false } });
      await here.ada.call("PUT", `/masks/${here.mask.id}`, { body: { description: "Other" } });
      expect(await deliveries(one)).to.deep.equal([]);
      await here.ada.call("DELETE", pathOf(one));
      expect(await list()).to.deep.equal([]);
    });

    it("keep the last 100 deliveries", async () => {
      const one = await made();
      await stopSending();
      const path = `/masks/${here.mask.id}`;
      for (let n = 0; n < 103; n += 1)
        await here.ada.call("PUT", path, { body: { description: `mask ${n}` } });
      const { db, engine } = here.server.database;
      await db
        .updateTable("webhook_messages")
        .where("user_id", "!=", bystander.id)
        .set({ state: "delivered" })
        .execute();
      await pruneMessages(db, 0, engine);
      const left = await db
        .selectFrom("webhook_messages")
        .where("user_id", "!=", bystander.id)
        .select("id")
        .execute();
      expect(left).to.have.length(100);
      expect(await deliveries(one)).to.have.length(100);
    });

    describe("whose receiver fails", () => {
      /** Sends with a clock that stands and a receiver that is a function. */
      const begin = async (
        answer: () => OutgoingResult | Promise<OutgoingResult>,
        clock: Clock = here.server.clock,
      ) => {
        await stopSending();
        const posted: { readonly at: number; readonly id: string }[] = [];
        const deps: WebhookDispatcherDeps = {
          ...here.server.context,
          clock,
          random: { ...here.server.context.random, fraction: () => 0.5 },
          postToPublicHost: async ({ headers }) => {
            posted.push({ at: here.server.clock.now(), id: headers["webhook-id"] ?? "" });
            return answer();
          },
        };
        sending = createWebhookDispatcher(deps);
        stopSending = sending.start();
        return posted;
      };
      const change = async () => {
        await here.ada.refresh();
        await here.ada.call("PUT", `/masks/${here.mask.id}`, {
          body: { description: `at ${Math.random()}` },
        });
      };
      const dueAt = async (): Promise<number> => {
        const row = await here.server.database.db
          .selectFrom("webhook_messages")
          .where("user_id", "!=", bystander.id)
          .select(({ fn }) => fn.min("next_attempt_at").as("at"))
          .where("state", "=", "waiting")
          .executeTakeFirst();
        return Number(row?.at ?? 0);
      };
      const untilAttempts = (posted: readonly unknown[], count: number): Promise<void> =>
        until(`${count} attempts are recorded`, async () => {
          sending.wake();
          const rows = await here.server.database.db
            .selectFrom("webhook_messages")
            .where("user_id", "!=", bystander.id)
            .select(["attempts", "lease"])
            .execute();
          const attempts = rows.reduce((sum, row) => sum + row.attempts, 0);
          return posted.length >= count && attempts >= count && rows.every(({ lease }) => lease === null);
        });

      it("that this server cannot send are tried with the same delays, then given up", async () => {
        await made(only("mask.changed"));
        await begin(() => ({ failure: "refused" }));
        const { db } = here.server.database;
        await db
          .updateTable("webhooks")
          .set({ secret: "damaged" })
          .where("user_id", "!=", bystander.id)
          .execute();
        const from = here.server.clock.now();
        await change();
        const rows = async () =>
          db.selectFrom("webhook_messages").where("user_id", "!=", bystander.id).selectAll().execute();
        let attempts = 0;
        while (attempts < 30 && (await rows())[0]?.state === "waiting") {
          attempts += 1;
          await until(`attempt ${attempts} is recorded`, async () => {
            sending.wake();
            const [message] = await rows();
            return message?.lease === null && message.attempts === attempts;
          });
          here.server.clock.advance(Math.max(0, (await dueAt()) - here.server.clock.now()));
        }
        expect(attempts).to.be.within(8, 14);
        expect(here.server.clock.now() - from).to.be.within(dayMs - minuteMs, dayMs + minuteMs);
        expect((await rows())[0]).to.include({ state: "failed", failure: "unsendable", sealed: null });
      });

      it("are tried with growing delays for 24 hours, then paused, and their owner is notified", async () => {
        const one = await made(only("mask.changed"));
        const posted = await begin(() => ({ failure: "refused" }));
        await change();
        for (let n = 1; n < 30; n += 1) {
          await untilAttempts(posted, n);
          const due = await dueAt();
          if (due === 0) break;
          here.server.clock.advance(Math.max(0, due - here.server.clock.now()));
        }
        const spent = (posted.at(-1)?.at ?? 0) - (posted[0]?.at ?? 0);
        expect(spent).to.be.within(dayMs - minuteMs, dayMs + minuteMs);
        expect(posted.length).to.be.within(8, 14);
        expect(new Set(posted.map(({ id }) => id)).size).to.equal(1);
        await here.ada.refresh();
        expect((await list())[0]).to.include({ state: "paused", pausedBecause: "failing" });
        const notices = await here.server.database.db
          .selectFrom("notifications")
          .where("user_id", "!=", bystander.id)
          .selectAll()
          .execute();
        expect(notices.at(-1)?.message).to.contain(
          "was paused, because nothing could be delivered for 24 hours",
        );
        expect(new Set(notices.map(({ place }) => place))).to.deep.equal(new Set(["webhooks"]));
        const shown = (await here.ada.call("GET", "/notifications?limit=50")).json as {
          notifications: readonly { place?: string }[];
        };
        expect(shown.notifications[0]?.place).to.equal("webhooks");
        await change();
        expect(await deliveries(one)).to.have.length(1);

        await here.server.database.db
          .updateTable("sessions")
          .where("user_id", "!=", bystander.id)
          .set({ proven_at: here.server.clock.now() })
          .execute();
        await here.ada.call("PATCH", pathOf(one), { body: { active: true } });
        expect((await list())[0]).to.include({ state: "on", failingSince: null });
        await change();
        expect(await deliveries(one)).to.have.length(2);
      });

      it("may ask to wait, within reason", async () => {
        await made(only("mask.changed"));
        const answers = ["7200", "999999999"];
        const posted = await begin(() => ({ status: 503, retryAfter: answers.shift() ?? null, text: "" }));
        await change();
        await untilAttempts(posted, 1);
        expect((await dueAt()) - here.server.clock.now()).to.be.within(2 * hourMs - minuteMs, 2 * hourMs);
        here.server.clock.advance(2 * hourMs);
        await untilAttempts(posted, 2);
        expect((await dueAt()) - here.server.clock.now()).to.be.within(6 * hourMs - minuteMs, 6 * hourMs);
      });

      it("are paused at once when it answers that it is gone", async () => {
        const one = await made(only("mask.changed"));
        const posted = await begin(() => ({ status: 410, retryAfter: null, text: "bye" }));
        await change();
        await untilAttempts(posted, 1);
        expect((await list())[0]).to.include({ state: "paused", pausedBecause: "gone" });
        expect((await deliveries(one))[0]).to.include({ state: "failed", status: 410 });
      });

      it("are paused at once when a test is answered so, and not while they are off", async () => {
        const one = await made(only("mask.changed"));
        const posted = await begin(() => ({ status: 410, retryAfter: null, text: "bye" }));
        await here.ada.call("PATCH", pathOf(one), { body: { active: false } });
        await here.ada.call("POST", `${pathOf(one)}/test`);
        await untilAttempts(posted, 1);
        expect((await list())[0]).to.include({ state: "off" });
        await here.ada.call("PATCH", pathOf(one), { body: { active: true } });
        expect((await list())[0]).to.include({ state: "on" });
        await here.ada.call("POST", `${pathOf(one)}/test`);
        await untilAttempts(posted, 2);
        expect((await list())[0]).to.include({ state: "paused", pausedBecause: "gone" });
      });

      it("count as well again after one success", async () => {
        const one = await made(only("mask.changed"));
        let isDown = true;
        const posted = await begin(() =>
          isDown ? { failure: "timeout" } : { status: 200, retryAfter: null, text: "" },
        );
        await change();
        await untilAttempts(posted, 1);
        expect((await rowOf(one)).failing_since).not.to.equal(null);
        isDown = false;
        here.server.clock.advance(minuteMs);
        await untilAttempts(posted, 2);
        expect((await rowOf(one)).failing_since).to.equal(null);
      });

      it("take at most four requests at a time, and two before they have answered once", async () => {
        await made(only("mask.changed"));
        const release: (() => void)[] = [];
        const posted = await begin(
          () =>
            new Promise((resolve) =>
              release.push(() => resolve({ status: 200, retryAfter: null, text: "" })),
            ),
        );
        for (let n = 0; n < 10; n += 1) await change();
        const untilSent = (count: number) =>
          until(`${count} are being sent`, async () => {
            sending.wake();
            return posted.length >= count;
          });
        await untilSent(2);
        sending.wake();
        expect(posted).to.have.length(2);
        for (const one of release.splice(0)) one();
        await untilSent(6);
        sending.wake();
        expect(posted).to.have.length(6);
        await until("all are sent", async () => {
          for (const one of release.splice(0)) one();
          sending.wake();
          return posted.length === 10;
        });
        for (const one of release.splice(0)) one();
      });

      it("get a message once from a process that still sends it when its lease has ended", async () => {
        await made(only("mask.changed"));
        const release: (() => void)[] = [];
        const posted = await begin(
          () =>
            new Promise((resolve) =>
              release.push(() => resolve({ status: 200, retryAfter: null, text: "" })),
            ),
        );
        const untilPosted = (count: number): Promise<void> =>
          until(`${count} are being sent`, async () => {
            sending.wake();
            return posted.length >= count;
          });
        await change();
        await untilPosted(1);
        here.server.clock.advance(minuteMs + 1);
        await change();
        await untilPosted(2);
        for (const one of release) one();
        const ids = posted.map(({ id }) => id);
        expect(ids).to.deep.equal([...new Set(ids)]);
      });

      it("get a message again whose process was killed, with the same id", async () => {
        await made(only("mask.changed"));
        // A process that ends in the middle records nothing, and its clock wakes it no more.
        const posted = await begin(() => new Promise(() => {}), {
          ...here.server.clock,
          scheduler: createVirtualClock().scheduler,
        });
        await change();
        await until("it is being sent", async () => {
          sending.wake();
          return posted.length === 1;
        });
        stopSending = async () => {};
        const ids: string[] = [];
        sending = createWebhookDispatcher({
          ...here.server.context,
          postToPublicHost: async ({ headers }) => {
            ids.push(headers["webhook-id"] ?? "");
            return { status: 200, retryAfter: null, text: "" };
          },
        });
        stopSending = sending.start();
        here.server.clock.advance(minuteMs + 1);
        await until("it is sent again", async () => {
          sending.wake();
          return ids.length === 1;
        });
        expect(ids).to.deep.equal(posted.map(({ id }) => id));
      });

      it("have each message sent by one of two processes", async () => {
        await made(only("mask.changed"));
        const posted = await begin(() => ({ status: 200, retryAfter: null, text: "" }));
        const other = createWebhookDispatcher({
          ...here.server.context,
          postToPublicHost: async ({ headers }) => {
            posted.push({ at: 0, id: headers["webhook-id"] ?? "" });
            return { status: 200, retryAfter: null, text: "" };
          },
        });
        await stopSending();
        for (let n = 0; n < 30; n += 1) await change();
        stopSending = sending.start();
        const stopOther = other.start();
        await until("all are sent", async () => {
          sending.wake();
          other.wake();
          return posted.length >= 30;
        });
        await stopOther();
        await stopSending();
        stopSending = async () => {};
        expect(new Set(posted.map(({ id }) => id)).size).to.equal(30);
        expect(posted).to.have.length(30);
      });
    });
  });
