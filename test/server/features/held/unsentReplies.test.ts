import { expect } from "chai";
import PostalMime from "postal-mime";
import { type HeldMail, type HeldPage, heldDays } from "../../../../core/held/heldMail.ts";
import { dayMs } from "../../../../core/kernel/durations.ts";
import { pruneHeldMails } from "../../../../server/features/held/pruneHeldMails.ts";
import { unsentLimits } from "../../../../server/features/held/unsentReplyQueries.ts";
import { findReplyMask } from "../../../../server/features/replies/replyQueries.ts";
import { named } from "../../../support/domainNames.ts";
import { bystander } from "../../support/bystander.ts";
import { adaEmail, type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { readQueue } from "../../support/queue.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

const lines = (...all: readonly string[]): string => [...all, ""].join("\r\n");

for (const store of everyStore)
  describe(`A reply that was refused, on ${store.name}`, () => {
    let here: HeldServer;
    let reverse: string;

    before(requireStore(store));
    beforeEach(async () => {
      here = await startHeldServer(store);
      expect(await here.send("bob@shop.example", letter("Bob <bob@shop.example>"))).to.match(/^250/);
      const [forwarded] = await readQueue(here.server.database.db).then((mails) => mails.slice(-1));
      const { from } = await PostalMime.parse(forwarded?.content ?? "");
      reverse = from?.address ?? "";
    });
    afterEach(() => here?.stop());

    const reply = (text = "The analytical engine weaves algebra.", more: readonly string[] = []): string =>
      lines(
        `From: Ada <${adaEmail}>`,
        `To: <${reverse}>`,
        "Subject: Re: Your order",
        "Date: Fri, 20 Nov 2026 11:00:00 +0000",
        "Message-ID: <r1@home.example>",
        ...more,
        "",
        text,
      );
    const switchMask = (active: boolean) =>
      here.ada.call("PUT", `/masks/${here.mask.id}`, { body: { active } });
    const held = async (): Promise<readonly HeldMail[]> =>
      ((await here.ada.call("GET", "/held")).json as HeldPage).mails;
    const sendAgain = (id: string | undefined, client = here.ada) =>
      client.call("POST", `/held/${id}/send-again`);
    const toBob = async () =>
      (await readQueue(here.server.database.db)).filter(
        ({ recipient, status }) => recipient === "bob@shop.example" && status !== "unsent",
      );
    const notices = async () =>
      (await here.ada.call("GET", "/notifications?limit=20")).json as {
        readonly notifications: readonly { readonly message: string; readonly heldId?: string }[];
      };
    const refuse = async (content = reply()): Promise<HeldMail | undefined> => {
      await switchMask(false);
      expect(await here.send(adaEmail, content, reverse)).to.match(/^550 5\.7\.1 BAUTA-R5/);
      return (await held())[0];
    };

    it("is kept, and its owner reads why and what they wrote", async () => {
      const mail = await refuse();
      expect(mail).to.include({ reason: "unsent", direction: "sent", recipient: "bob@shop.example" });
      expect(mail?.subject).to.equal("Re: Your order");
      expect(mail?.answer).to.match(/^BAUTA-R5: its mask is switched off\. Switch it on/);
      const { json } = await here.ada.call("GET", `/held/${mail?.id}/content`);
      const text = Buffer.from((json as { content: string }).content, "base64").toString();
      expect(text).to.contain("The analytical engine weaves algebra.");
      const [notice] = (await notices()).notifications.filter(({ heldId }) => heldId === mail?.id);
      expect(notice?.message).to.match(/BAUTA-R5.*It is kept for 7 days .*send it again\.$/);
    });

    it("is stored encrypted, and never by what delivers mail", async () => {
      const mail = await refuse();
      const { db } = here.server.database;
      const row = await db
        .selectFrom("queue")
        .selectAll()
        .where("id", "=", mail?.id ?? "")
        .executeTakeFirstOrThrow();
      expect(Buffer.from(row.content ?? "").includes("analytical")).to.equal(false);
      expect(row.status).to.equal("unsent");
      const release = await here.ada.call("POST", `/held/${mail?.id}/release`, { body: {} });
      expect(release.status).to.equal(409);
      expect((release.json as { message: string }).message).to.contain("Send it again");
      expect(await toBob()).to.deep.equal([]);
      expect(await held()).to.have.lengthOf(1);
    });

    it("goes through its mask once its cause is mended, without its owner's address, and once only", async () => {
      const mail = await refuse(reply(`Write to ${adaEmail}.`));
      await switchMask(true);
      const answers = await Promise.all([sendAgain(mail?.id), sendAgain(mail?.id)]);
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 404]);
      const sent = await toBob();
      expect(sent).to.have.lengthOf(1);
      expect(sent[0]?.envelope_sender).to.equal(here.mask.maskEmail);
      expect(Buffer.from(sent[0]?.content ?? "").toString()).not.to.contain("ada@");
      expect(await held()).to.deep.equal([]);
    });

    it("stays when it is refused again, with the reason", async () => {
      const mail = await refuse();
      const { status, json } = await sendAgain(mail?.id);
      expect(status).to.equal(409);
      expect((json as { message: string }).message).to.match(
        /^This reply is not sent \(BAUTA-R5\): its mask is switched off/,
      );
      expect(await held()).to.have.lengthOf(1);
    });

    it("says what to do when its mask was deleted since", async () => {
      const mail = await refuse();
      await here.ada.call("DELETE", `/masks/${here.mask.id}`);
      const { status, json } = await sendAgain(mail?.id);
      expect(status).to.equal(409);
      expect((json as { message: string }).message).to.contain("write to them again");
    });

    it("is its owner's alone", async () => {
      const mail = await refuse();
      const eve = await here.server.signIn("eve@home.example");
      expect((await sendAgain(mail?.id, eve)).status).to.equal(404);
      expect((await sendAgain("../queue")).status).to.equal(404);
      expect((await eve.call("GET", `/held/${mail?.id}/content`)).status).to.equal(404);
      expect(await held()).to.have.lengthOf(1);
    });

    it("is deleted by its owner, and after 7 days", async () => {
      const mail = await refuse();
      expect((await here.ada.call("POST", `/held/${mail?.id}/delete`)).status).to.equal(200);
      await refuse();
      const { database, clock } = here.server;
      await pruneHeldMails(database.db, clock.now() + heldDays * dayMs + 1, database.engine);
      expect(await held()).to.deep.equal([]);
      const left = await database.db
        .selectFrom("queue")
        .where("user_id", "!=", bystander.id)
        .where("status", "=", "unsent")
        .selectAll()
        .execute();
      expect(left).to.deep.equal([]);
    });

    it("is not kept when nobody proves that it is the owner's, or a program wrote it", async () => {
      await switchMask(false);
      const automatic = reply("Away.", ["Auto-Submitted: auto-replied"]);
      expect(await here.send(adaEmail, automatic, reverse)).to.match(/^550 5\.7\.1 BAUTA-R4/);
      const forged = reply().replaceAll(adaEmail, "eve@elsewhere.example");
      expect(await here.send("eve@elsewhere.example", forged, reverse)).to.match(/^550/);
      expect(await held()).to.deep.equal([]);
    });

    it("is kept within the room of an account, and beyond it refused as ever", async () => {
      await switchMask(false);
      const large = reply("x".repeat(70).concat("\r\n").repeat(130_000));
      for (const kept of [1, 2, 2]) {
        expect(await here.send(adaEmail, large, reverse)).to.match(/^550 5\.7\.1 BAUTA-R5/);
        expect(await held()).to.have.lengthOf(kept);
      }
      const sizes = (await held()).reduce((sum, { size }) => sum + size, 0);
      expect(sizes).to.be.at.most(unsentLimits.bytes);
    });

    it("needs no reverse address that has ended meanwhile", async () => {
      const mail = await refuse();
      const { database } = here.server;
      expect(await findReplyMask(database, here.mask.id, named("masks.test"))).not.to.equal(null);
      await database.db.deleteFrom("reverse_addresses").where("user_id", "!=", bystander.id).execute();
      expect((await sendAgain(mail?.id)).status).to.equal(409);
      expect(await held()).to.have.lengthOf(1);
    });
  });
