import { expect } from "chai";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { useListener } from "../../support/listener.ts";
import { addDestination, addMask, addOwner, type Owner } from "../../support/owners.ts";
import { plainMail as mail } from "../../support/plainMail.ts";
import { readQueue } from "../../support/queue.ts";

const sender = "orders@shop.example";

describe("A mail to several masks", () => {
  onEachDatabase(({ database }) => {
    let owner: Owner;
    const relay = useListener(database);

    beforeEach(async () => {
      owner = await addOwner(database().db);
    });

    const queued = async () =>
      (await readQueue(database().db)).toSorted((a, b) => ((a.mask_id ?? "") < (b.mask_id ?? "") ? -1 : 1));
    const statistics = () =>
      database()
        .db.selectFrom("mask_statistics")
        .where("user_id", "!=", bystander.id)
        .selectAll()
        .orderBy("mask_id")
        .execute();

    const send = async (recipients: readonly string[]): Promise<string> =>
      (await relay.connect()).mail(sender, recipients, mail);

    it("is queued once for each mask, also where two of them forward to the same address", async () => {
      const other = await addOwner(database().db);
      const masks = [
        await addMask(database().db, owner),
        await addMask(database().db, owner),
        await addMask(database().db, other),
      ];
      expect(await send(masks.map(({ email }) => email))).to.match(/^250/);
      const rows = (await queued()).map(({ user_id, mask_id, recipient }) => ({
        user_id,
        mask_id,
        recipient,
      }));
      expect(rows).to.have.deep.members([
        { user_id: owner.id, mask_id: masks[0]?.id, recipient: owner.email },
        { user_id: owner.id, mask_id: masks[1]?.id, recipient: owner.email },
        { user_id: other.id, mask_id: masks[2]?.id, recipient: other.email },
      ]);
      const usage = await database()
        .db.selectFrom("monthly_usage")
        .where("user_id", "!=", bystander.id)
        .select(["user_id", "received"])
        .execute();
      expect(usage).to.have.deep.members([
        { user_id: owner.id, received: 2 },
        { user_id: other.id, received: 1 },
      ]);
    });

    it("is queued once for a mask that is named twice, by any of its addresses", async () => {
      const mask = await addMask(database().db, owner);
      await database()
        .db.insertInto("mask_addresses")
        .values({ email_key: mailboxKey("older@masks.example"), mask_id: mask.id, created_at: 0 })
        .execute();
      expect(await send([mask.email, mask.email.toUpperCase(), "older@masks.example"])).to.match(/^250/);
      expect(await queued()).to.have.lengthOf(1);
    });

    it("reaches a mask whose local part was quoted without need", async () => {
      const { id, email } = await addMask(database().db, owner);
      const [local = "", domain = ""] = email.split("@");
      for (const spelled of [`"${local}"@${domain}`, `"\\${local}"@${domain}`])
        expect(await send([spelled]), spelled).to.match(/^250/);
      expect((await queued()).map(({ mask_id }) => mask_id)).to.deep.equal([id, id]);
      expect(await send([`"${local}x"@${domain}`])).to.match(/^550 5\.1\.1 /);
    });

    it("increments each mask's counters and announces them, once for each mail", async () => {
      const mask = await addMask(database().db, owner);
      await send([mask.email]);
      await send([mask.email]);
      expect(await statistics()).to.deep.equal([
        {
          mask_id: mask.id,
          user_id: owner.id,
          total_received: 2,
          total_forwarded: 2,
          spam_blocked: 0,
          total_sent: 0,
          last_used_at: Date.UTC(2026, 10, 20, 9),
          month: "2026-11",
          month_received: 2,
          details: "{}",
        },
      ]);
      const events = await database()
        .db.selectFrom("events")
        .where("user_id", "!=", bystander.id)
        .selectAll()
        .orderBy("id")
        .execute();
      expect(
        events.map(({ resource, resource_id, action, user_id }) => [resource, resource_id, action, user_id]),
      ).to.deep.equal([
        ["masks", mask.id, "updated", owner.id],
        ["masks", mask.id, "updated", owner.id],
      ]);
    });

    it("leaves with our own envelope sender, and a DSN with the null sender", async () => {
      const mask = await addMask(database().db, owner);
      const client = await relay.connect();
      await client.mail(sender, [mask.email], mail);
      await client.mail("", [mask.email], mail);
      const senders = (await queued()).map((row) => row.envelope_sender).sort();
      expect(senders).to.deep.equal(["", "bounces@masks.example"]);
    });

    it("names only the mask of each copy and no real address", async () => {
      const masks = [await addMask(database().db, owner), await addMask(database().db, owner)];
      await send(masks.map(({ email }) => email));
      for (const { content, mask_id, size } of await queued()) {
        const text = Buffer.from(content ?? []).toString();
        const own = masks.find(({ id }) => id === mask_id)?.email;
        const others = masks.find(({ id }) => id !== mask_id)?.email ?? "?";
        expect(text)
          .to.include(`X-Bauta-Mask: ${own}\r\n`)
          .and.not.include(others)
          .and.not.include(owner.email);
        expect(size).to.equal(content?.length);
      }
    });

    it("is deferred when a mask is switched off, given another destination or deleted while it arrives", async () => {
      const elsewhere = await addDestination(database().db, {
        owner,
        email: "b@home.example",
        confirmed: true,
      });
      const changes = [{ active: 0 }, { destination_id: elsewhere }];
      for (const change of changes) {
        const mask = await addMask(database().db, owner);
        const client = await relay.connect();
        await client.envelope(sender, [mask.email]);
        await client.say("DATA");
        await database().db.updateTable("masks").set(change).where("id", "=", mask.id).execute();
        client.write(`${mail}.\r\n`);
        expect(await client.reply()).to.match(/^450 4\.2\.1 /);
      }
      const mask = await addMask(database().db, owner);
      const client = await relay.connect();
      await client.envelope(sender, [mask.email]);
      await client.say("DATA");
      await database().db.deleteFrom("masks").where("id", "=", mask.id).execute();
      client.write(`${mail}.\r\n`);
      expect(await client.reply()).to.match(/^450 4\.2\.1 /);
      expect(await queued()).to.deep.equal([]);
      expect(await statistics()).to.deep.equal([]);
      expect(
        await database()
          .db.selectFrom("monthly_usage")
          .where("user_id", "!=", bystander.id)
          .selectAll()
          .execute(),
      ).to.deep.equal([]);
    });
  });
});
