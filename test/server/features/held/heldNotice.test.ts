import { expect } from "chai";
import { generateKey } from "openpgp";
import PostalMime from "postal-mime";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { dayMs, hourMs } from "../../../../core/kernel/durations.ts";
import { createFindEncryption } from "../../../../server/features/encryption/findEncryption.ts";
import { upsertPublicKey } from "../../../../server/features/encryption/publicKeyQueries.ts";
import { createHeldLinks } from "../../../../server/features/held/heldLinks.ts";
import { createSendHeldNotices } from "../../../../server/features/held/heldNotice.ts";
import { pruneHeldMails } from "../../../../server/features/held/pruneHeldMails.ts";
import { createKeyedHash } from "../../../../server/platform/ops/keyedHash.ts";
import { createSeal } from "../../../../server/platform/ops/secrets.ts";
import { WorkerPool } from "../../../../server/platform/workers/workerPool.ts";
import { createEncryptToOwner, encryptionThreads } from "../../../../server/relay/encrypt/encryptCopies.ts";
import type { EncryptionTask } from "../../../../server/relay/encrypt/pgpMime.ts";
import { named } from "../../../support/domainNames.ts";
import { bystander } from "../../support/bystander.ts";
import { adaEmail, type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";

const publicUrl = "http://bauta.test";
const stranger = "a@shop.example";
const news = letter("News <n@news.example>", [], "Verify <b>your</b> account");

for (const store of everyStore)
  describe(`The daily notice of held mail, on ${store.name}`, () => {
    let here: HeldServer;
    const pool = new WorkerPool<EncryptionTask, Uint8Array | null>(encryptionThreads);

    before(requireStore(store));
    after(() => pool.stop());
    beforeEach(async () => {
      here = await startHeldServer(store);
    });
    afterEach(() => here?.stop());

    const createSend = () => {
      const { database, clock } = here.server;
      return createSendHeldNotices({
        database,
        seal: createSeal(here.secrets.sealing, cryptoRandom),
        links: createHeldLinks(createKeyedHash(here.secrets.hashing), publicUrl),
        encryptToOwner: createEncryptToOwner(
          createFindEncryption({
            publicUrl: "https://bauta.test",
            database,
            pool,
            clock,
            random: cryptoRandom,
            feed: { wake: () => {} },
          }),
        ),
        sender: { brand: "Bauta", maskDomain: named("masks.test"), publicUrl },
        clock,
        random: cryptoRandom,
        onQueued: here.delivery.wake,
      });
    };
    const read = async () => Promise.all(here.sink.mails.map(({ content }) => PostalMime.parse(content)));
    const notices = async () => (await read()).filter(({ subject }) => / held for you$/.test(subject ?? ""));
    const queued = () =>
      here.server.database.db
        .selectFrom("queue")
        .where("recipient", "=", adaEmail)
        .where("status", "=", "waiting")
        .select("id")
        .execute();
    /** Sends what is due and waits until the next hop has all of it. */
    const notify = async (): Promise<void> => {
      await createSend()();
      here.delivery.wake();
      await until("everything is delivered", async () => (await queued()).length === 0);
    };
    const hold = async (content = news): Promise<void> => {
      expect(await here.send(stranger, content)).to.match(/^250/);
    };
    /** The links of the newest notice by their label. */
    const links = async (): Promise<Map<string, string>> => {
      const text = (await notices()).at(-1)?.text ?? "";
      return new Map(
        Array.from(text.matchAll(/^(.+): (http\S+)$/gm), ([, label = "", url = ""]) => [label, url]),
      );
    };
    const open = (url: string) =>
      here.server.client().call("GET", url.slice(publicUrl.length), { headers: { accept: "text/html" } });
    const press = (url: string) =>
      here.server.client().call("POST", "/held-mail", {
        raw: new URL(url).searchParams.toString(),
        headers: { accept: "text/html", "content-type": "application/x-www-form-urlencoded" },
      });
    const held = async (): Promise<number> =>
      (
        await here.server.database.db
          .selectFrom("held_mails")
          .where("user_id", "!=", bystander.id)
          .select("id")
          .execute()
      ).length;
    /** Calls the API with a new token: hours pass between the calls. */
    const call: typeof here.ada.call = async (...sent) => {
      await here.ada.refresh();
      return here.ada.call(...sent);
    };
    const notice = async (label: string): Promise<string> => {
      await hold();
      here.server.clock.advance(hourMs);
      await notify();
      return (await links()).get(label) ?? "";
    };

    it("lists what was held in an hour, once a day, and nothing when nothing new is held", async () => {
      await hold();
      await notify();
      expect(await notices(), "before the hour is over").to.deep.equal([]);
      await hold(letter("Other <o@news.example>", [], "Second"));
      here.server.clock.advance(hourMs);
      await notify();
      const [first] = await notices();
      expect(first?.subject).to.equal("2 emails are held for you");
      expect(first?.to?.[0]?.address).to.equal(adaEmail);
      expect(first?.text).to.include(`From News (n@news.example) to ${here.mask.maskEmail}`);
      expect(first?.html).to.include("Verify &lt;b&gt;your&lt;/b&gt; account");
      expect([...(await links()).keys()]).to.have.members([
        "Release",
        "Always allow",
        "Block sender",
        "Delete",
      ]);
      await hold();
      here.server.clock.advance(dayMs - 2 * hourMs);
      await notify();
      expect(await notices(), "on the same day").to.have.length(1);
      here.server.clock.advance(2 * hourMs);
      await notify();
      expect((await notices()).map(({ subject }) => subject)).to.deep.equal([
        "2 emails are held for you",
        "1 email is held for you",
      ]);
      here.server.clock.advance(dayMs);
      await notify();
      expect(await notices()).to.have.length(2);
    });

    it("is sent once by two processes, and not to a user who has switched it off", async () => {
      await hold();
      here.server.clock.advance(hourMs);
      expect((await call("PUT", "/account/profile", { body: { heldNotices: false } })).status).to.equal(200);
      expect((await call("GET", "/account")).json).to.have.nested.property("settings.heldNotices", false);
      await notify();
      expect(await notices()).to.deep.equal([]);
      await call("PUT", "/account/profile", { body: { heldNotices: true } });
      await Promise.all([createSend()(), createSend()()]);
      await notify();
      expect(await notices()).to.have.length(1);
    });

    it("is encrypted to the owner's key, and waits for a key that can be used", async () => {
      const keyOf = (date: Date, keyExpirationTime: number) =>
        generateKey({ userIDs: [{ name: "Ada" }], date, keyExpirationTime, format: "armored" });
      const { user_id: userId } = await here.server.database.db
        .selectFrom("masks")
        .where("user_id", "!=", bystander.id)
        .select("user_id")
        .executeTakeFirstOrThrow();
      const use = async (publicKey: string) =>
        upsertPublicKey(here.server.database.db, userId, { publicKey, fingerprint: "F", now: 0 });
      await notify();
      const before = here.sink.mails.length;
      await hold();
      here.server.clock.advance(hourMs);
      await use((await keyOf(new Date("2020-01-01"), 60)).publicKey);
      await notify();
      expect(here.sink.mails).to.have.length(before);
      here.server.clock.advance(dayMs);
      await use((await keyOf(new Date(), 0)).publicKey);
      await notify();
      expect(here.sink.mails).to.have.length(before + 1);
      const content = here.sink.mails.at(-1)?.content.toString() ?? "";
      expect(content).to.include("multipart/encrypted");
      expect(content).not.to.match(/held-mail|n@news|Verify/);
    });

    it("has links that change nothing when they are opened, and release when the button is pressed", async () => {
      const release = await notice("Release");
      const page = await open(release);
      expect(page.status).to.equal(200);
      expect(page.text)
        .to.include("Release this email?")
        .and.to.include("Verify &lt;b&gt;your&lt;/b&gt; account");
      expect(page.headers.get("cache-control")).to.equal("no-store");
      expect(page.text).not.to.include("<script");
      expect(await held()).to.equal(1);
      const pressed = await press(release);
      expect(pressed.status).to.equal(200);
      expect(pressed.text).to.include("The email is being sent");
      expect(await held()).to.equal(0);
      here.delivery.wake();
      await until("it arrives", async () =>
        (await read()).some(({ subject }) => subject === "[Suspicious sender] Verify <b>your</b> account"),
      );
      expect((await press(release)).status, "a second time").to.equal(404);
      expect((await open(release)).text).to.include("This link does not work any more");
    });

    it("has links that allow or block the sender at this mask, or delete the mail", async () => {
      const senders = async () => (await call("GET", `/masks/${here.mask.id}/senders`)).json;
      expect((await press(await notice("Always allow"))).text).to.include("The sender is allowed");
      expect(await senders()).to.deep.equal({ allow: ["n@news.example"], block: [] });
      await call("DELETE", `/masks/${here.mask.id}/senders/${encodeURIComponent("n@news.example")}`);
      here.server.clock.advance(dayMs);
      expect((await press(await notice("Block sender"))).text).to.include("The sender is blocked");
      expect(await senders()).to.deep.equal({ allow: [], block: ["n@news.example"] });
      await call("DELETE", `/masks/${here.mask.id}/senders/${encodeURIComponent("n@news.example")}`);
      here.server.clock.advance(dayMs);
      expect((await press(await notice("Delete"))).text).to.include("The email was deleted");
      expect(await held()).to.equal(0);
    });

    it("has links for one mail and one action of one user, which expire with the mail", async () => {
      const release = await notice("Release");
      const changed = (name: string, value: string): string => {
        const url = new URL(release);
        url.searchParams.set(name, value);
        return url.href;
      };
      await hold();
      const ids = await here.server.database.db
        .selectFrom("held_mails")
        .where("user_id", "!=", bystander.id)
        .select("id")
        .execute();
      const own = new URL(release).searchParams.get("mail");
      const other = ids.find(({ id }) => id !== own)?.id ?? "";
      for (const url of [
        changed("action", "delete"),
        changed("action", "burn"),
        changed("mail", other),
        changed("mail", "none"),
        changed("signature", ""),
        changed(
          "signature",
          createKeyedHash(new Uint8Array(32))("held-link", "a", own ?? "", "1", "release"),
        ),
      ]) {
        expect((await open(url)).status, url).to.equal(404);
        expect((await press(url)).status, url).to.equal(404);
      }
      expect(await held()).to.equal(2);
      here.server.clock.advance(7 * dayMs);
      expect((await press(release)).status, "after 7 days").to.equal(404);
      const { db, engine } = here.server.database;
      await pruneHeldMails(db, here.server.clock.now(), engine);
      expect(await held()).to.equal(0);
    });

    it("has pages that pages of other sites cannot press, and that are limited in rate", async () => {
      const release = await notice("Release");
      const forged = await here.server.client().call("POST", "/held-mail", {
        raw: new URL(release).searchParams.toString(),
        headers: { "content-type": "application/x-www-form-urlencoded", origin: "https://evil.example" },
      });
      expect(forged.status).to.equal(403);
      expect(await held()).to.equal(1);
      const from = { accept: "text/html", "x-forwarded-for": "203.0.113.9" };
      const statuses: number[] = [];
      for (let count = 0; count < 31; count += 1)
        statuses.push((await here.server.client().call("GET", "/held-mail", { headers: from })).status);
      expect(statuses.slice(0, 30).every((status) => status === 404)).to.equal(true);
      expect(statuses[30]).to.equal(429);
    });
  });
