import { expect } from "chai";
import { isRight } from "fp-ts/lib/Either.js";
import { decrypt, generateKey, type PrivateKey, readMessage } from "openpgp";
import PostalMime from "postal-mime";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import type { ArchivePage } from "../../../../core/archive/archiveEndpoints.ts";
import { dayMs } from "../../../../core/kernel/durations.ts";
import { explainDetail } from "../../../../core/mailLog/explainEntry.ts";
import { LogDetail, type LogPage } from "../../../../core/mailLog/logEntry.ts";
import { createSealDetail } from "../../../../server/delivery/mailLog/sealDetail.ts";
import { pruneArchive } from "../../../../server/features/archive/archiveQueries.ts";
import { createFindEncryption } from "../../../../server/features/encryption/findEncryption.ts";
import { deletePublicKey, upsertPublicKey } from "../../../../server/features/encryption/publicKeyQueries.ts";
import { WorkerPool } from "../../../../server/platform/workers/workerPool.ts";
import { encryptionThreads } from "../../../../server/relay/encrypt/encryptCopies.ts";
import type { EncryptionTask } from "../../../../server/relay/encrypt/pgpMime.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { bystander } from "../../support/bystander.ts";
import { adaEmail, type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { readQueue } from "../../support/queue.ts";
import { rule, setRules } from "../../support/ruledMask.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

const order = letter("Shop <orders@shop.example>");

for (const store of everyStore)
  describe(`A mask whose mail stays in the app, on ${store.name}`, () => {
    const pool = new WorkerPool<EncryptionTask, Uint8Array | null>(encryptionThreads);
    let here: HeldServer;
    let key: PrivateKey;

    before(requireStore(store));
    after(() => pool.stop());
    beforeEach(async () => {
      key ??= (await generateKey({ userIDs: [{ name: "Ada" }], format: "object" })).privateKey;
      here = await startHeldServer(store, {}, (database) => ({
        sealDetail: createSealDetail(database.engine, pool),
        findEncryption: createFindEncryption({
          database,
          pool,
          clock: { ...createVirtualClock(), now: () => here.server.clock.now() },
          random: cryptoRandom,
          feed: { wake: () => {} },
          publicUrl: "https://mail.example",
        }),
      }));
    });
    afterEach(() => here?.stop());

    const userId = async (): Promise<string> => {
      const { db } = here.server.database;
      return (
        await db.selectFrom("users").where("id", "!=", bystander.id).select("id").executeTakeFirstOrThrow()
      ).id;
    };
    const addKey = async (): Promise<void> => {
      const publicKey = { publicKey: key.toPublic().armor(), fingerprint: key.getFingerprint(), now: 1 };
      await upsertPublicKey(here.server.database.db, await userId(), publicKey);
    };
    const keep = (keptInApp: string) =>
      here.ada.call("PUT", `/masks/${here.mask.id}`, { body: { settings: { keptInApp } } });
    const send = async (content = order): Promise<void> => {
      expect(await here.send("orders@shop.example", content)).to.match(/^250/);
    };
    const kept = async (): Promise<ArchivePage["mails"]> =>
      ((await here.ada.call("GET", "/archive")).json as ArchivePage).mails;
    const forwarded = async () =>
      (await readQueue(here.server.database.db)).filter(
        ({ recipient, mask_id }) => recipient === adaEmail && mask_id !== null,
      );
    /** Reads a kept mail as its owner does. */
    const open = async (id: string | undefined) => {
      const { json } = await here.ada.call("GET", `/archive/${id}/copy`);
      const stored = Buffer.from((json as { content: string }).content, "base64").toString();
      expect(stored).not.to.contain("It is on its way.");
      const armored = /-----BEGIN PGP MESSAGE-----[\s\S]*-----END PGP MESSAGE-----/.exec(stored)?.[0] ?? "";
      const message = await readMessage({ armoredMessage: armored });
      const { data } = await decrypt({ message, decryptionKeys: key });
      return PostalMime.parse(String(data));
    };

    it("needs a key, and says where to set one up", async () => {
      const { status, json } = await keep("yes");
      expect(status).to.equal(409);
      expect((json as { message: string }).message).to.contain("Set up a key in Settings");
      const made = await here.ada.call("POST", "/masks", {
        body: { description: "News", settings: { keptInApp: "yes" } },
      });
      expect(made.status).to.equal(409);
    });

    it("keeps it encrypted, forwards nothing, and says so in the log", async () => {
      await addKey();
      expect((await keep("yes")).status).to.equal(200);
      await here.ada.call("PUT", "/log/settings", { body: { keep: "address" } });
      await send();
      expect(await forwarded()).to.deep.equal([]);
      const [mail, ...others] = await kept();
      expect(others).to.deep.equal([]);
      expect(mail).to.include({ maskId: here.mask.id, read: false });
      expect(mail).not.to.have.property("until");
      const opened = await open(mail?.id);
      expect([opened.subject, opened.text?.trim()]).to.deep.equal(["Your order", "It is on its way."]);
      expect(opened.from?.address).to.match(/^re-[a-z2-7]{32}@masks\.test$/);
      const [entry] = ((await here.ada.call("GET", "/log")).json as LogPage).mails;
      const sealed = await readMessage({ binaryMessage: Buffer.from(entry?.sealed ?? "", "base64") });
      const { data } = await decrypt({ message: sealed, decryptionKeys: key });
      const detail = LogDetail.decode(JSON.parse(String(data)));
      expect(isRight(detail) && explainDetail(detail.right)[0]).to.equal(
        "The mail of its mask stays in the app.",
      );
    });

    it("deletes it after the chosen days", async () => {
      await addKey();
      await keep("7-days");
      await send();
      const [mail] = await kept();
      const now = here.server.clock.now();
      expect(Date.parse(mail?.until ?? "")).to.be.within(now + 7 * dayMs - 60_000, now + 7 * dayMs);
      await pruneArchive(here.server.database.db, now + 7 * dayMs - 60_000);
      expect(await kept()).to.have.lengthOf(1);
      await pruneArchive(here.server.database.db, now + 7 * dayMs + 1);
      expect(await kept()).to.deep.equal([]);
    });

    it("lets rules send some of it on", async () => {
      await addKey();
      await keep("yes");
      await setRules(here.server.database.db, { id: here.mask.id, email: "" }, [
        rule([{ type: "forward", params: { email: adaEmail, immediate: true, daily: false } }]),
      ]);
      await send();
      expect(await kept()).to.deep.equal([]);
      expect(await forwarded()).to.have.lengthOf(1);
    });

    it("forwards it again once its owner has no key any more, so that nothing is kept readable", async () => {
      await addKey();
      await keep("yes");
      await deletePublicKey(here.server.database.db, await userId());
      await send(letter("Shop <orders@shop.example>", [], "After"));
      expect(await kept()).to.deep.equal([]);
      expect(await forwarded()).to.have.lengthOf(1);
    });

    it("sends what does not fit any more to its owner, who is told", async () => {
      await addKey();
      await keep("yes");
      await here.server.database.db
        .updateTable("users")
        .where("id", "!=", bystander.id)
        .set({ tier: "free" })
        .execute();
      await send(order.replace("It is on its way.", "x".repeat(70).concat("\r\n").repeat(20_000)));
      await send();
      expect(await kept()).to.have.lengthOf(1);
      expect(await forwarded()).to.have.lengthOf(1);
    });

    it("is answered in the app, from the mask and without its owner's address", async () => {
      await addKey();
      await keep("yes");
      await send();
      const { from, messageId } = await open((await kept())[0]?.id);
      const written = {
        to: from?.address ?? "",
        subject: "Re: Your order, grüße",
        text: `Danke, schön!\n\nAda, ${adaEmail}`,
        inReplyTo: messageId,
      };
      const write = (body: object, client = here.ada) =>
        client.call("POST", `/masks/${here.mask.id}/mails`, { body });
      expect((await write(written)).status).to.equal(201);
      const [sent] = (await readQueue(here.server.database.db)).filter(
        ({ recipient }) => recipient === "orders@shop.example",
      );
      const mail = await PostalMime.parse(sent?.content ?? "");
      expect(sent?.envelope_sender).to.equal(here.mask.maskEmail);
      expect(mail.from?.address).to.equal(here.mask.maskEmail);
      expect(mail.subject).to.equal("Re: Your order, grüße");
      expect(mail.text).to.contain("Danke, schön!");
      expect(sent?.content.toString()).not.to.contain("ada@");
      expect(mail.inReplyTo).to.equal("<1@shop.example>");

      const eve = await here.server.signIn("eve@home.example");
      expect((await write(written, eve)).status).to.equal(404);
      expect((await write({ ...written, to: "somebody@elsewhere.example" })).status).to.equal(404);
      expect((await write({ ...written, text: " " })).status).to.equal(400);
      expect((await write({ ...written, inReplyTo: "<a>\r\nBcc: x@y.example" })).status).to.equal(400);
      await here.ada.call("PUT", `/masks/${here.mask.id}`, { body: { active: false } });
      const refused = await write(written);
      expect(refused.status).to.equal(409);
      expect((refused.json as { message: string }).message).to.match(/^Not sent: BAUTA-R5 .*[^/]\.$/);
    });
  });
