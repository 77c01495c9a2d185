import { expect } from "chai";
import { decrypt, generateKey, readMessage } from "openpgp";
import { dayMs } from "../../../../core/kernel/durations.ts";
import { explainDetail } from "../../../../core/mailLog/explainEntry.ts";
import { LogDetail, type LogEntry, type LogPage, StepDetail } from "../../../../core/mailLog/logEntry.ts";
import { createPrepareStep, createSealDetail } from "../../../../server/delivery/mailLog/sealDetail.ts";
import { upsertPublicKey } from "../../../../server/features/encryption/publicKeyQueries.ts";
import { WorkerPool } from "../../../../server/platform/workers/workerPool.ts";
import { encryptionThreads } from "../../../../server/relay/encrypt/encryptCopies.ts";
import type { EncryptionTask } from "../../../../server/relay/encrypt/pgpMime.ts";
import { maxMailBytes } from "../../../../server/smtp/smtpLimits.ts";
import { bystander, isOfTest } from "../../support/bystander.ts";
import { adaEmail, type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { addDomain } from "../../support/owners.ts";
import { rule, setRules } from "../../support/ruledMask.ts";
import { pruneAll } from "../../support/serverContext.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";

const sender = "orders@shop.example";
const order = letter(`Shop <${sender}>`);

for (const store of everyStore)
  describe(`The log of mail, on ${store.name}`, () => {
    let here: HeldServer;

    before(requireStore(store));
    beforeEach(async () => {
      here = await startHeldServer(store);
    });
    afterEach(() => here?.stop());

    const turnOn = (keep = "address") => here.ada.call("PUT", "/log/settings", { body: { keep } });
    const page = async (query = ""): Promise<LogPage> =>
      (await here.ada.call("GET", `/log${query}`)).json as LogPage;
    const entries = async (query = ""): Promise<readonly LogEntry[]> => (await page(query)).mails;
    const results = async (): Promise<readonly string[]> => (await entries()).map(({ result }) => result);
    const untilResult = (result: string): Promise<void> =>
      until(`it is ${result}`, async () => {
        here.delivery.wake();
        return (await results())[0] === result;
      });
    const ruled = (...rules: Parameters<typeof setRules>[2]) =>
      setRules(here.server.database.db, { id: here.mask.id, email: "" }, rules);
    const rowsOf = async (table: "log_entries" | "log_steps"): Promise<number> =>
      (await here.server.database.db.selectFrom(table).selectAll().execute()).filter(isOfTest).length;
    const explained = async (): Promise<string> => {
      const [entry] = await entries();
      return entry?.detail ? explainDetail(entry.detail).join(" ") : "";
    };

    it("is off until its owner switches it on, and says then what is kept and how long", async () => {
      expect((await page()).settings).to.deep.equal({ keep: "off", days: 7, encrypted: false });
      await here.send(sender, order);
      expect(await entries()).to.deep.equal([]);
      expect((await turnOn()).json).to.deep.equal({ keep: "address", days: 7, encrypted: false });
      await here.send(sender, order);
      expect((await entries()).map(({ detail }) => detail?.from)).to.deep.equal([sender]);
    });

    it("shows a delivered mail with mask, sender, size, checks and the answer of the server, and nothing of its text", async () => {
      await turnOn();
      const began = here.server.clock.now();
      await here.send(sender, order);
      await untilResult("delivered");
      const [entry] = await entries();
      expect(entry).to.deep.include({ maskId: here.mask.id, result: "delivered", sealed: null });
      expect(Date.parse(entry?.at ?? "")).to.be.within(began, here.server.clock.now());
      expect(entry?.detail).to.deep.include({ from: sender, cause: "forwarded", rules: [] });
      expect(entry?.detail?.checks).to.deep.include({ spf: "pass" });
      expect(entry?.detail?.size).to.be.greaterThan(100);
      expect(entry?.steps.map(({ state, detail }) => [state, detail?.to])).to.deep.equal([
        ["delivered", adaEmail],
      ]);
      expect(entry?.steps[0]?.detail?.answer).to.match(/^250/);
      const { db } = here.server.database;
      const stored = JSON.stringify([
        await db.selectFrom("log_entries").where("user_id", "!=", bystander.id).selectAll().execute(),
        await db.selectFrom("log_steps").where("entry_id", "!=", bystander.logEntryId).selectAll().execute(),
      ]);
      expect(stored).not.to.contain("Your order");
      expect(stored).not.to.contain("on its way");
    });

    it("keeps only the domain of senders where its owner wants that", async () => {
      await turnOn("domain");
      await here.send(sender, order);
      expect((await entries()).map(({ detail }) => detail?.from)).to.deep.equal(["shop.example"]);
      const stored = await here.server.database.db
        .selectFrom("log_entries")
        .where("user_id", "!=", bystander.id)
        .selectAll()
        .execute();
      expect(JSON.stringify(stored)).not.to.contain(sender);
    });

    it("shows a delay with the answer of the server, and the delivery after it", async () => {
      await turnOn();
      let isBusy = true;
      here.sink.onContent = () => (isBusy ? "451 4.3.2 come back later" : null);
      await here.send(sender, order);
      await untilResult("deferred");
      expect((await entries())[0]?.steps.map(({ state, detail }) => [state, detail?.answer])).to.deep.equal([
        ["deferred", "451 4.3.2 come back later"],
      ]);
      isBusy = false;
      here.server.clock.advance(10 * 60_000);
      await untilResult("delivered");
      expect((await entries())[0]?.steps.map(({ state }) => state)).to.deep.equal(["deferred", "delivered"]);
    });

    it("shows a mail that is held because it was refused, its release and its delivery", async () => {
      await turnOn();
      here.sink.onContent = () => "554 5.7.1 no spam please";
      await here.send(sender, order);
      await untilResult("held");
      here.sink.onContent = () => null;
      const [held] = ((await here.ada.call("GET", "/held")).json as { mails: { id: string }[] }).mails;
      expect((await entries())[0]?.heldId)
        .to.equal(held?.id)
        .and.not.to.equal(undefined);
      await here.ada.call("POST", `/held/${held?.id}/release`, { body: {} });
      await untilResult("delivered");
      expect((await entries())[0]).not.to.have.property("heldId");
      expect((await entries())[0]?.steps.map(({ state }) => state)).to.have.members([
        "held",
        "released",
        "delivered",
      ]);
    });

    it("shows a mail that its owner has deleted while it was held", async () => {
      await turnOn();
      await ruled(rule([{ type: "hold", params: {} }]));
      await here.send(sender, order);
      expect(await results()).to.deep.equal(["held"]);
      expect(await explained()).to.contain("The rule “Rule 1” holds it for your decision.");
      const [held] = ((await here.ada.call("GET", "/held")).json as { mails: { id: string }[] }).mails;
      await here.ada.call("POST", `/held/${held?.id}/delete`);
      expect(await results()).to.deep.equal(["deleted"]);
    });

    it("says, as the mail does, that trackers stay in a mail which is signed although a rule removes them", async () => {
      await turnOn();
      await ruled(rule([{ type: "modify", params: { subjectPrefix: "", removeTrackers: true } }]));
      const html = '<img src="https://t.shop.example/open?u=7" width="1" height="1">';
      const signed = [
        'Content-Type: multipart/signed; boundary=b; protocol="application/pgp-signature"',
        `\r\n--b\r\nContent-Type: text/html\r\n\r\n${html}\r\n--b--\r\n`,
      ].join("\r\n");
      await here.send(sender, `From: Shop <${sender}>\r\nSubject: Signed\r\n${signed}`);
      await untilResult("delivered");
      expect(await explained()).to.contain(
        "A rule removes trackers, but they may still be in this email: it is signed or encrypted, and a change would break that.",
      );
      const sent = here.sink.mails.map(({ content }) => content.toString());
      expect(sent.filter((text) => text.includes("\r\nX-Bauta-Trackers: kept (sealed)\r\n"))).to.have.length(
        1,
      );
    });

    it("explains a refusal by a rule with the text that the rule had", async () => {
      await turnOn();
      await ruled(rule([{ type: "block", params: { silentBlock: false } }]));
      expect(await here.send(sender, order)).to.match(/^550/);
      await ruled();
      expect(await results()).to.deep.equal(["blocked"]);
      expect(await explained()).to.contain(
        "The rule “Rule 1” blocked it and notified the sender. It says: If sender contains @ then block.",
      );
    });

    it("explains a rule for all masks with its text, too", async () => {
      await turnOn();
      const { db } = here.server.database;
      const { id: user_id } = await db
        .selectFrom("users")
        .where("id", "!=", bystander.id)
        .select("id")
        .executeTakeFirstOrThrow();
      const before_rules = JSON.stringify([rule([{ type: "tag", params: { tag: "Everywhere" } }])]);
      await db.insertInto("account_rules").values({ user_id, before_rules, after_rules: "[]" }).execute();
      await here.send(sender, order);
      expect(await explained()).to.contain(
        "The rule “Rule 1” applied: If sender contains @ then tag Everywhere. It was tagged Everywhere.",
      );
    });

    it("tells a silent block from one that the sender is told of", async () => {
      await turnOn();
      await ruled(rule([{ type: "block", params: { silentBlock: true } }]));
      expect(await here.send(sender, order)).to.match(/^250/);
      expect(await results()).to.deep.equal(["dropped"]);
    });

    it("shows mail that an archive or an automatic answer took up", async () => {
      await turnOn();
      await ruled(rule([{ type: "archive", params: { markAsRead: false } }]));
      await here.send(sender, order);
      expect(await results()).to.deep.equal(["archived"]);
      expect(await explained()).to.contain("put it into your archive");
    });

    it("shows mail that was refused because the mask is off, and because the month is used up", async () => {
      await turnOn();
      await here.ada.call("PUT", `/masks/${here.mask.id}`, { body: { active: false } });
      expect(await here.send(sender, order)).to.match(/^550/);
      await until("it is logged", async () => (await results()).length === 1);
      expect(await results()).to.deep.equal(["rejected"]);
      expect(await explained()).to.contain("switched off");
      await here.ada.call("PUT", `/masks/${here.mask.id}`, { body: { active: true } });
      const { db } = here.server.database;
      const { id: userId } = await db
        .selectFrom("users")
        .where("id", "!=", bystander.id)
        .select("id")
        .executeTakeFirstOrThrow();
      const month = new Date(here.server.clock.now()).toISOString().slice(0, 7);
      await db.deleteFrom("monthly_usage").where("user_id", "!=", bystander.id).execute();
      await db
        .insertInto("monthly_usage")
        .values({ user_id: userId, month, received: 100, forwarded: 0, blocked: 0, announced: 100 })
        .execute();
      expect(await here.send(sender, order)).to.match(/^552/);
      await until("it is logged", async () => (await results()).length === 2);
      expect(await explained()).to.contain("You can have 100 emails a month.");
    });

    it("shows mail that was refused at its recipient: too much of one sender, or nowhere to go yet", async () => {
      await here.stop();
      here = await startHeldServer(store, {
        senderLimits: { perMinute: 1, perHour: 600, dailyShare: 100 },
      });
      await turnOn();
      expect(await here.send(sender, order)).to.match(/^250/);
      expect(await here.send(sender, order)).to.match(/^450 4\.7\.1/);
      await until("it is logged", async () => (await results())[0] === "rejected");
      expect(await explained()).to.contain("Too much came from the sender's domain or network at once");
      const { db } = here.server.database;
      await db
        .updateTable("destinations")
        .where("user_id", "!=", bystander.id)
        .set({ confirmed_at: null })
        .execute();
      expect(await here.send("a@elsewhere.example", order)).to.match(/^450 4\.2\.1/);
      await until("it is logged", async () => (await results()).length === 3);
      expect(await explained()).to.contain("is not confirmed yet");
      await turnOn("off");
      expect(await here.send("a@elsewhere.example", order)).to.match(/^450 4\.2\.1/);
      await turnOn();
      expect(await entries()).to.deep.equal([]);
    });

    it("shows mail that was refused because it is too large", async () => {
      await turnOn();
      expect(await here.send(sender, Buffer.alloc(maxMailBytes + 1, "a\r\n"))).to.match(/^552 5\.3\.4/);
      await until("it is logged", async () => (await results()).length === 1);
      const [entry] = await entries();
      expect(entry).to.include({ maskId: here.mask.id, result: "rejected" });
      expect(await explained()).to.contain("was answered “552 5.3.4 This mail is too large”");
    });

    it("shows mail that was refused at a domain where it would have made a mask, without one", async () => {
      await turnOn();
      const { db } = here.server.database;
      const { id } = await db
        .selectFrom("users")
        .where("id", "!=", bystander.id)
        .select("id")
        .executeTakeFirstOrThrow();
      await addDomain(db, { id }, { catch_all: "all" });
      const month = new Date(here.server.clock.now()).toISOString().slice(0, 7);
      await db
        .insertInto("monthly_usage")
        .values({ user_id: id, month, received: 100, forwarded: 0, blocked: 0, announced: 100 })
        .execute();
      expect(await here.send(sender, order, "new@own.example")).to.match(/^552/);
      await until("it is logged", async () => (await results()).length === 1);
      const [entry] = await entries();
      expect(entry).to.include({ maskId: "", result: "rejected" });
      expect(await explained()).to.contain("You can have 100 emails a month.");
    });

    it("finds entries by mask, result and text, and pages through them", async () => {
      await turnOn();
      for (const from of ["a@one.example", "b@two.example", "c@three.example"])
        await here.send(from, letter(`X <${from}>`));
      const all = await entries();
      expect(all.map(({ detail }) => detail?.from)).to.deep.equal([
        "c@three.example",
        "b@two.example",
        "a@one.example",
      ]);
      const first = await page("?limit=2");
      expect([first.mails.length, first.more]).to.deep.equal([2, true]);
      const second = await page(`?limit=2&before=${first.mails[1]?.id}`);
      expect([second.mails.map(({ id }) => id), second.more]).to.deep.equal([[all[2]?.id], false]);
      expect((await entries("?q=two.ex")).map(({ id }) => id)).to.deep.equal([all[1]?.id]);
      expect(await entries("?q=%25nothing")).to.deep.equal([]);
      expect(await entries("?result=blocked")).to.deep.equal([]);
      expect(await entries("?maskId=other")).to.deep.equal([]);
      expect((await entries(`?maskId=${here.mask.id}`)).length).to.equal(3);
    });

    it("belongs to its owner alone", async () => {
      await turnOn();
      await here.send(sender, order);
      const other = await here.server.signIn("other@example.org");
      await other.call("PUT", "/log/settings", { body: { keep: "domain" } });
      expect(((await other.call("GET", `/log?maskId=${here.mask.id}`)).json as LogPage).mails).to.deep.equal(
        [],
      );
      await other.call("DELETE", "/log");
      expect((await entries()).length).to.equal(1);
      expect((await here.server.client().call("GET", "/log")).status).to.equal(401);
    });

    it("is deleted when it is switched off, and by itself, and stays on in the second case", async () => {
      await turnOn();
      await here.send(sender, order);
      await untilResult("delivered");
      await here.ada.call("DELETE", "/log");
      expect([await rowsOf("log_entries"), await rowsOf("log_steps")]).to.deep.equal([0, 0]);
      expect((await page()).settings.keep).to.equal("address");
      await here.send(sender, order);
      await turnOn("off");
      expect([await rowsOf("log_entries"), await rowsOf("log_steps")]).to.deep.equal([0, 0]);
      await here.send(sender, order);
      expect(await rowsOf("log_entries")).to.equal(0);
    });

    it("ends with the history of the plan", async () => {
      await turnOn();
      await here.send(sender, order);
      const { database, clock } = here.server;
      const pruneAt = (now: number) => pruneAll(database, now);
      await pruneAt(clock.now() + 7 * dayMs - 1_000);
      expect(await rowsOf("log_entries")).to.equal(1);
      await pruneAt(clock.now() + 7 * dayMs + 1_000);
      expect(await rowsOf("log_entries")).to.equal(0);
    });

    it("is in the export of the account, and leaves with the account", async () => {
      await turnOn();
      await here.send(sender, order);
      const { json } = await here.ada.call("GET", "/account/export");
      expect((json as { log: LogEntry[] }).log.map(({ detail }) => detail?.from)).to.deep.equal([sender]);
      await here.ada.call("DELETE", "/account", { body: { email: adaEmail } });
      expect(await rowsOf("log_entries")).to.equal(0);
    });

    it("never refuses a mail: one that cannot be logged is delivered without", async () => {
      await turnOn();
      await here.server.database.db.schema.dropTable("log_steps").execute();
      await here.server.database.db.schema.dropTable("log_entries").execute();
      expect(await here.send(sender, order)).to.match(/^250/);
      await until("it has arrived", () => {
        here.delivery.wake();
        return here.sink.mails.some(({ from }) => from.startsWith("bounces+"));
      });
    });
  });

for (const store of everyStore)
  describe(`The log of an owner with a key, on ${store.name}`, () => {
    const pool = new WorkerPool<EncryptionTask, Uint8Array | null>(encryptionThreads);
    let here: HeldServer;

    before(requireStore(store));
    after(() => pool.stop());
    beforeEach(async () => {
      here = await startHeldServer(store, {}, (database) => {
        const seal = createSealDetail(database.engine, pool);
        return { sealDetail: seal, prepareStep: createPrepareStep(database.engine, seal) };
      });
    });
    afterEach(() => here?.stop());

    const addKey = async (options: { readonly keyExpirationTime?: number; readonly date?: Date } = {}) => {
      const { db } = here.server.database;
      const { id: userId } = await db
        .selectFrom("users")
        .where("id", "!=", bystander.id)
        .select("id")
        .executeTakeFirstOrThrow();
      const key = await generateKey({ userIDs: [{ name: "Ada" }], format: "object", ...options });
      const publicKey = key.publicKey.armor();
      await upsertPublicKey(db, userId, { publicKey, fingerprint: key.publicKey.getFingerprint(), now: 1 });
      return key.privateKey;
    };

    it("can be read with that key alone", async () => {
      const decryptionKeys = await addKey();
      await here.ada.call("PUT", "/log/settings", { body: { keep: "address" } });
      await here.send(sender, order);
      const { mails, settings } = (await here.ada.call("GET", "/log")).json as LogPage;
      expect(settings.encrypted).to.equal(true);
      const [entry] = mails;
      expect(entry?.detail).to.equal(null);
      const { db } = here.server.database;
      expect(
        JSON.stringify(
          await db.selectFrom("log_entries").where("user_id", "!=", bystander.id).selectAll().execute(),
        ),
      ).not.to.match(/\bshop\b/);
      const message = await readMessage({ binaryMessage: Buffer.from(entry?.sealed ?? "", "base64") });
      const { data } = await decrypt({ message, decryptionKeys });
      const detail: unknown = JSON.parse(String(data));
      expect(LogDetail.is(detail) && detail.from).to.equal(sender);
      expect(StepDetail.is(detail)).to.equal(false);
    });

    it("can be read with that key alone when a mail is refused at its recipient, too", async () => {
      const decryptionKeys = await addKey();
      await here.ada.call("PUT", "/log/settings", { body: { keep: "address" } });
      await here.ada.call("PUT", `/masks/${here.mask.id}`, { body: { active: false } });
      expect(await here.send(sender, order)).to.match(/^550/);
      const page = async (): Promise<LogPage> => (await here.ada.call("GET", "/log")).json as LogPage;
      await until("it is logged", async () => (await page()).mails.length === 1);
      const [entry] = (await page()).mails;
      expect(entry).to.include({ result: "rejected", detail: null });
      const message = await readMessage({ binaryMessage: Buffer.from(entry?.sealed ?? "", "base64") });
      const { data } = await decrypt({ message, decryptionKeys });
      expect(JSON.parse(String(data))).to.include({ from: sender, cause: "mask-off" });
    });

    it("says nothing of a mail when the key has expired", async () => {
      await addKey({ date: new Date("2020-01-01"), keyExpirationTime: 60 });
      await here.ada.call("PUT", "/log/settings", { body: { keep: "address" } });
      expect(await here.send(sender, order)).to.match(/^250/);
      const { mails } = (await here.ada.call("GET", "/log")).json as LogPage;
      expect(mails.map(({ detail, sealed }) => [detail, sealed])).to.deep.equal([[null, null]]);
    });
  });
