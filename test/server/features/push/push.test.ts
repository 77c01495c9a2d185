import { expect } from "chai";
import { dayMs, hourMs, minuteMs } from "../../../../core/kernel/durations.ts";
import { type PushDevice, PushDevice as PushDeviceCodec } from "../../../../core/push/pushEndpoints.ts";
import type { PushPayload } from "../../../../core/push/pushPayload.ts";
import { upsertPublicKey } from "../../../../server/features/encryption/publicKeyQueries.ts";
import { createPushDispatcher } from "../../../../server/features/push/pushDispatcher.ts";
import { createPushKeys } from "../../../../server/features/push/pushKeys.ts";
import { pushesPerHour } from "../../../../server/features/push/pushLimits.ts";
import { announcePush, maxWaitingPushes } from "../../../../server/features/pushDevices/announcePush.ts";
import { endAllSessions } from "../../../../server/features/session/sessions.ts";
import type { MessageDispatcher } from "../../../../server/platform/outgoing/messages/messageDispatcher.ts";
import {
  createPublicHttpClient,
  type OutgoingResult,
  type PostToPublicHost,
} from "../../../../server/platform/outgoing/publicHttpClient.ts";
import { bystander } from "../../support/bystander.ts";
import { type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import {
  type PushedBrowser,
  type PushService,
  readProof,
  startPushService,
} from "../../support/pushService.ts";
import { rule, setRules } from "../../support/ruledMask.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";

const sender = "orders@shop.example";
const order = letter(`Shop <${sender}>`);

for (const store of everyStore)
  describe(`Push notifications, on ${store.name}`, () => {
    let here: HeldServer;
    let service: PushService;
    let browser: PushedBrowser;
    let sending: MessageDispatcher;
    let stopSending: () => Promise<void> = async () => {};

    const dispatcher = (postToPublicHost: PostToPublicHost = here.server.context.postToPublicHost) => {
      const context = { ...here.server.context, postToPublicHost };
      return createPushDispatcher({ ...context, pushKeys: createPushKeys(context) });
    };
    const begin = async (postToPublicHost?: PostToPublicHost): Promise<void> => {
      await stopSending();
      sending = dispatcher(postToPublicHost);
      stopSending = sending.start();
    };

    before(requireStore(store));
    beforeEach(async () => {
      here = await startHeldServer(store);
      service = await startPushService();
      browser = service.subscribe();
      await begin();
    });
    afterEach(async () => {
      await stopSending();
      stopSending = async () => {};
      await service?.close();
      await here?.stop();
    });

    const keysOf = ({ endpoint, p256dh, auth }: PushedBrowser) => ({ endpoint, p256dh, auth });
    const add = async (change: object = {}, client = here.ada) => {
      const body = {
        ...keysOf(browser),
        kinds: ["held", "replies", "security", "masks"],
        masks: [here.mask.id],
        quietHours: null,
        showsSender: false,
        ...change,
      };
      return client.call("POST", "/account/push", { body });
    };
    const added = async (change: object = {}): Promise<PushDevice> => {
      const { status, json } = await add(change);
      expect(status, JSON.stringify(json)).to.equal(201);
      return json as PushDevice;
    };
    const list = async (client = here.ada) =>
      (await client.call("GET", "/account/push")).json as {
        readonly key: string;
        readonly devices: readonly PushDevice[];
      };
    const shown = async (count: number): Promise<readonly PushPayload[]> => {
      await until(`${count} notifications are shown`, async () => {
        sending.wake();
        return browser.shown().length >= count;
      });
      return browser.shown();
    };
    const db = () => here.server.database.db;
    const userId = async (): Promise<string> =>
      (await db().selectFrom("users").where("id", "!=", bystander.id).select("id").executeTakeFirstOrThrow())
        .id;
    const waiting = async () =>
      db().selectFrom("push_messages").where("user_id", "!=", bystander.id).selectAll().execute();
    const devices = async () =>
      db().selectFrom("push_devices").where("user_id", "!=", bystander.id).selectAll().execute();
    const untilNothingWaits = (): Promise<void> =>
      until("nothing waits", async () => {
        sending.wake();
        return (await waiting()).length === 0;
      });
    /** The one message that waits has been looked at, and waits for its device. */
    const untilPutOff = (): Promise<void> =>
      until("it is put off", async () => {
        sending.wake();
        const [message, ...others] = await waiting();
        const isLater = Number(message?.next_attempt_at) > here.server.clock.now();
        return others.length === 0 && message?.lease === null && isLater;
      });
    /** Quiet hours that begin and end so many hours after the one of the clock. */
    const quietFrom = (begin: number, end: number) => {
      const hour = new Date(here.server.clock.now()).getUTCHours();
      const clock = (n: number) => `${String((hour + n + 24) % 24).padStart(2, "0")}:00`;
      return { startTime: clock(begin), endTime: clock(end), timeZone: "UTC" };
    };
    const hold = () => setRules(db(), { id: here.mask.id, email: "" }, [rule([{ type: "hold" }] as never)]);
    const press = async (payload: PushPayload | undefined, action: string) => {
      const token = payload?.buttons.find((button) => button.action === action)?.token;
      return here.server.client().call("POST", "/push/action", { body: { token } });
    };

    it("go to a device that its user adds; endpoint and keys are kept encrypted, and shown to nobody", async () => {
      const device = await added();
      expect(PushDeviceCodec.decode(device)._tag).to.equal("Right");
      expect(device).to.include({ mark: browser.mark, lastSent: null });
      expect((await list()).devices).to.deep.equal([device]);
      const kept = JSON.stringify([
        await devices(),
        await db().selectFrom("push_keys").selectAll().execute(),
        await db()
          .selectFrom("idempotent_answers")
          .where("user_id", "!=", bystander.id)
          .selectAll()
          .execute(),
        here.server.logged,
        device,
      ]);
      for (const secret of [browser.endpoint, browser.auth, browser.p256dh])
        expect(kept).not.to.contain(secret);
      const { privateKey } = await createPushKeys(here.server.context)();
      expect(kept).not.to.contain(privateKey);
    });

    it("are proven by one key of the installation, which all processes have and keep", async () => {
      const [one, other] = await Promise.all([
        createPushKeys(here.server.context)(),
        createPushKeys(here.server.context)(),
      ]);
      expect(one).to.deep.equal(other);
      expect((await list()).key).to.equal(one.publicKey);
      await added();
      await here.ada.call("POST", `/account/push/${(await list()).devices[0]?.id}/test`);
      await shown(1);
      const { authorization } = service.messages[0]?.headers ?? {};
      expect(readProof(String(authorization))).to.include({ key: one.publicKey, aud: service.origin });
    });

    it("say that mail is held, without its sender and subject, and how many wait", async () => {
      await added();
      await hold();
      await here.send(sender, order);
      const [payload] = await shown(1);
      expect(payload).to.deep.include({
        title: "Mail is held",
        body: `Mail to ${here.mask.maskEmail} waits for your decision.`,
        place: "held",
        held: 1,
      });
      const text = JSON.stringify(payload);
      for (const secret of [sender, "Shop", "Your order"]) expect(text).not.to.contain(secret);
      expect(service.messages[0]?.body.toString("latin1")).not.to.contain(here.mask.maskEmail);
      await untilNothingWaits();
      expect((await list()).devices[0]?.lastSent).to.be.a("string");
    });

    it("say that mail is held which could not be forwarded, without its sender and subject", async () => {
      await added({ kinds: ["held"] });
      here.sink.onContent = () => "554 5.7.1 no";
      await here.send(sender, order);
      here.delivery.wake();
      const [payload] = await shown(1);
      expect(payload).to.deep.include({ title: "Mail is held", place: "held", buttons: [] });
      for (const secret of [sender, "Shop", "Your order"])
        expect(JSON.stringify(payload)).not.to.contain(secret);
    });

    it("name sender and subject where their user asks; the subject not with a key, and both are kept sealed", async () => {
      await added({ showsSender: true });
      await stopSending();
      stopSending = async () => {};
      await here.send(sender, order);
      expect(JSON.stringify(await waiting()))
        .not.to.contain(sender)
        .and.not.to.contain("Your order");
      await begin();
      const [payload] = await shown(1);
      expect(payload?.title).to.equal(sender);
      expect(payload?.body).to.contain("Your order");
      await upsertPublicKey(db(), await userId(), { publicKey: "a key", fingerprint: "f", now: 0 });
      await hold();
      await here.send(sender, order);
      const [, withKey] = await shown(2);
      expect(withKey?.title).to.equal(sender);
      expect(withKey?.body).not.to.contain("Your order");
    });

    it("do not name the subject of mail that waits when its owner gets a key", async () => {
      await added({ showsSender: true });
      await stopSending();
      stopSending = async () => {};
      await here.send(sender, order);
      await upsertPublicKey(db(), await userId(), { publicKey: "a key", fingerprint: "f", now: 0 });
      await begin();
      const [payload] = await shown(1);
      expect(payload?.title).to.equal(sender);
      expect(payload?.body).not.to.contain("Your order");
    });

    it("are alike for who carries them, whatever they say", async () => {
      const device = await added({ showsSender: true });
      await here.send(sender, order);
      await shown(1);
      const subject = `=?utf-8?B?${Buffer.from("漢".repeat(200)).toString("base64")}?=`;
      await here.send(sender, order.replace("Your order", subject));
      await shown(2);
      await here.ada.call("POST", "/account/app-passwords", { body: { name: "Phone" } });
      await shown(3);
      await here.ada.call("POST", `/account/push/${device.id}/test`);
      const payloads = await shown(4);
      expect(payloads[1]?.body).to.contain("漢".repeat(60));
      expect(payloads.at(-1)?.title).to.equal("Test");
      const outside = service.messages.map(({ body, headers: { ttl, urgency } }) =>
        JSON.stringify({ bytes: body.length, ttl, urgency }),
      );
      expect(new Set(outside).size, outside.join()).to.equal(1);
    });

    it("tell of chosen masks and of wanted kinds alone", async () => {
      const { id } = (await here.ada.call("POST", "/masks", { body: { description: "Other" } })).json as {
        id: string;
      };
      const device = await added({ kinds: ["masks"], masks: [id, "no-mask", bystander.maskId] });
      expect(device.masks).to.deep.equal([id]);
      await here.send(sender, order);
      expect(await waiting()).to.deep.equal([]);
      await here.ada.call("PATCH", `/account/push/${device.id}`, { body: { masks: [here.mask.id] } });
      await here.send(sender, order);
      const [payload] = await shown(1);
      expect(payload).to.deep.include({
        title: "New mail",
        place: `mask?id=${here.mask.id}`,
      });
      await hold();
      await here.send(sender, order);
      await untilNothingWaits();
      expect(browser.shown()).to.have.length(1);
    });

    it("tell of security and lead to the settings", async () => {
      await added();
      await here.ada.call("POST", "/account/app-passwords", { body: { name: "Phone" } });
      const [payload] = await shown(1);
      expect(payload).to.deep.include({
        title: "Security of your account",
        place: "settings/programs/app-passwords",
      });
      expect(payload?.buttons).to.deep.equal([]);
    });

    it("allow the sender of held mail by their button, without a session, and once", async () => {
      await added();
      await hold();
      await here.send(sender, order);
      const [payload] = await shown(1);
      const { status, json } = await press(payload, "allow");
      expect(status).to.equal(200);
      expect(json).to.deep.equal({ text: "The sender is allowed, and the email is on its way.", undo: null });
      const held = db().selectFrom("held_mails").where("user_id", "!=", bystander.id).selectAll();
      expect(await held.execute()).to.deep.equal([]);
      expect((await press(payload, "allow")).status).to.equal(404);
    });

    it("switch the mask off by their button, and on again by the answer's", async () => {
      await added();
      await here.send(sender, order);
      const [payload] = await shown(1);
      const isActive = async (): Promise<number | undefined> =>
        (await db().selectFrom("masks").where("id", "=", here.mask.id).select("active").executeTakeFirst())
          ?.active;
      const { json } = await press(payload, "switch-off");
      expect(await isActive()).to.equal(0);
      const { undo } = json as { readonly undo: { readonly token: string } };
      await here.server.client().call("POST", "/push/action", { body: { token: undo.token } });
      expect(await isActive()).to.equal(1);
    });

    it("have buttons that nobody can make up, that end after a week and with their device", async () => {
      const device = await added();
      await here.send(sender, order);
      const [payload] = await shown(1);
      const stranger = here.server.client();
      for (const token of ["", "x", "A".repeat(200)])
        expect((await stranger.call("POST", "/push/action", { body: { token } })).status).to.equal(404);
      here.server.clock.advance(8 * dayMs);
      expect((await press(payload, "switch-off")).status).to.equal(404);
      here.server.clock.advance(-8 * dayMs);
      await here.ada.call("DELETE", `/account/push/${device.id}`);
      expect((await press(payload, "switch-off")).status).to.equal(404);
      expect(await devices()).to.deep.equal([]);
    });

    it("wait for the end of the device's quiet hours, those about security do not", async () => {
      await added({ quietHours: quietFrom(-1, 2) });
      await here.send(sender, order);
      await here.ada.call("POST", "/account/app-passwords", { body: { name: "Phone" } });
      const [payload] = await shown(1);
      expect(payload?.title).to.equal("Security of your account");
      await untilPutOff();
      const [message] = await waiting();
      const end = Number(message?.next_attempt_at);
      expect(end - here.server.clock.now()).to.be.within(hourMs, 2 * hourMs);
      expect(end % hourMs).to.equal(0);
      here.server.clock.advance(end - here.server.clock.now());
      expect((await shown(2))[1]?.title).to.equal("New mail");
    });

    it("are given up after a day of failed attempts, also where every night has quiet hours", async () => {
      await begin(async () => ({ status: 503, retryAfter: null, text: "" }));
      const from = here.server.clock.now();
      await added({ quietHours: quietFrom(2, -2) });
      await here.send(sender, order);
      for (let n = 0; n < 40; n += 1) {
        const next = Number((await waiting())[0]?.next_attempt_at ?? 0);
        if (next === 0) break;
        here.server.clock.advance(Math.max(0, next - here.server.clock.now()));
        await until("the attempt is recorded", async () => {
          sending.wake();
          const [message] = await waiting();
          return !message || (message.lease === null && Number(message.next_attempt_at) > next);
        });
      }
      expect(await waiting()).to.deep.equal([]);
      expect(here.server.clock.now() - from).to.be.at.most(2 * dayMs);
    });

    it("are sent at once when the quiet hours are taken away", async () => {
      const device = await added({ quietHours: quietFrom(0, 3) });
      await here.send(sender, order);
      await untilPutOff();
      await here.ada.call("PATCH", `/account/push/${device.id}`, { body: { quietHours: null } });
      await shown(1);
    });

    describe("about codes", () => {
      const withCode = letter(`Shop <${sender}>`, [], "493 221 is your verification code");
      const showCodes = () =>
        here.ada.call("PUT", `/masks/${here.mask.id}`, { body: { settings: { showCodes: true } } });

      it("show the code of a mask that shows codes, to devices that want them, once", async () => {
        await showCodes();
        await added({ kinds: ["codes", "masks"] });
        await here.send(sender, withCode);
        const [payload] = await shown(1);
        expect(payload).to.deep.include({ title: "A code has come", place: `mask?id=${here.mask.id}` });
        expect(payload?.body).to.match(/^493 ?221\n/);
        await here.send(sender, order);
        expect((await shown(2))[1]?.title).to.equal("New mail");
      });

      it("say of one whose sender is not proven that nothing proves it", async () => {
        const body = { settings: { showCodes: true, acceptUnproven: true } };
        await here.ada.call("PUT", `/masks/${here.mask.id}`, { body });
        await added({ kinds: ["codes"] });
        const forged = withCode.replace(sender, "x@elsewhere.example");
        await here.send("x@elsewhere.example", forged);
        const [payload] = await shown(1);
        expect(payload?.body).to.match(/^493 ?221\nNothing proves who sent it\.\n/);
      });

      it("are mail as any other for devices that do not want them", async () => {
        await showCodes();
        await added({ kinds: ["masks"] });
        await here.send(sender, withCode);
        const [payload] = await shown(1);
        expect(payload?.title).to.equal("New mail");
        expect(JSON.stringify(payload)).not.to.contain("221");
      });

      it("have no code for an owner with a key", async () => {
        await showCodes();
        await added({ kinds: ["codes"] });
        await stopSending();
        stopSending = async () => {};
        await here.send(sender, withCode);
        expect(JSON.stringify(await waiting())).not.to.contain("221");
        await upsertPublicKey(db(), await userId(), { publicKey: "a key", fingerprint: "f", now: 0 });
        await begin();
        const [payload] = await shown(1);
        expect(payload?.body).to.equal(`A code or a confirmation link has come to ${here.mask.maskEmail}.`);
      });

      it("are not shown once the code has expired", async () => {
        await showCodes();
        await added({ kinds: ["codes"] });
        await stopSending();
        stopSending = async () => {};
        await here.send(sender, withCode);
        expect(await waiting()).to.have.length(1);
        here.server.clock.advance(11 * minuteMs);
        await begin();
        await untilNothingWaits();
        expect(browser.shown()).to.deep.equal([]);
      });
    });

    describe("that wait for the end of quiet hours", () => {
      const morning = async (): Promise<void> => {
        here.server.clock.advance(3 * hourMs);
        await untilNothingWaits();
      };

      it("are not shown when the held mail is decided meanwhile", async () => {
        await added({ quietHours: quietFrom(0, 3) });
        await hold();
        await here.send(sender, order);
        await untilPutOff();
        const [held] = await db()
          .selectFrom("held_mails")
          .where("user_id", "!=", bystander.id)
          .select("id")
          .execute();
        expect((await here.ada.call("POST", `/held/${held?.id}/delete`)).status).to.equal(200);
        await morning();
        expect(browser.shown()).to.deep.equal([]);
      });

      const ends: Readonly<Record<string, (device: PushDevice) => readonly [string, string, object?]>> = {
        "the device does not want the mask any more": ({ id }) => [
          "PATCH",
          `/account/push/${id}`,
          { masks: [] },
        ],
        "the device does not want the kind any more": ({ id }) => [
          "PATCH",
          `/account/push/${id}`,
          { kinds: ["held"] },
        ],
        "the mask is deleted": () => ["DELETE", `/masks/${here.mask.id}`],
      };
      for (const [end, callOf] of Object.entries(ends))
        it(`are not shown when ${end}`, async () => {
          const device = await added({ quietHours: quietFrom(0, 3) });
          await here.send(sender, order);
          await untilPutOff();
          const [method, path, body] = callOf(device);
          expect((await here.ada.call(method, path, body ? { body } : {})).status).to.equal(200);
          await morning();
          expect(browser.shown()).to.deep.equal([]);
        });

      it("are sent at once when these end, also those whose first attempt has failed", async () => {
        const device = await added();
        await begin(async () => ({ status: 503, retryAfter: null, text: "" }));
        await here.send(sender, order);
        await until("the attempt is recorded", async () => {
          sending.wake();
          const [message] = await waiting();
          return message?.lease === null && message.attempts === 1;
        });
        await here.ada.call("PATCH", `/account/push/${device.id}`, { body: { quietHours: null } });
        await begin();
        await shown(1);
      });
    });

    it("belong to their owner alone, and an endpoint to the account that has it last", async () => {
      const device = await added();
      const stranger = await here.server.signIn("stranger@elsewhere.example");
      const path = `/account/push/${device.id}`;
      const calls: readonly (readonly [string, string, object?])[] = [
        ["PATCH", path, { kinds: [] }],
        ["DELETE", path],
        ["POST", `${path}/test`],
        ["PUT", "/account/push/here", { mark: device.mark }],
      ];
      for (const [method, to, body] of calls)
        expect((await stranger.call(method, to, body ? { body } : {})).status, to).to.equal(404);
      expect((await list(stranger)).devices).to.deep.equal([]);
      expect((await add({ masks: [] }, stranger)).status).to.equal(201);
      expect((await list()).devices).to.deep.equal([]);
      expect((await list(stranger)).devices).to.have.length(1);
    });

    const renew = (to: PushedBrowser, former: object = keysOf(browser)) => {
      const { endpoint, auth } = { ...keysOf(browser), ...former };
      const body = { ...keysOf(to), former: { endpoint, auth } };
      return here.server.client().call("PUT", "/push/subscription", { body });
    };

    it("go to the subscription that a browser has made anew, also those that wait, for the secret of the former one", async () => {
      await stopSending();
      const device = await added();
      await here.send(sender, order);
      const after = service.subscribe();
      const { endpoint } = after;
      expect((await renew(after, { auth: after.auth })).status, "without the secret").to.equal(404);
      expect((await renew(after, { endpoint })).status, "of no device").to.equal(404);
      const nowhere = { ...after, endpoint: "https://10.0.0.1/x" };
      expect((await renew(nowhere)).status, "to a private network").to.equal(400);
      expect((await renew(after)).status).to.equal(200);
      expect((await renew(after)).status, "again").to.equal(404);
      expect((await list()).devices).to.deep.equal([{ ...device, mark: after.mark }]);
      await begin();
      await until("it is shown there", async () => after.shown().length === 1);
      expect(browser.shown()).to.deep.equal([]);
    });

    it("end when their device logs out or is logged out, and go on when its login only expires", async () => {
      const device = await added();
      const again = await here.server.signIn("ada@home.example");
      expect(
        (await again.call("PUT", "/account/push/here", { body: { mark: device.mark } })).status,
      ).to.equal(200);
      await db().deleteFrom("sessions").where("user_id", "!=", bystander.id).execute();
      expect(await devices()).to.have.length(1);
      const later = await here.server.signIn("ada@home.example");
      await later.call("PUT", "/account/push/here", { body: { mark: device.mark } });
      await later.call("POST", "/logout");
      expect(await devices()).to.deep.equal([]);
    });

    it("end with all other sessions, also those of a device whose login has expired; the caller's own goes on", async () => {
      await added();
      await db()
        .updateTable("push_devices")
        .set({ session_id: null })
        .where("mark", "=", browser.mark)
        .execute();
      const own = service.subscribe();
      const again = await here.server.signIn("ada@home.example");
      expect((await add(keysOf(own), again)).status).to.equal(201);
      expect((await again.call("DELETE", "/account/sessions")).status).to.equal(200);
      expect((await devices()).map(({ mark }) => mark)).to.deep.equal([own.mark]);
    });

    it("end with all sessions, which the operator ends", async () => {
      await added();
      await db()
        .updateTable("push_devices")
        .set({ session_id: null })
        .where("mark", "=", browser.mark)
        .execute();
      await endAllSessions(db(), await userId(), here.server.clock.now());
      expect(await devices()).to.deep.equal([]);
    });

    it("need a public address with https, usable keys, known kinds, and are of at most 20 devices", async () => {
      const endpoints = ["", "x", "ftp://a.example", "https://me:pw@a.example/", "https://a.example:25/"];
      const hosts = ["10.0.0.7", "[fd00::1]", "169.254.169.254", "192.168.1.1:8443"];
      for (const endpoint of [...endpoints, ...hosts.map((host) => `https://${host}/`)])
        expect((await add({ endpoint })).status, endpoint).to.equal(400);
      for (const wrong of [
        { p256dh: "A".repeat(87) },
        { auth: "short" },
        { kinds: ["gossip"] },
        { kinds: ["held", "held"] },
        { quietHours: { startTime: "22:00", endTime: "22:00", timeZone: "UTC" } },
        { quietHours: { startTime: "25:00", endTime: "07:00", timeZone: "UTC" } },
        { quietHours: { startTime: "22:00", endTime: "07:00", timeZone: "Nowhere/Land" } },
        { masks: Array.from({ length: 101 }, (_, n) => String(n)) },
      ])
        expect((await add(wrong)).status, JSON.stringify(wrong)).to.equal(400);
      for (let n = 0; n < 20; n += 1)
        expect((await add({ endpoint: `${browser.endpoint}/${n}` })).status).to.equal(201);
      expect((await add()).status).to.equal(409);
    });

    it("of strangers' mail are bounded: some an hour of a network, to whatever masks, not counting unwanted ones", async () => {
      await stopSending();
      stopSending = async () => {};
      const other = (await here.ada.call("POST", "/masks", { body: { description: "Other" } }))
        .json as HeldServer["mask"];
      const wanted = [here.mask, other];
      const device = await added({ masks: [] });
      for (let n = 0; n < 3; n += 1) await here.send(sender, order);
      const masks = wanted.map(({ id }) => id);
      await here.ada.call("PATCH", `/account/push/${device.id}`, { body: { masks } });
      for (let n = 0; n < pushesPerHour.ofNetwork / 2 + 2; n += 1)
        for (const { maskEmail } of wanted) await here.send(sender, order, maskEmail);
      expect(await waiting()).to.have.length(pushesPerHour.ofNetwork);
    });

    it("of mail that was not stored do not count to these bounds", async () => {
      await stopSending();
      stopSending = async () => {};
      await added();
      const { database } = here.server;
      const { transaction } = database;
      const failing: typeof transaction = (work) =>
        transaction(async (tx) => {
          await work(tx);
          throw new Error("the commit fails");
        });
      Object.assign(database, { transaction: failing });
      for (let n = 0; n < pushesPerHour.ofNetwork; n += 1)
        expect(await here.send(sender, order)).to.match(/^4/);
      Object.assign(database, { transaction });
      await here.send(sender, order);
      expect(await waiting()).to.have.length(1);
    });

    it("wait for a device up to a number, further ones are left out", async () => {
      await stopSending();
      stopSending = async () => {};
      await added();
      const notice = { userId: await userId(), kind: "security", text: "Something has changed." } as const;
      const announced = (count: number): Promise<void> =>
        announcePush(db(), new Array(count).fill(notice), here.server.clock.now());
      await announced(maxWaitingPushes - 1);
      expect(await waiting()).to.have.length(maxWaitingPushes - 1);
      for (const more of [3, 1]) {
        await announced(more);
        expect(await waiting()).to.have.length(maxWaitingPushes);
      }
    });

    it("are in the export of the account, without the secrets of the device", async () => {
      const device = await added();
      const { json } = await here.ada.call("GET", "/account/export");
      expect((json as { pushDevices: unknown }).pushDevices).to.deep.equal([device]);
    });

    describe("whose push service fails", () => {
      const answering = (answer: () => OutgoingResult | Promise<OutgoingResult>) => {
        const posted: string[] = [];
        const post: PostToPublicHost = async ({ url }) => {
          posted.push(url);
          return answer();
        };
        return { posted, post };
      };
      const status = (code: number): OutgoingResult => ({ status: code, retryAfter: null, text: "" });
      const untilPosted = (posted: readonly unknown[], count: number): Promise<void> =>
        until(`${count} attempts are recorded`, async () => {
          sending.wake();
          return posted.length >= count && (await waiting()).every(({ lease }) => lease === null);
        });

      for (const code of [404, 410])
        it(`are forgotten with their device when it is gone (${code})`, async () => {
          await added();
          const { posted, post } = answering(() => status(code));
          await begin(post);
          await here.send(sender, order);
          await until("the device is forgotten", async () => {
            sending.wake();
            return (await devices()).length === 0;
          });
          expect(posted).to.deep.equal([browser.endpoint]);
          expect(await waiting()).to.deep.equal([]);
        });

      it("go on where the browser makes its subscription anew while the former one is found to be gone", async () => {
        await added();
        const after = service.subscribe();
        const { posted, post } = answering(async () => {
          await renew(after);
          return status(410);
        });
        await begin(post);
        await here.send(sender, order);
        await untilPosted(posted, 1);
        expect((await devices()).map(({ mark }) => mark)).to.deep.equal([after.mark]);
        await begin();
        here.server.clock.advance(minuteMs);
        await until("it is shown", async () => {
          sending.wake();
          return after.shown().length === 1;
        });
      });

      it("are tried again later while it is away, for a day", async () => {
        await added();
        const { posted, post } = answering(() => status(503));
        await begin(post);
        const from = here.server.clock.now();
        await here.send(sender, order);
        for (let n = 1; n < 30; n += 1) {
          await untilPosted(posted, n);
          const [message] = await waiting();
          if (!message) break;
          here.server.clock.advance(Number(message.next_attempt_at) - here.server.clock.now());
        }
        expect(posted.length).to.be.within(8, 14);
        expect(here.server.clock.now() - from).to.be.within(dayMs - minuteMs, dayMs + minuteMs);
        expect(await devices()).to.have.length(1);
      });

      for (const code of [401, 403])
        it(`are forgotten with their device when it refuses the key of the server for a day (${code})`, async () => {
          await added();
          const { posted, post } = answering(() => status(code));
          await begin(post);
          await here.send(sender, order);
          await untilPosted(posted, 1);
          expect(await devices()).to.have.length(1);
          here.server.clock.advance(dayMs);
          await until("the device is forgotten", async () => {
            sending.wake();
            return (await devices()).length === 0;
          });
          expect(posted).to.have.length(2);
        });

      it("are not tried again when it refuses them, or answers with a redirect", async () => {
        await added();
        for (const code of [400, 413, 301]) {
          const { posted, post } = answering(() => status(code));
          await begin(post);
          await here.send(sender, order);
          await untilPosted(posted, 1);
          await untilNothingWaits();
          expect(posted, String(code)).to.have.length(1);
        }
        expect(await devices()).to.have.length(1);
      });

      it("lead to no private network, whatever their endpoint's name stands for", async () => {
        const asked: string[] = [];
        const post = createPublicHttpClient({
          networks: [],
          isOwnListener: () => false,
          resolve: async (host) => {
            asked.push(host);
            return ["10.0.0.7"];
          },
        });
        await added({ endpoint: "https://push.example/device" });
        await begin(post);
        await here.send(sender, order);
        await until("the device is forgotten", async () => {
          sending.wake();
          return (await devices()).length === 0;
        });
        expect(asked).to.deep.equal(["push.example"]);
      });

      it("follow no redirect", async () => {
        await added();
        service.answer = (response) => {
          response.writeHead(307, { location: `${service.origin}/elsewhere` });
          response.end();
        };
        await here.send(sender, order);
        await untilNothingWaits();
        expect(service.messages.map(({ path }) => path)).to.deep.equal([new URL(browser.endpoint).pathname]);
      });

      it("do not wait for a slow answer longer than for one of a webhook", async () => {
        await added();
        service.answer = () => {};
        await begin(
          createPublicHttpClient({ networks: ["loopback"], isOwnListener: () => false, withinMs: 50 }),
        );
        await here.send(sender, order);
        await until("it is put off", async () => {
          sending.wake();
          const [message] = await waiting();
          return message?.lease === null && message.attempts === 1;
        });
        expect(Number((await waiting())[0]?.next_attempt_at)).to.be.above(here.server.clock.now());
      });

      it("are sent by one of two processes", async () => {
        await added();
        const other = dispatcher();
        const stopOther = other.start();
        try {
          for (let n = 0; n < 20; n += 1) await here.send(sender, order);
          await until("all are sent", async () => {
            sending.wake();
            other.wake();
            return (await waiting()).length === 0;
          });
          const tags = browser.shown().map(({ tag }) => tag);
          expect(tags).to.have.length(20);
          expect(new Set(tags).size).to.equal(20);
        } finally {
          await stopOther();
        }
      });
    });
  });
