import { expect } from "chai";
import { decrypt, generateKey, type PrivateKey, readMessage } from "openpgp";
import { cryptoRandom, systemClock } from "../../../../adapters/system/clockAndRandom.ts";
import type { ApiScope } from "../../../../core/api/apiScope.ts";
import { codeLimits } from "../../../../core/codes/codeEndpoints.ts";
import { minuteMs } from "../../../../core/kernel/durations.ts";
import type { MailCode } from "../../../../core/mail/mailCode.ts";
import { webhookEvents } from "../../../../core/webhooks/webhookEvent.ts";
import { pruneCodes } from "../../../../server/features/codes/codeQueries.ts";
import { upsertPublicKey } from "../../../../server/features/encryption/publicKeyQueries.ts";
import { createWebhookDispatcher } from "../../../../server/features/webhooks/webhookDispatcher.ts";
import { createTracing, type FinishedSpan } from "../../../../server/platform/ops/tracing.ts";
import { WorkerPool } from "../../../../server/platform/workers/workerPool.ts";
import { encryptionThreads } from "../../../../server/relay/encrypt/encryptCopies.ts";
import type { EncryptionTask } from "../../../../server/relay/encrypt/pgpMime.ts";
import { bystander } from "../../support/bystander.ts";
import { openEvents } from "../../support/eventReader.ts";
import { adaEmail, type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { proveByCode } from "../../support/recentProof.ts";
import { rule, setRules } from "../../support/ruledMask.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";
import { startWebhookReceiver } from "../../support/webhookReceiver.ts";

const sender = "login@shop.example";
const mailWith = (code: string): string =>
  letter(`Shop <${sender}>`, [], `${code} is your verification code`);

const htmlMail = [
  `From: Shop <${sender}>`,
  "To: mask@masks.test",
  "Subject: =?utf-8?Q?Dein_Best=C3=A4tigungscode?=",
  "Message-ID: <2@shop.example>",
  "MIME-Version: 1.0",
  'Content-Type: multipart/alternative; boundary="b"',
  "",
  "--b",
  "Content-Type: text/html; charset=utf-8",
  "Content-Transfer-Encoding: base64",
  "",
  Buffer.from(
    '<p>Dein Bestätigungscode</p><table><tr><td>773 104</td></tr></table><a href="https://shop.example/c?t=1">Konto aktivieren</a>',
  ).toString("base64"),
  "--b--",
  "",
].join("\r\n");

for (const store of everyStore)
  describe(`The codes of mail, on ${store.name}`, () => {
    const pool = new WorkerPool<EncryptionTask, Uint8Array | null>(encryptionThreads);
    let here: HeldServer;
    let spans: FinishedSpan[];

    before(requireStore(store));
    after(() => pool.stop());
    beforeEach(async () => {
      spans = [];
      const send = (span: FinishedSpan): void => void spans.push(span);
      const tracing = createTracing({ send, percent: 100, clock: systemClock, random: cryptoRandom });
      here = await startHeldServer(store, { tracing }, () => ({ encryptionPool: pool }), { tracing });
    });
    afterEach(() => here?.stop());

    const showOfMask = (showCodes: boolean, id = here.mask.id) =>
      here.ada.call("PUT", `/masks/${id}`, { body: { settings: { showCodes } } });
    const showOfAccount = (showCodes: boolean) =>
      here.ada.call("PUT", "/account/profile", { body: { showCodes } });
    const codes = async (id = here.mask.id): Promise<readonly MailCode[]> =>
      ((await here.ada.call("GET", `/masks/${id}/codes`)).json as { codes: MailCode[] }).codes;
    const rows = () =>
      here.server.database.db
        .selectFrom("mail_codes")
        .where("user_id", "!=", bystander.id)
        .selectAll()
        .execute();
    const addKey = async (): Promise<PrivateKey> => {
      const { db } = here.server.database;
      const { id } = await db
        .selectFrom("users")
        .where("email", "=", adaEmail)
        .select("id")
        .executeTakeFirstOrThrow();
      const key = await generateKey({ userIDs: [{ name: "Ada" }], format: "object" });
      await upsertPublicKey(db, id, {
        publicKey: key.publicKey.armor(),
        fingerprint: key.publicKey.getFingerprint(),
        now: 1,
      });
      return key.privateKey;
    };
    const madeToken = async (scopes: readonly ApiScope[]): Promise<string> => {
      const body = { name: "Extension", scopes, domain: null, lifetimeDays: 90 };
      return ((await here.ada.call("POST", "/account/api-tokens", { body })).json as { token: string }).token;
    };
    const callWith = async (token: string, method: string, path: string, body?: unknown) => {
      const response = await fetch(`${here.server.origin}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const json = (await response.json().catch(() => ({}))) as Record<string, unknown>;
      return { status: response.status, json };
    };

    it("are found only where their owner wants to see them", async () => {
      await here.send(sender, mailWith("482913"));
      expect(await rows()).to.eql([]);
      expect((await showOfMask(true)).json).to.have.nested.property("settings.showCodes", true);
      await here.send(sender, mailWith("482913"));
      const [code] = await codes();
      expect(code).to.deep.include({ code: "482913", sender: "shop.example", maskId: here.mask.id });
      expect(Date.parse(code?.expiresAt ?? "") - Date.parse(code?.receivedAt ?? "")).to.equal(
        codeLimits.minutes * minuteMs,
      );
    });

    it("name no sender and bring no link where nothing proves who sent them", async () => {
      await here.ada.call("PUT", `/masks/${here.mask.id}`, { body: { settings: { acceptUnproven: true } } });
      await showOfMask(true);
      const forged = htmlMail.replace(/^From: .*$/m, "From: Bank <x@elsewhere.example>");
      await here.send("x@elsewhere.example", forged);
      const [code] = await codes();
      expect(code).to.deep.include({ code: "773104", sender: "", unproven: true });
      expect(code).not.to.have.property("link");
      const linkAlone = forged.replace(/\r\n[A-Za-z0-9+/=]{40,}\r\n/, (text) =>
        text.replace(/\S+/, Buffer.from('<a href="https://shop.example/c">Confirm</a>').toString("base64")),
      );
      await here.send("x@elsewhere.example", linkAlone);
      expect(await codes()).to.have.lengthOf(1);
      await here.send(sender, linkAlone.replace("elsewhere.example", "shop.example"));
      expect((await codes())[0]).to.deep.include({ sender: "shop.example", link: "https://shop.example/c" });
    });

    it("are found at all masks of an account that wants to see them", async () => {
      expect((await showOfAccount(true)).status).to.equal(200);
      expect((await here.ada.call("GET", "/account")).json).to.have.nested.property(
        "settings.showCodes",
        true,
      );
      await here.send(sender, htmlMail);
      const { codes: all } = (await here.ada.call("GET", "/codes")).json as { codes: MailCode[] };
      expect(all).to.have.lengthOf(1);
      expect(all[0]).to.deep.include({ code: "773104", link: "https://shop.example/c?t=1" });
    });

    it("are deleted when they were used, when they are old, and when they are no longer wanted", async () => {
      await showOfMask(true);
      await here.send(sender, mailWith("482913"));
      const [used] = await codes();
      const path = `/masks/${here.mask.id}/codes/${used?.id}`;
      expect((await here.ada.call("DELETE", path)).status).to.equal(200);
      expect((await here.ada.call("DELETE", path)).status).to.equal(404);
      expect(await rows()).to.eql([]);
      await here.send(sender, mailWith("112233"));
      here.server.clock.advance(codeLimits.minutes * minuteMs);
      expect(await codes()).to.eql([]);
      await pruneCodes(here.server.database.db, here.server.clock.now());
      expect(await rows()).to.eql([]);
      await here.send(sender, mailWith("445566"));
      expect(await rows()).to.have.lengthOf(1);
      await showOfMask(false);
      expect(await rows()).to.eql([]);
    });

    it("are as many as a stranger may have stored", async () => {
      await showOfMask(true);
      for (let n = 0; n <= codeLimits.perMask; n += 1) {
        here.server.clock.advance(1);
        await here.send(sender, mailWith(`48291${n}`));
      }
      expect((await codes()).map(({ code }) => code)).to.eql([
        "482915",
        "482914",
        "482913",
        "482912",
        "482911",
      ]);
    });

    it("are no more at all masks of an account than it may have", async () => {
      await showOfAccount(true);
      const { db } = here.server.database;
      await db.updateTable("users").set({ tier: "pro" }).where("email", "=", adaEmail).execute();
      const masks = [here.mask];
      while (masks.length * codeLimits.perMask <= codeLimits.perAccount)
        masks.push(
          (await here.ada.call("POST", "/masks", { body: { description: "More" } })).json as typeof here.mask,
        );
      for (const { maskEmail } of masks)
        for (let n = 0; n < codeLimits.perMask; n += 1) {
          here.server.clock.advance(1);
          await here.send(sender, mailWith(`48291${n}`), maskEmail);
        }
      expect(await rows()).to.have.lengthOf(codeLimits.perAccount);
      expect(await codes(masks[0]?.id), "the oldest gave way").to.eql([]);
      expect(await codes(masks.at(-1)?.id)).to.have.lengthOf(codeLimits.perMask);
    });

    it("are in no log, event, metric, trace or webhook", async () => {
      const receiver = await startWebhookReceiver();
      const sending = createWebhookDispatcher(here.server.context);
      const stopSending = sending.start();
      try {
        const body = { url: receiver.url, events: webhookEvents, labels: [], includesContent: false };
        expect((await here.ada.call("POST", "/account/webhooks", { body })).status).to.equal(201);
        await showOfMask(true);
        await here.send(sender, htmlMail);
        const [code] = await codes();
        await until("the webhook is called", async () => {
          sending.wake();
          return receiver.messages.length > 0;
        });
        await here.ada.call("DELETE", `/masks/${here.mask.id}/codes/${code?.id}`);
        const { db } = here.server.database;
        expect(spans.map(({ name }) => name)).to.include.members([
          "receive mail",
          "GET /masks/:id/codes",
          "DELETE /masks/:id/codes/:codeId",
        ]);
        const said = [
          here.server.logged,
          spans,
          receiver.messages.map(({ json }) => json),
          await db.selectFrom("events").selectAll().execute(),
          await db.selectFrom("log_entries").selectAll().execute(),
          (await here.server.client().call("GET", "/metrics")).text,
        ].map((place) => JSON.stringify(place));
        for (const text of said)
          expect(text)
            .to.not.match(/773.?104/)
            .and.not.contain("shop.example/c");
      } finally {
        await stopSending();
        await receiver.close();
      }
    });

    it("are sealed to the key of their owner, and else with that of the installation", async () => {
      await showOfMask(true);
      await here.send(sender, mailWith("482913"));
      const [sealed] = await rows();
      expect(sealed?.to_key).to.equal(0);
      expect(Buffer.from(sealed?.content ?? "", "base64url").toString("latin1")).not.to.contain("482913");
      const key = await addKey();
      here.server.clock.advance(1);
      await here.send(sender, mailWith("773104"));
      const [code] = await codes();
      expect(code).not.to.have.any.keys("code", "link", "sender");
      const message = await readMessage({ binaryMessage: Buffer.from(code?.sealed ?? "", "base64") });
      const { data } = await decrypt({ message, decryptionKeys: key });
      expect(JSON.parse(String(data))).to.eql({ sender: "shop.example", code: "773104" });
    });

    it("are not of mail that is blocked or held, nor of other users' masks", async () => {
      await showOfMask(true);
      await setRules(here.server.database.db, { id: here.mask.id, email: "" }, [
        rule([{ type: "block", params: { silentBlock: true } }]),
      ]);
      await here.send(sender, mailWith("482913"));
      expect(await rows()).to.eql([]);
      await setRules(here.server.database.db, { id: here.mask.id, email: "" }, [
        rule([{ type: "hold", params: {} }]),
      ]);
      await here.send(sender, mailWith("482913"));
      expect((await here.ada.call("GET", "/held")).json)
        .to.have.property("mails")
        .with.lengthOf(1);
      expect(await rows()).to.eql([]);
      const eve = await here.server.signIn("eve@home.example");
      expect((await eve.call("GET", `/masks/${here.mask.id}/codes`)).status).to.equal(404);
      expect((await eve.call("GET", "/codes")).json).to.eql({ codes: [] });
    });

    it("are switched on by their user alone, or by a token that may read them", async () => {
      here.server.clock.advance(6 * minuteMs);
      expect((await showOfMask(true)).status).to.equal(403);
      expect((await showOfAccount(true)).status).to.equal(403);
      await proveByCode(here.server, here.ada, adaEmail);
      const writer = await madeToken(["masks:write"]);
      const reader = await madeToken(["masks:create", "masks:write", "codes:read"]);
      const wide = await madeToken(["masks:write", "codes:read:all"]);
      const path = `/masks/${here.mask.id}`;
      const refused = await callWith(writer, "PUT", path, { settings: { showCodes: true } });
      expect(refused.status).to.equal(403);
      expect(refused.json).to.have.property("scope", "codes:read");
      const ofOthers = await callWith(reader, "PUT", path, { settings: { showCodes: true } });
      expect(ofOthers.status).to.equal(403);
      expect(ofOthers.json).to.have.property("scope", "codes:read:all");
      const made = await callWith(reader, "POST", "/masks", { description: "Made" });
      const ofOwn = await callWith(reader, "PUT", `/masks/${made.json["id"]}`, {
        settings: { showCodes: true },
      });
      expect(ofOwn.status).to.equal(200);
      expect((await callWith(wide, "PUT", path, { settings: { showCodes: true } })).status).to.equal(200);
      here.server.clock.advance(6 * minuteMs);
      expect((await showOfMask(true)).status).to.equal(200);
    });

    it("are told to be gone to the tokens that may read them, when used, in place of newer ones, and no longer wanted", async () => {
      const own = await madeToken(["masks:create", "masks:read", "codes:read"]);
      const other = await madeToken(["masks:read", "codes:read"]);
      const body = { description: "Made", settings: { showCodes: true } };
      const made = (await callWith(own, "POST", "/masks", body)).json as HeldServer["mask"];
      const events = await openEvents(here.server.origin, own);
      const others = await openEvents(here.server.origin, other);
      for (let n = 0; n <= codeLimits.perMask; n += 1) {
        here.server.clock.advance(1);
        await here.send(sender, mailWith(`48291${n}`), made.maskEmail);
      }
      const [newest, used] = await codes(made.id);
      await callWith(own, "DELETE", `/masks/${made.id}/codes/${used?.id}`);
      await here.ada.call("PUT", `/masks/${made.id}`, { body: { settings: { showCodes: false } } });
      here.server.context.feed.wake();
      const gone = () =>
        events.messages.flatMap(({ data }) => (data["resource"] === "codes" ? [data["resourceId"]] : []));
      await events.waitFor("all", () => gone().length === codeLimits.perMask + 1);
      expect(gone()).to.include.members([used?.id, newest?.id]);
      await here.ada.call("PUT", `/masks/${made.id}`, { body: { note: "last" } });
      here.server.context.feed.wake();
      await others.waitFor("the note", ({ data }) => JSON.stringify(data).includes("last"));
      expect(others.messages.filter(({ data }) => data["resource"] === "codes")).to.eql([]);
      events.close();
      others.close();
    });

    it("are read by a token at the masks that it created, and at all with the wider scope", async () => {
      await showOfAccount(true);
      const own = await madeToken(["masks:create", "masks:read", "codes:read"]);
      const wide = await madeToken(["masks:read", "codes:read:all"]);
      const none = await madeToken(["masks:read"]);
      const made = (await callWith(own, "POST", "/masks", { description: "Made" }))
        .json as HeldServer["mask"];
      const events = await openEvents(here.server.origin, own);
      const allEvents = await openEvents(here.server.origin, wide);
      await here.send(sender, mailWith("482913"));
      await here.send(sender, mailWith("773104"), made.maskEmail);
      here.server.context.feed.wake();
      expect((await callWith(none, "GET", `/masks/${made.id}/codes`)).status).to.equal(403);
      const refused = await callWith(own, "GET", `/masks/${here.mask.id}/codes`);
      expect(refused.status).to.equal(403);
      expect(refused.json).to.have.property("scope", "codes:read:all");
      const readBy = async (token: string, path: string) =>
        ((await callWith(token, "GET", path)).json["codes"] as MailCode[]).map(({ code }) => code);
      expect(await readBy(own, `/masks/${made.id}/codes`)).to.eql(["773104"]);
      expect(await readBy(own, "/codes")).to.eql(["773104"]);
      expect(await readBy(wide, "/codes")).to.have.members(["773104", "482913"]);
      expect(await readBy(wide, `/masks/${here.mask.id}/codes`)).to.eql(["482913"]);
      const told = await events.waitFor("a code", ({ type }) => type === "code");
      expect(told.data).to.deep.include({ code: "773104", maskId: made.id });
      await allEvents.waitFor("a code", ({ type, data }) => type === "code" && data["code"] === "773104");
      expect(allEvents.messages.filter(({ type }) => type === "code")).to.have.lengthOf(2);
      expect(events.messages.filter(({ type }) => type === "code")).to.have.lengthOf(1);
      events.close();
      allEvents.close();
    });
  });
