import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { decrypt, generateKey, type PrivateKey, readMessage } from "openpgp";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { hourMs } from "../../../../core/kernel/durations.ts";
import { type LastMail, lastMailLimits } from "../../../../core/lastMails/lastMailEndpoints.ts";
import { createFindEncryption } from "../../../../server/features/encryption/findEncryption.ts";
import { upsertPublicKey } from "../../../../server/features/encryption/publicKeyQueries.ts";
import { openDatabase } from "../../../../server/platform/store/database.ts";
import { sqliteEngine } from "../../../../server/platform/store/sqlite.ts";
import { WorkerPool } from "../../../../server/platform/workers/workerPool.ts";
import { encryptionThreads } from "../../../../server/relay/encrypt/encryptCopies.ts";
import type { EncryptionTask } from "../../../../server/relay/encrypt/pgpMime.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { bystander } from "../../support/bystander.ts";
import { adaEmail, type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { rule, setRules } from "../../support/ruledMask.ts";
import { pruneAll } from "../../support/serverContext.ts";
import { everyStore, requireStore, sqliteStore, type TestStore } from "../../support/stores.ts";

const marker = "marker-of-the-kept-mail-4242";
const sender = "orders@shop.example";
const order = letter(`Shop <${sender}>`, [], marker);

for (const store of everyStore)
  describe(`The last mails of a mask, on ${store.name}`, () => {
    const pool = new WorkerPool<EncryptionTask, Uint8Array | null>(encryptionThreads);
    let here: HeldServer;

    const start = (kind: TestStore): Promise<HeldServer> =>
      startHeldServer(kind, {}, (database) => {
        return {
          encryptionPool: pool,
          findEncryption: createFindEncryption({
            publicUrl: "https://bauta.test",
            database,
            pool,
            clock: createVirtualClock(),
            random: cryptoRandom,
            feed: { wake: () => {} },
          }),
        };
      });

    before(requireStore(store));
    after(() => pool.stop());
    beforeEach(async () => {
      here = await start(store);
    });
    afterEach(() => here?.stop());

    const addKey = async (options: { readonly keyExpirationTime?: number; readonly date?: Date } = {}) => {
      const { db } = here.server.database;
      const { id } = await db
        .selectFrom("users")
        .where("email", "=", adaEmail)
        .select("id")
        .executeTakeFirstOrThrow();
      const key = await generateKey({ userIDs: [{ name: "Ada" }], format: "object", ...options });
      const publicKey = key.publicKey.armor();
      await upsertPublicKey(db, id, { publicKey, fingerprint: key.publicKey.getFingerprint(), now: 1 });
      return key.privateKey;
    };
    const turn = (keepLastMails: boolean) =>
      here.ada.call("PUT", "/account/profile", { body: { keepLastMails } });
    const turnOn = async (): Promise<PrivateKey> => {
      const key = await addKey();
      expect((await turn(true)).status).to.equal(200);
      return key;
    };
    const kept = async (maskId = here.mask.id): Promise<readonly LastMail[]> =>
      ((await here.ada.call("GET", `/masks/${maskId}/last-mails`)).json as { mails: LastMail[] }).mails;
    const rows = () =>
      here.server.database.db
        .selectFrom("last_mails")
        .where("user_id", "!=", bystander.id)
        .selectAll()
        .execute();
    const open = async (id: string | undefined, decryptionKeys: PrivateKey): Promise<string> => {
      const { json } = await here.ada.call("GET", `/masks/${here.mask.id}/last-mails/${id}`);
      const binaryMessage = Buffer.from((json as { content: string }).content, "base64");
      const message = await readMessage({ binaryMessage });
      return Buffer.from((await decrypt({ message, decryptionKeys, format: "binary" })).data).toString();
    };

    it("are kept only when their owner switches that on, which needs a key", async () => {
      await here.send(sender, order);
      expect(await rows()).to.deep.equal([]);
      const refused = await turn(true);
      expect(refused.status).to.equal(409);
      expect(refused.json).to.have.nested.property("errors[0].field", "keepLastMails");
      await addKey();
      await here.send(sender, order);
      expect(await rows()).to.deep.equal([]);
      expect((await here.ada.call("GET", "/account")).json).to.have.nested.property(
        "settings.keepLastMails",
        false,
      );
      await turn(true);
      expect((await here.ada.call("GET", "/account")).json).to.have.nested.property(
        "settings.keepLastMails",
        true,
      );
      await here.send(sender, order);
      expect(await kept()).to.have.length(1);
    });

    it("are the mails as they arrived, readable with the key of their owner alone", async () => {
      const key = await turnOn();
      const began = here.server.clock.now();
      await here.send(sender, order);
      const [mail] = await kept();
      expect(await open(mail?.id, key)).to.equal(order);
      expect(mail?.size).to.equal(order.length);
      expect(Date.parse(mail?.received ?? "")).to.be.within(began, here.server.clock.now());
      const [row] = await rows();
      expect(Buffer.from(row?.content ?? []).includes(marker)).to.equal(false);
    });

    it("include mail that a rule blocks", async () => {
      const key = await turnOn();
      await setRules(here.server.database.db, { id: here.mask.id, email: "" }, [
        rule([{ type: "block", params: { silentBlock: false } }]),
      ]);
      expect(await here.send(sender, order)).to.match(/^550/);
      expect(await open((await kept())[0]?.id, key)).to.contain(marker);
    });

    it("are at most 10 of a mask and 20 of an account, the newest", async () => {
      await turnOn();
      await here.server.database.db
        .updateTable("users")
        .where("id", "!=", bystander.id)
        .set({ tier: "self_hosted" })
        .execute();
      const masks = [here.mask];
      for (const description of ["Two", "Three"])
        masks.push(
          (await here.ada.call("POST", "/masks", { body: { description } })).json as HeldServer["mask"],
        );
      const first: string[] = [];
      for (const { maskEmail, id } of masks)
        for (let n = 0; n < 11; n += 1) {
          here.server.clock.advance(10_000);
          await here.send(sender, order, maskEmail);
          if (n === 0) first.push((await kept(id))[0]?.id ?? "");
        }
      const counts = await Promise.all(masks.map(async ({ id }) => (await kept(id)).length));
      expect(counts).to.deep.equal([0, 10, 10]);
      expect((await rows()).filter(({ id }) => first.includes(id))).to.deep.equal([]);
    });

    it("are kept up to their first 256 kB", async () => {
      const key = await turnOn();
      const large = `${order}${"A line of the text of a large mail.\r\n".repeat(10_000)}`;
      await here.send(sender, large);
      const [mail] = await kept();
      expect(mail?.size).to.equal(large.length);
      expect(await open(mail?.id, key)).to.equal(large.slice(0, lastMailLimits.bytes));
    });

    it("are gone after 24 hours, from the answers at once and from the database with the next housekeeping", async () => {
      await turnOn();
      await here.send(sender, order);
      const [mail] = await kept();
      const received = Date.parse(mail?.received ?? "");
      const pruneAt = (now: number) => pruneAll(here.server.database, now);
      await pruneAt(received + 24 * hourMs - 1);
      expect(await rows()).to.have.length(1);
      here.server.clock.advance(24 * hourMs);
      const later = await here.server.signIn(adaEmail);
      const path = `/masks/${here.mask.id}/last-mails`;
      expect((await later.call("GET", path)).json).to.deep.equal({ mails: [] });
      expect((await later.call("GET", `${path}/${mail?.id}`)).status).to.equal(404);
      expect(await rows()).to.have.length(1);
      await pruneAt(received + 24 * hourMs);
      expect(await rows()).to.deep.equal([]);
    });

    it("are deleted when that is switched off, with the mask, and with the account", async () => {
      await turnOn();
      await here.send(sender, order);
      await turn(false);
      expect(await rows()).to.deep.equal([]);
      await here.send(sender, order);
      expect(await rows()).to.deep.equal([]);
      await turn(true);
      const other = (await here.ada.call("POST", "/masks", { body: { description: "Two" } }))
        .json as HeldServer["mask"];
      await here.send(sender, order, other.maskEmail);
      await here.send(sender, order);
      await here.ada.call("DELETE", `/masks/${other.id}`);
      expect((await rows()).map((row) => row.mask_id)).to.deep.equal([here.mask.id]);
      const third = (await here.ada.call("POST", "/masks", { body: { description: "Three" } }))
        .json as HeldServer["mask"];
      await here.send(sender, order, third.maskEmail);
      expect(await rows()).to.have.length(2);
      const bulk = { body: { ids: [third.id], change: { kind: "delete" } } };
      expect((await here.ada.call("POST", "/masks/bulk", bulk)).status).to.equal(200);
      expect((await rows()).map((row) => row.mask_id)).to.deep.equal([here.mask.id]);
      await here.ada.call("DELETE", "/account", { body: { email: adaEmail } });
      expect(await rows()).to.deep.equal([]);
    });

    it("belong to their owner alone", async () => {
      await turnOn();
      await here.send(sender, order);
      const [mail] = await kept();
      const other = await here.server.signIn("other@example.org");
      const path = `/masks/${here.mask.id}/last-mails`;
      expect((await other.call("GET", path)).status).to.equal(404);
      expect((await other.call("GET", `${path}/${mail?.id}`)).status).to.equal(404);
      expect((await here.server.client().call("GET", path)).status).to.equal(401);
    });

    it("never cost a mail: one whose last mails cannot be stored is taken without", async () => {
      await turnOn();
      await here.server.database.db.schema.dropTable("last_mails").execute();
      expect(await here.send(sender, order)).to.match(/^250/);
    });

    if (store === sqliteStore)
      it("are nowhere readable on the disk", async () => {
        await here.stop();
        const folder = mkdtempSync(join(tmpdir(), "bauta-last-"));
        try {
          const open = () => openDatabase(sqliteEngine(join(folder, "bauta.sqlite")));
          here = await start({ ...sqliteStore, open });
          await turnOn();
          await here.send(sender, order);
          expect(await kept()).to.have.length(1);
          const files = readdirSync(folder);
          expect(files).to.include("bauta.sqlite");
          for (const file of files)
            expect(readFileSync(join(folder, file)).includes(marker), file).to.equal(false);
        } finally {
          await here.stop();
          rmSync(folder, { recursive: true, force: true });
          here = await start(sqliteStore);
        }
      });
  });
