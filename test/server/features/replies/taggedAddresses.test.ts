import { expect } from "chai";
import { sql } from "kysely";
import PostalMime from "postal-mime";
import { maxOfMask } from "../../../../server/features/correspondents/reverseAddresses.ts";
import { keyRecord, signed } from "../../relay/encrypt/signedMail.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { type DnsStub, startDnsStub } from "../../support/dnsStub.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import {
  addDestination,
  addDomain,
  addMask,
  addOwner,
  type Owner,
  type TestMask,
} from "../../support/owners.ts";
import { readQueue } from "../../support/queue.ts";
import { secrets } from "../../support/secrets.ts";

const lines = (...all: readonly string[]): string => [...all, ""].join("\r\n");

const bob = "bob@shop.example";

describe("The address of a mask with a tag", () => {
  let dns: DnsStub;
  before(async () => {
    dns = await startDnsStub({
      "home.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
      "_dmarc.home.example": { TXT: ["v=DMARC1; p=none"] },
      "shop.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
      "relay.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
      "forged.example": { TXT: ["v=spf1 -all"] },
      "mail._domainkey.home.example": { TXT: [keyRecord] },
    });
  });
  after(() => dns.close());

  onEachDatabase(({ database }) => {
    let owner: Owner;
    let mask: TestMask;
    let relay: RunningListener;
    beforeEach(async () => {
      owner = await addOwner(database().db);
      mask = await addMask(database().db, owner);
      relay = await startListener(database(), undefined, {
        dnsServer: dns.address,
        trustedNetworks: [],
        secrets,
      });
    });
    afterEach(() => relay.close());

    /** The mask's address with a tag. */
    const tagged = (tag: string, { email } = mask): string => email.replace("@", `+${tag}@`);
    const letter = (from: string, to: string, more: readonly string[] = []): string =>
      lines(
        `From: Somebody <${from}>`,
        `To: <${to}>`,
        "Subject: Hello",
        "Date: Fri, 20 Nov 2026 10:00:00 +0000",
        "Message-ID: <1@mailer.example>",
        ...more,
        "",
        "Text.",
      );
    const send = async (from: string, to: readonly string[], content: string | Uint8Array) => {
      await relay.clock.advance(1);
      return (await relay.connect()).mail(from, to, content);
    };
    const queued = async () =>
      Promise.all(
        (await readQueue(database().db))
          .filter(({ status }) => status !== "unsent")
          .map(async ({ content, recipient, envelope_sender: envelopeSender }) => {
            const text = content.toString();
            return { recipient, envelopeSender, text, mail: await PostalMime.parse(text) };
          }),
      );
    const extension = async (): Promise<string | null> =>
      (
        await database()
          .db.selectFrom("masks")
          .where("id", "=", mask.id)
          .select("extension")
          .executeTakeFirstOrThrow()
      ).extension;
    const correspondents = async (): Promise<number> => {
      const { n } = await database()
        .db.selectFrom("reverse_addresses")
        .where("mask_id", "=", mask.id)
        .select(({ fn }) => fn.countAll<number>().as("n"))
        .executeTakeFirstOrThrow();
      return Number(n);
    };
    const refuseTags = () =>
      database().db.updateTable("users").where("id", "=", owner.id).set({ mask_tags: 0 }).execute();

    it("leads its owner to whom the tag names, from the mask and with nothing about the owner", async () => {
      const to = tagged("Bob=shop.example");
      expect(await send(owner.email, [to], letter(owner.email, to))).to.match(/^250/);
      const [sent, ...others] = await queued();
      expect(others).to.deep.equal([]);
      expect([sent?.recipient, sent?.envelopeSender]).to.deep.equal(["Bob@shop.example", mask.email]);
      expect(sent?.mail.from?.address).to.equal(mask.email);
      expect(sent?.mail.to?.map(({ address }) => address)).to.deep.equal(["Bob@shop.example"]);
      expect(sent?.text).not.to.match(/home\.example|user-\d|\+bob/i);
      expect([await correspondents(), await extension()]).to.deep.equal([1, null]);

      expect(await send(bob, [mask.email], letter(bob, mask.email))).to.match(/^250/);
      const reverse = (await queued()).find(({ recipient }) => recipient === owner.email)?.mail.from?.address;
      expect(reverse).to.match(/^re-/);
      expect(await send(owner.email, [reverse ?? ""], letter(owner.email, reverse ?? ""))).to.match(/^250/);
      expect((await queued()).filter(({ recipient }) => recipient.toLowerCase() === bob)).to.have.length(2);
      expect(await correspondents()).to.equal(1);
    });

    it("leads there in every spelling, also where the owner's server has written its own envelope", async () => {
      const to = tagged("bob=shop.example")
        .replace("mask-", "MASK-")
        .replace("masks.example", "Masks.Example");
      const content = await signed(letter(owner.email, to), "home.example");
      expect(await send("bounce-7@relay.example", [to], content)).to.match(/^250/);
      expect((await queued()).map(({ recipient }) => recipient)).to.deep.equal([bob]);
    });

    it("leads several there at a domain of the owner, and names them to each other", async () => {
      await addDomain(database().db, owner, { catch_all: "all" });
      mask = await addMask(database().db, owner, { email: "shop@own.example" });
      const all = [tagged("bob=shop.example"), tagged("carol+x=shop.example")];
      const content = letter(owner.email, all.join(">, <"));
      expect(await send(owner.email, all, content)).to.match(/^250/);
      const sent = await queued();
      expect(sent.map(({ recipient }) => recipient)).to.have.members([bob, "carol+x@shop.example"]);
      for (const { mail } of sent)
        expect(mail.to?.map(({ address }) => address)).to.deep.equal([bob, "carol+x@shop.example"]);
    });

    it("takes a stranger's mail to the mask, whoever the tag names, and keeps the tag", async () => {
      for (const tag of ["news", "bob=shop.example", "a+b", "=", "x=y"]) {
        const to = tagged(tag);
        expect(await send(bob, [to, mask.email], letter(bob, to)), tag).to.match(/^250/);
        const newest = (await queued()).at(-1);
        expect(newest?.recipient).to.equal(owner.email);
        expect(newest?.mail.to).to.deep.equal([{ name: "", address: to }]);
        expect(await extension()).to.equal(tag);
      }
      expect(await queued()).to.have.length(5);
      // Only the sender can be answered.
      expect(await correspondents()).to.equal(1);
    });

    it("leads nobody else there, in whoever's name they write", async () => {
      const to = tagged("bob=shop.example");
      const forged = letter(owner.email, to);
      expect(await send("mallory@relay.example", [to], forged)).to.match(/^250/);
      expect((await queued()).map(({ recipient }) => recipient)).to.deep.equal([owner.email]);
      await refuseTags();
      expect(await send("mallory@relay.example", [to], forged)).to.match(/^550/);
      expect((await queued()).map(({ recipient }) => recipient)).not.to.include(bob);
    });

    it("is a name of its own where the account takes no tags and its domain takes all names", async () => {
      await addDomain(database().db, owner, { catch_all: "all" });
      mask = await addMask(database().db, owner, { email: "shop@own.example" });
      await refuseTags();
      for (const tag of ["news", "bob=shop.example"])
        expect(await send(bob, [tagged(tag)], letter(bob, tagged(tag))), tag).to.match(/^250/);
      expect((await queued()).map(({ recipient }) => recipient)).to.deep.equal([owner.email, owner.email]);
      expect(await extension()).to.equal(null);
    });

    it("tells nobody whose mask it is", async () => {
      const own = "own@forged.example";
      await addDestination(database().db, { owner, email: own, confirmed: true });
      const to = tagged("bob=shop.example");
      const answersTo = async (from: string, recipients: readonly string[], more: readonly string[] = []) => {
        const client = await relay.connect();
        await client.say("EHLO client.example");
        await client.say(`MAIL FROM:<${from}>`);
        const answers: string[] = [];
        for (const one of recipients) answers.push(await client.say(`RCPT TO:<${one}>`));
        await client.say("DATA");
        answers.push(await client.say(`${letter(from, to, more)}.`));
        client.destroy();
        return answers.map((answer) => answer.replaceAll(from, "…"));
      };
      const compare = async (recipients: readonly string[], more?: readonly string[]) =>
        expect(await answersTo(own, recipients, more), recipients.join()).to.deep.equal(
          await answersTo("else@forged.example", recipients, more),
        );
      await compare([to]);
      await compare([to, "unknown@masks.example"]);
      await compare([to], ["DKIM-Signature: v=1; a=rsa-sha256; d=nowhere.example; s=a; h=from; bh=a; b=a"]);
      await database().db.updateTable("masks").where("id", "=", mask.id).set({ active: 0 }).execute();
      await compare([to]);
      await database().db.updateTable("users").where("id", "=", owner.id).set({ mask_tags: 0 }).execute();
      await compare([to]);
      await database().db.updateTable("masks").where("id", "=", mask.id).set({ active: 1 }).execute();
      await compare([to]);
      await compare([to, "unknown@masks.example"]);
      expect((await queued()).map(({ recipient }) => recipient)).not.to.include(bob);
      const notices = await database()
        .db.selectFrom("notifications")
        .where("user_id", "=", owner.id)
        .select("message")
        .execute();
      expect(notices.filter(({ message }) => /reply/i.test(message))).to.deep.equal([]);
    });

    it("is refused where the account takes no tags, but for the owner and whom the tag names", async () => {
      await refuseTags();
      for (const tag of ["news", "bob=shop.example"])
        expect(await send(bob, [tagged(tag)], letter(bob, tagged(tag))), tag).to.match(/^550/);
      expect(await send(owner.email, [tagged("news")], letter(owner.email, tagged("news")))).to.match(/^550/);
      const to = tagged("carol=shop.example");
      const content = await signed(letter(owner.email, to), "home.example");
      expect(await send("bounce-7@relay.example", [to], content)).to.match(/^250/);
      expect(await send(owner.email, [to], letter(owner.email, to))).to.match(/^250/);
      expect((await queued()).map(({ recipient }) => recipient)).to.deep.equal(
        Array(2).fill("carol@shop.example"),
      );
    });

    it("does not mix masks, and takes mail to masks of others in another transaction", async () => {
      const other = await addMask(database().db, owner);
      const several = [tagged("bob=shop.example"), tagged("bob=shop.example", other)];
      expect(await send(owner.email, several, letter(owner.email, several[0] ?? ""))).to.match(/BAUTA-R7/);
      const stranger = await addMask(database().db, await addOwner(database().db));
      const client = await relay.connect();
      await client.say("EHLO client.example");
      await client.say(`MAIL FROM:<${bob}>`);
      expect(await client.say(`RCPT TO:<${several[0]}>`)).to.match(/^250/);
      expect(await client.say(`RCPT TO:<${stranger.email}>`)).to.match(/^452/);
      expect(await client.say("RCPT TO:<postmaster@masks.example>")).to.match(/^452/);
      client.destroy();
    });

    it("leads to nobody whom it was refused for because of its size", async () => {
      await refuseTags();
      const client = await relay.connect();
      await client.say("EHLO client.example");
      await client.say(`MAIL FROM:<${owner.email}> SIZE=26000000`);
      const answers: string[] = [];
      for (let n = 0; n < 5; n += 1)
        answers.push(await client.say(`RCPT TO:<${tagged(`bob${n}=shop.example`)}>`));
      expect(answers.map((answer) => answer.slice(0, 3))).to.deep.equal(["250", "250", "250", "250", "452"]);
      await client.say("DATA");
      expect(await client.say(`${letter(owner.email, tagged("bob0=shop.example"))}.`)).to.match(/^250/);
      client.destroy();
      expect((await queued()).map(({ recipient }) => recipient)).to.have.members(
        [0, 1, 2, 3].map((n) => `bob${n}@shop.example`),
      );
    });

    it("makes no more correspondents than the app does, and none for a mask that is off", async () => {
      const to = tagged("bob=shop.example");
      await database().db.updateTable("masks").where("id", "=", mask.id).set({ active: 0 }).execute();
      expect(await send(owner.email, [to], letter(owner.email, to))).to.match(/^550/);
      await database().db.updateTable("masks").where("id", "=", mask.id).set({ active: 1 }).execute();
      expect(await send(owner.email, [to], letter(owner.email, to))).to.match(/^250/);
      await sql`insert into reverse_addresses
          (token_hash, user_id, mask_id, correspondent_hash, sealed, created_at, replies)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(maxOfMask)})
        select 'hash-' || n, ${owner.id}, ${mask.id}, 'hash-' || n, '', 0, 0 from numbers`.execute(
        database().db,
      );
      const next = tagged("carol=shop.example");
      expect(await send(owner.email, [next], letter(owner.email, next))).to.match(/BAUTA-R18/);
      expect(await send(owner.email, [to], letter(owner.email, to))).to.match(/^250/);
      expect((await queued()).map(({ recipient }) => recipient)).to.deep.equal([bob, bob]);
    });

    it("is none of an installation's name, however a mask got it", async () => {
      for (const name of ["hostmaster", "admin", "no-reply"]) {
        await addMask(database().db, owner, { email: `${name}@masks.example` });
        await addMask(database().db, owner, { email: `${name}+mine@masks.example` });
      }
      for (const name of ["hostmaster", "ADMIN", "no-reply", "postmaster", "abuse", "bounces"])
        for (const tag of ["mine", "x", "bob=shop.example"])
          for (const from of [bob, owner.email]) {
            const to = `${name}+${tag}@masks.example`;
            expect(await send(from, [to], letter(from, to)), to).to.match(/^550/);
          }
      expect(await queued()).to.deep.equal([]);
    });
  });
});
