import { expect } from "chai";
import PostalMime from "postal-mime";
import { keyRecord, signed } from "../relay/encrypt/signedMail.ts";
import { onEachDatabase } from "../support/databases.ts";
import { type DnsStub, startDnsStub, type Zone } from "../support/dnsStub.ts";
import { type RunningListener, startListener } from "../support/listener.ts";
import { addMask, addOwner, type Owner, type TestMask } from "../support/owners.ts";
import { readQueue } from "../support/queue.ts";

const zone: Zone = {
  "bank.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"] },
  "_dmarc.bank.example": { TXT: ["v=DMARC1; p=reject; sp=quarantine"] },
  "mail._domainkey.bank.example": { TXT: [keyRecord] },
  "news.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"] },
  "_dmarc.news.example": { TXT: ["v=DMARC1; p=quarantine"] },
  "lax.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"] },
  "_dmarc.lax.example": { TXT: ["v=DMARC1; p=none"] },
  "plain.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
  "stranger.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
  "_dmarc.stranger.example": { TXT: ["v=DMARC1; p=reject"] },
  "strict.example": { TXT: ["v=spf1 -all"] },
  "_dmarc.strict.example": { TXT: ["v=DMARC1; p=reject; adkim=s; aspf=s"] },
  "broken.example": "SERVFAIL",
  "_dmarc.broken.example": "SERVFAIL",
};

const letter = (from: string, more: readonly string[] = []): string =>
  [
    ...more,
    `From: ${from}`,
    "To: mask@masks.example",
    "Subject: Your order",
    "Date: Fri, 20 Nov 2026 10:00:00 +0000",
    "Message-ID: <1@shop.example>",
    "",
    "It is on its way.",
    "",
  ].join("\r\n");

describe("A mail from outside", () => {
  let dns: DnsStub;
  before(async () => {
    dns = await startDnsStub(zone);
  });
  after(() => dns.close());

  onEachDatabase(({ database }) => {
    let owner: Owner;
    let mask: TestMask;
    let relay: RunningListener;
    beforeEach(async () => {
      owner = await addOwner(database().db);
      mask = await addMask(database().db, owner);
      relay = await startListener(database(), undefined, { dnsServer: dns.address, trustedNetworks: [] });
    });
    afterEach(() => relay.close());

    const send = async (
      sender: string,
      content: string | Uint8Array,
      masks: readonly TestMask[] = [mask],
    ): Promise<string> =>
      (await relay.connect()).mail(
        sender,
        masks.map(({ email }) => email),
        content,
      );
    const forwarded = async () => {
      const rows = await readQueue(database().db);
      return Promise.all(
        rows.map(async ({ content, mask_id }) => {
          const text = content.toString();
          const mail = await PostalMime.parse(text);
          const field = (name: string) =>
            mail.headers.filter(({ key }) => key === name).map(({ value }) => value);
          return { maskId: mask_id, text, name: mail.from?.name, subject: mail.subject, field };
        }),
      );
    };

    it("is forwarded without a warning when its domain has sent it, and says what was checked", async () => {
      expect(await send("a@stranger.example", letter("A <a@stranger.example>"))).to.match(/^250/);
      expect(
        await send("x@lax.example", await signed(letter("B <b@bank.example>"), "bank.example")),
      ).to.match(/^250/);
      const all = await forwarded();
      const bySpf = all.find(({ name }) => name?.startsWith("A "));
      const byDkim = all.find(({ name }) => name?.startsWith("B "));
      expect(bySpf?.name).to.equal("A - a at stranger.example");
      expect(bySpf?.field("x-bauta-sender")).to.deep.equal(["proven"]);
      expect(bySpf?.field("authentication-results")[0]).to.match(
        /^masks\.example;\s+dkim=none;\s+spf=pass smtp\.mailfrom=stranger\.example;\s+arc=none;\s+dmarc=pass \(p=reject\) header\.from=stranger\.example$/,
      );
      expect(byDkim?.name).to.equal("B - b at bank.example");
      expect(byDkim?.field("authentication-results")[0]).to.match(/dkim=pass header\.d=bank\.example/);
    });

    it("is refused with 550 5.7.1 when its domain asks to refuse mail from others", async () => {
      for (const [sender, from] of [
        ["a@stranger.example", "Bank <help@bank.example>"],
        ["help@bank.example", "help@bank.example"],
        ["", "help@bank.example"],
        ["a@stranger.example", "x@strict.example"],
      ] as const)
        expect(await send(sender, letter(from)), `${sender} ${from}`).to.match(/^550 5\.7\.1 .*DMARC/);
      expect(await forwarded()).to.deep.equal([]);
    });

    it("is marked by its name, its subject and a field where the domain asks for quarantine", async () => {
      expect(await send("a@stranger.example", letter("News <n@news.example>"))).to.match(/^250/);
      expect(await send("a@stranger.example", letter("Sub <s@sub.bank.example>"))).to.match(/^250/);
      for (const mail of await forwarded()) {
        expect(mail.name).to.match(/^\[unverified\] /);
        expect(mail.subject).to.equal("[Suspicious sender] Your order");
        expect(mail.field("x-bauta-sender")).to.deep.equal(["suspicious"]);
      }
    });

    it("without authentication gets a sender name that says so, whatever its sender writes", async () => {
      for (const [sender, from] of [
        ["a@lax.example", "Lax <a@lax.example>"],
        ["a@stranger.example", "Other <a@plain.example>"],
        ["", "nobody"],
      ] as const)
        expect(await send(sender, letter(from)), from).to.match(/^250/);
      const all = await forwarded();
      expect(all).to.have.length(3);
      for (const mail of all) {
        expect(mail.name, mail.text).to.match(/^\[unverified\] /);
        expect(mail.field("x-bauta-sender")).to.deep.equal(["unproven"]);
      }
    });

    it("needs no DMARC policy to be authenticated: an aligned SPF or DKIM result is enough", async () => {
      expect(await send("bounce@mail.plain.example", letter("a@plain.example"))).to.match(/^250/);
      expect(await send("a@plain.example", letter("a@plain.example"))).to.match(/^250/);
      expect((await forwarded()).map(({ name }) => name)).to.have.members([
        "[unverified] a at plain.example",
        "a at plain.example",
      ]);
    });

    it("with two From fields is refused with 550", async () => {
      const two = letter("a@stranger.example", ["From: help@bank.example"]);
      expect(await send("a@stranger.example", two)).to.match(/^550 5\.7\.1 .*more than one From/);
    });

    it("loses the authentication results that others state in our name", async () => {
      const forged = [
        "Authentication-Results: masks.example; dmarc=pass header.from=bank.example",
        'Authentication-Results: "MASKS.example" 1 (really); dkim=pass',
        "Authentication-Results: (a (nested) comment) masks.example; spf=pass",
        "Authentication-Results: other.example; spf=pass smtp.mailfrom=a@other.example",
        "X-Bauta-Sender: proven",
      ];
      expect(await send("x@lax.example", letter("a@lax.example", forged))).to.match(/^250/);
      const [mail] = await forwarded();
      const stated = mail?.field("authentication-results") ?? [];
      expect(stated).to.have.length(2);
      expect(stated[0]).to.match(/^masks\.example;\s.*spf=fail.*dmarc=fail/s);
      expect(stated[1]).to.match(/^other\.example/);
      expect(mail?.field("x-bauta-sender")).to.deep.equal(["unproven"]);
    });

    it("is accepted unchanged by a mask whose owner accepts unauthenticated mail, and refused for the others", async () => {
      const open = await addMask(database().db, owner, { acceptUnproven: true });
      expect(await send("a@stranger.example", letter("Bank <help@bank.example>"), [open, mask])).to.match(
        /^250/,
      );
      const all = await forwarded();
      expect(all.map(({ maskId, name }) => [maskId, name])).to.deep.equal([
        [open.id, "Bank - help at bank.example"],
      ]);
      const { total_received: received, spam_blocked: blocked } = await database()
        .db.selectFrom("mask_statistics")
        .selectAll()
        .where("mask_id", "=", mask.id)
        .executeTakeFirstOrThrow();
      expect([received, blocked]).to.deep.equal([1, 1]);
    });

    it("is accepted unchanged from a trusted network, without a DNS query", async () => {
      const trusting = await startListener(database(), undefined, { dnsServer: dns.address });
      const before = dns.queries.length;
      const client = await trusting.connect();
      expect(await client.mail("help@bank.example", [mask.email], letter("help@bank.example"))).to.match(
        /^250/,
      );
      await trusting.close();
      const [mail] = await forwarded();
      expect(mail?.name).to.equal("help at bank.example");
      expect(mail?.field("authentication-results")).to.deep.equal([]);
      expect(dns.queries.length).to.equal(before);
    });

    it("is refused for now while no name server tells what its domain asks for", async () => {
      const alone = await startListener(database(), undefined, {
        dnsServer: "127.0.0.1:9",
        trustedNetworks: [],
      });
      const client = await alone.connect();
      expect(await client.mail("help@bank.example", [mask.email], letter("help@bank.example"))).to.match(
        /^451 4\.7\.1 .*name servers of the domain do not answer/,
      );
      await alone.close();
      expect(await forwarded()).to.deep.equal([]);
    });
  });
});
