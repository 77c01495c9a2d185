import { expect } from "chai";
import PostalMime from "postal-mime";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import { defaultRepliesPerDay } from "../../../../core/tiers/tier.ts";
import { readAccount } from "../../../../server/features/account/accountRoutes.ts";
import { recordFailedReply } from "../../../../server/features/correspondents/replyPauses.ts";
import { readTotals } from "../../../../server/features/insights/countQueries.ts";
import { oldestPeriodWithin } from "../../../../server/features/insights/history.ts";
import { createKeyedHash } from "../../../../server/platform/ops/keyedHash.ts";
import { keyRecord, signed } from "../../relay/encrypt/signedMail.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { type DnsStub, startDnsStub } from "../../support/dnsStub.ts";
import { publicUrl, type RunningListener, startListener } from "../../support/listener.ts";
import { addDomain, addMask, addOwner, type Owner, type TestMask } from "../../support/owners.ts";
import { readQueue } from "../../support/queue.ts";
import { secrets } from "../../support/secrets.ts";

const lines = (...all: readonly string[]): string => [...all, ""].join("\r\n");

describe("A reply through a mask", () => {
  let dns: DnsStub;
  before(async () => {
    dns = await startDnsStub({
      "home.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
      "_dmarc.home.example": { TXT: ["v=DMARC1; p=none"] },
      "shop.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
      "elsewhere.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
      "xn--bcher-kva.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
      "signing.example": { TXT: ["v=spf1 -all"] },
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

    const send = async (
      from: string,
      to: readonly string[],
      content: string | Uint8Array,
    ): Promise<string> => {
      await relay.clock.advance(1);
      return (await relay.connect()).mail(from, to, content);
    };

    const queued = async () => {
      const rows = (await readQueue(database().db)).filter(({ status }) => status !== "unsent");
      return Promise.all(
        rows.map(async ({ content, recipient, envelope_sender: envelopeSender }) => {
          const text = content.toString();
          return { recipient, envelopeSender, text, mail: await PostalMime.parse(text) };
        }),
      );
    };
    const newest = async (recipient: string) => {
      const found = (await queued()).filter((one) => one.recipient === recipient).at(-1);
      if (!found) throw new Error(`nothing for ${recipient}`);
      return found;
    };
    const notices = async (): Promise<readonly string[]> =>
      (
        await database()
          .db.selectFrom("notifications")
          .where("user_id", "!=", bystander.id)
          .select("message")
          .orderBy("id")
          .execute()
      ).map(({ message }) => message);

    /** Sends a mail of a shop to the mask and returns it as the owner's mail program shows it. */
    const receive = async (more: readonly string[] = [], id = "order-1@shop.example") => {
      const letter = lines(
        ...more,
        "From: Bob <bob@shop.example>",
        ...(more.some((line) => line.startsWith("To:")) ? [] : [`To: ${mask.email}`]),
        "Subject: Your order",
        "Date: Fri, 20 Nov 2026 10:00:00 +0000",
        `Message-ID: <${id}>`,
        "",
        "Is it right?",
      );
      expect(await send("bob@shop.example", [mask.email], letter)).to.match(/^250/);
      return newest(owner.email);
    };
    const answer = (reverse: string, more: readonly string[] = [], body = "Yes.", to = [reverse]): string =>
      lines(
        `From: Ada Lovelace <${owner.email}>`,
        `To: ${to.map((address) => `"Bob - bob at shop.example" <${address}>`).join(", ")}`,
        "Subject: Re: Your order",
        "Date: Fri, 20 Nov 2026 13:00:00 +0200",
        "Message-ID: <reply-1@mailer.home.example>",
        "User-Agent: Thunderbird",
        "X-Mailer: Thunderbird",
        "Received: from laptop (192.168.1.7) by mailer.home.example",
        ...more,
        "",
        body,
      );

    it("is possible because a forwarded mail comes from a reverse address of its sender", async () => {
      const { mail, text } = await receive();
      expect(mail.from?.name).to.equal("Bob - bob at shop.example");
      expect(mail.from?.address).to.match(/^re-[a-z2-7]{32}@masks\.example$/);
      expect(mail.replyTo).to.equal(undefined);
      expect(text).to.contain("X-Bauta-Original-From: Bob <bob@shop.example>");
      const again = await receive([], "order-2@shop.example");
      expect(again.mail.from?.address).to.equal(mail.from?.address);
    });

    it("comes from the mask at a domain of its owner, and so does the answer to it", async () => {
      await addDomain(database().db, owner);
      mask = await addMask(database().db, owner, { email: "shop@own.example" });
      const { mail } = await receive();
      const reverse = mail.from?.address ?? "";
      expect(reverse).to.match(/@masks\.example$/);
      expect(await send(owner.email, [reverse], answer(reverse))).to.match(/^250/);
      const sent = await newest("bob@shop.example");
      expect([sent.envelopeSender, sent.mail.from?.address]).to.deep.equal([
        "shop@own.example",
        "shop@own.example",
      ]);
      const threaded = [`In-Reply-To: ${sent.mail.messageId}`];
      expect((await receive(threaded, "order-2@shop.example")).mail.from?.address).to.equal(reverse);
    });

    it("reaches the correspondent from the mask, and contains nothing about its owner", async () => {
      const { mail } = await receive();
      const reverse = mail.from?.address ?? "";
      const body = `Yes, write to ${owner.email.toUpperCase()}.\r\n\r\nOn Friday, Bob - bob at shop.example <${reverse}> wrote:\r\n> Is it right?`;
      expect(await send(owner.email, [reverse], answer(reverse, [], body))).to.match(/^250/);
      const sent = await newest("bob@shop.example");
      expect(sent.envelopeSender).to.equal(mask.email);
      expect(sent.mail.from?.address).to.equal(mask.email);
      expect(sent.mail.to).to.deep.equal([{ name: "Bob", address: "bob@shop.example" }]);
      expect(sent.mail.subject).to.equal("Re: Your order");
      expect(sent.mail.text).to.contain(`write to ${mask.email}`);
      expect(sent.mail.text).to.contain("On Friday, Bob <bob@shop.example> wrote:");
      expect(sent.text).to.match(/^Date: Fri, 20 Nov 2026 11:00:00 \+0000\r$/m);
      expect(sent.text).not.to.match(
        /home\.example|\bAda\b|Lovelace|Thunderbird|laptop|192\.168|re-[a-z2-7]{32}/i,
      );
      const counts = await database()
        .db.selectFrom("mask_statistics")
        .select("total_sent")
        .where("mask_id", "=", mask.id)
        .executeTakeFirstOrThrow();
      expect(counts.total_sent).to.equal(1);
      const { db } = database();
      const now = relay.clock.now();
      const { usage } = (await readAccount(db, owner.id, { now, repliesPerDay: defaultRepliesPerDay })) ?? {};
      expect(usage?.emails).to.include({ replied: 1, repliedToday: 1 });
      const scope = { userId: owner.id, maskId: mask.id };
      const totals = await readTotals(db, scope, ["flow"], oldestPeriodWithin(null, now));
      expect(totals.find(({ key }) => key === "replied")?.n).to.equal(1);
    });

    it("keeps the thread on both sides, for ten mails", async () => {
      let references: readonly string[] = [];
      let ownReferences: readonly string[] = [];
      for (let n = 0; n < 5; n += 1) {
        const theirs = `<their-${n}@shop.example>`;
        const more =
          references.length === 0
            ? []
            : [`In-Reply-To: ${references.at(-1)}`, `References: ${references.join(" ")}`];
        const arrived = await receive(more, `their-${n}@shop.example`);
        references = [...references, theirs];
        expect((arrived.mail.references ?? "").split(/\s+/).filter(Boolean)).to.deep.equal(ownReferences);
        ownReferences = [...ownReferences, arrived.mail.messageId ?? ""];
        const reverse = arrived.mail.from?.address ?? "";
        const mine = `<mine-${n}@mailer.home.example>`;
        const reply = answer(reverse, [
          `In-Reply-To: ${ownReferences.at(-1)}`,
          `References: ${ownReferences.join("\r\n ")}`,
        ]);
        expect(
          await send(owner.email, [reverse], reply.replace("<reply-1@mailer.home.example>", mine)),
        ).to.match(/^250/);
        ownReferences = [...ownReferences, mine];
        const sent = await newest("bob@shop.example");
        expect(sent.mail.inReplyTo).to.equal(theirs);
        expect((sent.mail.references ?? "").split(/\s+/)).to.deep.equal(references);
        references = [...references, sent.mail.messageId ?? ""];
        expect(sent.text).not.to.contain("home.example");
      }
      expect(references).to.have.length(10);
    });

    it("names the first and the newest mails of a long thread on both sides, in at most 2,000 octets", async () => {
      const fieldOf = (text: string): string => /^References:.*\r\n(?:[ \t].*\r\n)*/m.exec(text)?.[0] ?? "";
      const idsIn = (text: string): readonly string[] => text.match(/<[^>]+>/g) ?? [];
      const theirs = Array.from({ length: 60 }, (_, n) => `<their-${n}@mail.of-the-shop.shop.example>`);
      const { text, mail } = await receive([`References: ${theirs.join("\r\n ")}`]);
      expect(fieldOf(text).length).to.be.within(1_500, 2_000);

      const reverse = mail.from?.address ?? "";
      const forwarded = idsIn(fieldOf(text));
      const answered = answer(reverse, [`References: ${forwarded.join("\r\n ")}`]);
      expect(await send(owner.email, [reverse], answered)).to.match(/^250/);
      const known = idsIn(fieldOf((await newest("bob@shop.example")).text));
      expect(known).to.deep.equal([theirs[0], ...theirs.slice(1 - forwarded.length)]);

      const own = Array.from({ length: 40 }, (_, n) => `<${n}-${"x".repeat(100)}@mailer.home.example>`);
      const later = answer(reverse, [`References: ${[...forwarded, ...own].join("\r\n ")}`]);
      expect(await send(owner.email, [reverse], later.replace("reply-1@", "reply-2@"))).to.match(/^250/);
      const sent = fieldOf((await newest("bob@shop.example")).text);
      expect(sent.length).to.be.within(1_500, 2_000);
      expect(idsIn(sent)[0]).to.equal(theirs[0]);
    });

    it("to all reaches all recipients, who see each other and not the owner", async () => {
      const { mail, text } = await receive([
        `To: ${mask.email}, Carol <carol@elsewhere.example>`,
        "Cc: dave@elsewhere.example",
        "Reply-To: support@shop.example",
      ]);
      const everybody = [...(mail.replyTo ?? []), ...(mail.to ?? []), ...(mail.cc ?? [])];
      const reverse = everybody.flatMap(({ address = "" }) => (address === mask.email ? [] : [address]));
      expect(reverse).to.have.length(3);
      for (const address of reverse) expect(address).to.match(/^re-[a-z2-7]{32}@masks\.example$/);
      expect(text).to.contain("X-Bauta-Original-Cc: dave@elsewhere.example");
      const content = answer("", [`Cc: ${mask.email}, ${owner.email}`], "Hello all", reverse);
      expect(await send(owner.email, reverse, content)).to.match(/^250/);
      const sent = (await queued()).filter(({ recipient }) => recipient !== owner.email);
      expect(sent.map(({ recipient }) => recipient)).to.have.members([
        "support@shop.example",
        "carol@elsewhere.example",
        "dave@elsewhere.example",
      ]);
      for (const { mail: copy, text: all } of sent) {
        expect(copy.to?.map(({ address }) => address)).to.deep.equal([
          "support@shop.example",
          "carol@elsewhere.example",
          "dave@elsewhere.example",
        ]);
        expect(all).not.to.contain("home.example");
      }
    });

    it("in HTML, with a calendar and an attachment, reveals nothing about the owner either", async () => {
      const { mail } = await receive();
      const reverse = mail.from?.address ?? "";
      const html = `<!-- outlook --><html xmlns:o="urn:schemas-microsoft-com"><head><meta name=Generator content="Microsoft Word 15"></head><body class="gmail_default"><p class=MsoNormal style="mso-fareast:x;color:red">Hi <a href="mailto:${owner.email.replace("@", "%40")}">${owner.email.replace("@", "&#64;")}</a> <img src="cid:logo@home.example"><img width="1" height="1" src="https://track.example/o"></p></body></html>`;
      const calendar = lines(
        "BEGIN:VCALENDAR",
        "PRODID:-//Apple Inc.//Mac OS X//EN",
        "METHOD:REPLY",
        "BEGIN:VEVENT",
        `ATTENDEE;CN=Ada;PARTSTAT=ACCEPTED:mailto:${owner.email.slice(0, 4)}`,
        ` ${owner.email.slice(4)}`,
        "END:VEVENT",
        "END:VCALENDAR",
      );
      const attachment = Buffer.alloc(200_000, "data");
      const body = lines(
        "--Apple-Mail=_1",
        'Content-Type: multipart/related; boundary=gmail_2; type="text/html"',
        "",
        "--gmail_2",
        "Content-Type: text/html; charset=iso-8859-1",
        "Content-Transfer-Encoding: base64",
        "X-Apple-Thing: 1",
        "",
        Buffer.from(html).toString("base64").replace(/.{76}/g, "$&\r\n"),
        "--gmail_2",
        "Content-Type: image/png; name=logo.png; x-unix-mode=0644",
        "Content-ID: <logo@home.example>",
        "Content-Disposition: inline; filename=logo.png",
        "Content-Transfer-Encoding: base64",
        "",
        "aGVsbG8=",
        "--gmail_2--",
        "--Apple-Mail=_1",
        "Content-Type: text/calendar; method=REPLY; charset=utf-8",
        "",
        calendar,
        "--Apple-Mail=_1",
        'Content-Type: application/octet-stream; name="data.bin"',
        'Content-Disposition: attachment; filename="data.bin"',
        "Content-Transfer-Encoding: base64",
        "",
        attachment.toString("base64").replace(/.{76}/g, "$&\r\n"),
        "--Apple-Mail=_1--",
      );
      const content = answer(
        reverse,
        ["MIME-Version: 1.0", 'Content-Type: multipart/mixed; boundary="Apple-Mail=_1"'],
        body,
      );
      expect(await send(owner.email, [reverse], content)).to.match(/^250/);
      const sent = await newest("bob@shop.example");
      const everything = [
        sent.text,
        sent.mail.html ?? "",
        ...sent.mail.attachments.map(({ content: part }) =>
          Buffer.from(part as ArrayBuffer).toString("latin1"),
        ),
      ].join("\n");
      expect(everything).not.to.match(
        /home\.example|gmail|apple|mso(?:normal|-)|microsoft|outlook|track\.example|x-unix/i,
      );
      expect(sent.mail.html).to.contain(mask.email);
      expect(sent.mail.html).to.contain("color:red");
      const [logo, invitation, data] = sent.mail.attachments;
      const cid = /cid:([^"]+)"/.exec(sent.mail.html ?? "")?.[1];
      expect(logo?.contentId).to.equal(`<${cid}>`);
      expect(
        Buffer.from(invitation?.content as ArrayBuffer)
          .toString()
          .replaceAll("\r\n ", ""),
      ).to.contain(`mailto:${mask.email}`);
      expect(Buffer.from(data?.content as ArrayBuffer).equals(attachment)).to.equal(true);
    });

    it("keeps the bytes of a signed part, and the owner is notified of what it may reveal", async () => {
      const { mail } = await receive();
      const reverse = mail.from?.address ?? "";
      const body = lines(
        "--b",
        "Content-Type: text/plain",
        "",
        `I am ${owner.email}.`,
        "--b",
        "Content-Type: application/pgp-signature",
        "",
        "-----BEGIN PGP SIGNATURE-----",
        "--b--",
      );
      const type = 'Content-Type: multipart/signed; boundary=b; protocol="application/pgp-signature"';
      expect(await send(owner.email, [reverse], answer(reverse, [type], body))).to.match(/^250/);
      const signedPart = `\r\nContent-Type: text/plain\r\n\r\nI am ${owner.email}.\r\n--`;
      expect((await newest("bob@shop.example")).text).to.contain(signedPart);
      expect(await notices()).to.deep.equal([
        "A reply was sent with a signed or encrypted part, which was left as it is. It may contain your own address.",
      ]);
    });

    it("stays unchanged only where a whole part is an encrypted or signed text", async () => {
      const { mail } = await receive();
      const reverse = mail.from?.address ?? "";
      const say = async (body: string, more: readonly string[] = []) => {
        expect(await send(owner.email, [reverse], answer(reverse, more, body))).to.match(/^250/);
        return newest("bob@shop.example");
      };
      const signature = lines(
        "-----BEGIN PGP SIGNATURE-----",
        "",
        "iHUEARYKAB0=",
        "=abcd",
        "-----END PGP SIGNATURE-----",
      );
      const encrypted = lines(
        "-----BEGIN PGP MESSAGE-----",
        "",
        "hF4DAAAA",
        "=abcd",
        "-----END PGP MESSAGE-----",
      );
      const clear = lines(
        "-----BEGIN PGP SIGNED MESSAGE-----",
        "Hash: SHA256",
        "",
        owner.email,
        "- -----BEGIN",
        signature,
      );
      for (const whole of [encrypted, `\r\n${clear}\r\n`]) {
        expect((await say(whole)).text).to.contain(whole.trim());
        expect(await notices()).to.have.length(1);
      }
      const secret = `${owner.email}\r\n`;
      for (const text of [
        `${secret}${encrypted}`,
        `${encrypted}${secret}`,
        `${clear}${secret}`,
        `> ${clear.replaceAll("\r\n", "\r\n> ")}`,
        lines("-----BEGIN PGP MESSAGE-----", "", `Yes ${owner.email}`, "-----END PGP MESSAGE-----"),
        lines("-----BEGIN PGP PUBLIC KEY BLOCK-----", owner.email, "-----END PGP PUBLIC KEY BLOCK-----"),
        lines("-----BEGIN PGP SIGNED MESSAGE-----", "", owner.email),
      ])
        expect((await say(text)).text, text).not.to.contain(owner.email);
      const html = ["MIME-Version: 1.0", "Content-Type: text/html"];
      const hidden = `<p>${owner.email}</p><pre style="display:none">\r\n-----BEGIN PGP MESSAGE-----\r\n</pre>`;
      expect((await say(hidden, html)).text).not.to.contain(owner.email);
    });

    it("reveals nothing in a long text either, or in one with a large picture", async () => {
      const { mail } = await receive();
      const reverse = mail.from?.address ?? "";
      const quoted = `> ${"a long line ".repeat(6)}\r\n`.repeat(33_000);
      const text = `Yes, ${owner.email}\r\nOn Friday, Bob - bob at shop.example <${reverse}> wrote:\r\n${quoted}`;
      expect(text.length).to.be.greaterThan(2.3 * 1024 * 1024);
      expect(await send(owner.email, [reverse], answer(reverse, [], text))).to.match(/^250/);
      const long = await newest("bob@shop.example");
      expect(long.text).not.to.match(/home\.example|re-[a-z2-7]{32}/);
      expect(long.mail.text).to.contain("Bob <bob@shop.example> wrote");
      const picture = Buffer.alloc(1_700_000, "picture").toString("base64").replace(/.{76}/g, "$&\r\n");
      const html = `<p>Yes, ${owner.email}</p>\r\n<img src="data:image/png;base64,${picture}">`;
      const fields = ["MIME-Version: 1.0", "Content-Type: text/html"];
      expect(await send(owner.email, [reverse], answer(reverse, fields, html))).to.match(/^250/);
      expect((await newest("bob@shop.example")).mail.html).not.to.contain("home.example");
    });

    it("is sent without a card or a key that a program adds, and its owner is told", async () => {
      const { mail } = await receive();
      const reverse = mail.from?.address ?? "";
      const body = lines(
        "--b",
        "Content-Type: text/plain",
        "",
        "Yes.",
        "--b",
        "Content-Type: text/vcard; name=ada.vcf",
        "",
        `BEGIN:VCARD\r\nEMAIL:${owner.email}\r\nEND:VCARD`,
        "--b--",
      );
      const type = "Content-Type: multipart/mixed; boundary=b";
      expect(await send(owner.email, [reverse], answer(reverse, [type], body))).to.match(/^250/);
      const { mail: sent, text } = await newest("bob@shop.example");
      expect(sent.text?.trim()).to.equal("Yes.");
      expect(text).not.to.match(/vcard|home\.example/i);
      expect(await notices()).to.deep.equal([
        "A reply was sent without a contact card, a public key, a certificate, a report, or another part that would have said who you are.",
      ]);
    });

    it("is refused with a code where a part cannot be read, or only says who its owner is", async () => {
      const { mail } = await receive();
      const reverse = mail.from?.address ?? "";
      const cases: readonly (readonly [string, readonly string[]])[] = [
        ["BAUTA-R8", ['Content-Type: message/partial; id="1@x"; number=1; total=2']],
        ["BAUTA-R8", ["Content-Type: text/plain", "Content-Transfer-Encoding: x-uuencode"]],
        ["BAUTA-R8", ["Content-Type: text/plain; charset=utf-7"]],
        ["BAUTA-R11", ["Content-Type: text/vcard"]],
      ];
      for (const [code, fields] of cases)
        expect(await send(owner.email, [reverse], answer(reverse, fields, "Yes"))).to.match(
          new RegExp(`^550 5\\.7\\.1 ${code} .*#${code}`),
        );
      expect(await notices()).to.have.length(2);
      const encoded = Buffer.from(`x<${owner.email}>`).toString("base64");
      const quoted = lines("Your link was", `https://shop.example/?u=${encoded}`);
      expect(await send(owner.email, [reverse], answer(reverse, [], quoted))).to.match(/BAUTA-R11 /);
      expect((await queued()).map(({ recipient }) => recipient)).to.deep.equal([owner.email]);
    });

    it("from a stranger is refused like mail to a reverse address that does not exist", async () => {
      const { mail } = await receive();
      const reverse = mail.from?.address ?? "";
      const refused = /^550 5\.1\.1 BAUTA-R16 /;
      expect(await send("mallory@elsewhere.example", [reverse], answer(reverse))).to.match(refused);
      expect(await send(owner.email, [`re-${"a".repeat(32)}@masks.example`], answer(reverse))).to.match(
        refused,
      );
      expect(await send("", [reverse], answer(reverse))).to.match(/^550 5\.1\.1 No such address here/);
      expect(await notices()).to.deep.equal([]);
    });

    it("is proven by the signature of its owner's domain, whatever its envelope says", async () => {
      const { mail } = await receive();
      const reverse = mail.from?.address ?? "";
      const [local, domain] = owner.email.split("@");
      const envelopes = [
        `prvs=4567abcdef=${owner.email}`,
        `${local}+sent@${domain}`,
        `bounce-17-${local}=${domain}@bounces.provider.example`,
      ];
      const content = await signed(answer(reverse), "home.example");
      for (const envelope of envelopes)
        expect(await send(envelope, [reverse], content), envelope).to.match(/^250/);
      const replies = (await queued()).filter(({ recipient }) => recipient === "bob@shop.example");
      expect(replies).to.have.length(envelopes.length);
      for (const { text } of replies) expect(text).not.to.match(/home\.example|prvs|bounce-17/);
      expect(await notices()).to.deep.equal([]);
      const elsewhere = await signed(answer(reverse), "elsewhere.example");
      for (const envelope of envelopes)
        for (const unproven of [answer(reverse), elsewhere])
          expect(await send(envelope, [reverse], unproven), envelope).to.match(/^550 5\.7\.1 BAUTA-R1 /);
      expect(await notices(), "for all of them").to.have.length(1);
    });

    it("is its owner's in whichever script a mail program writes the domain of their address", async () => {
      const { mail } = await receive();
      const reverse = mail.from?.address ?? "";
      const email = "ada@bücher.example";
      for (const [table, id] of [
        ["users", "id"],
        ["destinations", "user_id"],
      ] as const)
        await database()
          .db.updateTable(table)
          .where(id, "=", owner.id)
          .set({ email, email_key: mailboxKey(email) })
          .execute();
      const written = "Ada@XN--BCHER-KVA.example";
      const content = answer(reverse).replace(owner.email, () => written);
      expect(await send(written, [reverse], content)).to.match(/^250/);
      const { text } = await newest("bob@shop.example");
      expect(text).not.to.match(/bcher|bücher/i);
      const forged = content.replace(written, () => "ada@bucher.example");
      expect(await send("ada@bucher.example", [reverse], forged)).to.match(/^550/);
    });

    it("is a stranger's, whatever the envelope, when a colleague at the owner's domain has signed it", async () => {
      const { mail } = await receive();
      const reverse = mail.from?.address ?? "";
      const froms = ["eve@home.example", `${owner.email}>, <eve@home.example`];
      for (const from of froms) {
        const content = answer(reverse).replace(`<${owner.email}>`, `<${from}>`);
        const stranger = await send(
          `${owner.email.replace("@", "+x@")}`,
          [reverse],
          await signed(content, "home.example"),
        );
        expect(stranger, from).to.match(/^550 5\.1\.1 BAUTA-R16 /);
        const unknown = `re-${"a".repeat(32)}@masks.example`;
        expect(await send("eve@home.example", [unknown], content), "as for no address").to.equal(stranger);
      }
      expect(await notices()).to.deep.equal([]);
      expect((await queued()).map(({ recipient }) => recipient)).to.deep.equal([owner.email]);
    });

    it("to an address that nobody is behind any more is told to the account that has proven to send it", async () => {
      const unknown = `re-${"a".repeat(32)}@masks.example`;
      const content = await signed(answer(unknown), "home.example");
      const other = `re-${"b".repeat(32)}@masks.example`;
      for (const to of [[unknown], [unknown, other]])
        expect(await send(`prvs=1=${owner.email}`, to, content)).to.match(/^550 5\.1\.1 BAUTA-R16 /);
      const told = await notices();
      expect(told).to.have.length(1);
      expect(told[0]).to.match(/^A reply was not sent \(BAUTA-R16\): nobody is behind the reverse address /);
    });

    it("is refused with a code, and its owner is notified, where something is wrong", async () => {
      const { mail } = await receive(["Cc: carol@elsewhere.example"]);
      const reverse = mail.from?.address ?? "";
      const forge = (content: string) => send(owner.email, [reverse], content);
      const cases: readonly (readonly [string, string])[] = [
        ["BAUTA-R2", answer(reverse).replace(owner.email, "mallory@elsewhere.example")],
        ["BAUTA-R2", answer(reverse).replace(`<${owner.email}>`, `<${owner.email}>, <m@elsewhere.example>`)],
        ["BAUTA-R4", answer(reverse, ["Auto-Submitted: auto-replied"])],
        ["BAUTA-R4", answer(reverse, ["Precedence: bulk"])],
        ["BAUTA-R6", answer(reverse, ["Cc: friend@elsewhere.example"])],
      ];
      for (const [code, content] of cases)
        expect(await forge(content), code).to.match(new RegExp(`^550 5\\.7\\.1 ${code} `));
      expect((await queued()).map(({ recipient }) => recipient)).to.deep.equal([owner.email]);
      expect(await notices()).to.have.length(3);
      await database().db.updateTable("masks").set({ active: 0 }).where("id", "=", mask.id).execute();
      expect(await forge(answer(reverse))).to.equal(
        `550 5.7.1 BAUTA-R5 The mask is switched off or its destination is not confirmed; see ${publicUrl}/help/replies#BAUTA-R5`,
      );
    });

    it("is accepted only when it is authenticated by its owner's domain", async () => {
      const { mail } = await receive();
      const reverse = mail.from?.address ?? "";
      dns.zone = { ...dns.zone, "home.example": { TXT: ["v=spf1 -all"] } };
      const strict = await startListener(database(), undefined, {
        dnsServer: dns.address,
        trustedNetworks: [],
        secrets,
      });
      const say = async (content: string | Uint8Array) =>
        (await strict.connect()).mail(owner.email, [reverse], content);
      expect(await say(answer(reverse))).to.match(/^550 5\.7\.1 BAUTA-R1 /);
      expect(await notices()).to.have.length(1);
      expect(await say(await signed(answer(reverse), "home.example"))).to.match(/^250/);
      const foreign = await signed(answer(reverse), "elsewhere.example");
      expect(await say(foreign)).to.match(/^550 5\.7\.1 BAUTA-R1 /);
      dns.zone = { ...dns.zone, "home.example": "SERVFAIL", "_dmarc.home.example": "SERVFAIL" };
      const blind = await startListener(database(), undefined, {
        dnsServer: dns.address,
        trustedNetworks: [],
        secrets,
      });
      expect(await (await blind.connect()).mail(owner.email, [reverse], answer(reverse))).to.match(
        /^451 4\.7\.1/,
      );
      await Promise.all([strict.close(), blind.close()]);
      dns.zone = {
        ...dns.zone,
        "home.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
        "_dmarc.home.example": { TXT: ["v=DMARC1; p=none"] },
      };
    });

    it("counts against the plan's number a day, exactly, also in parallel", async () => {
      const { mail } = await receive();
      const reverse = mail.from?.address ?? "";
      await database()
        .db.insertInto("daily_replies")
        .values({ user_id: owner.id, day: new Date(relay.clock.now()).toISOString().slice(0, 10), sent: 45 })
        .execute();
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => send(owner.email, [reverse], answer(reverse))),
      );
      expect(answers.filter((one) => one.startsWith("250"))).to.have.length(5);
      expect(answers.filter((one) => one.includes("BAUTA-R3"))).to.have.length(3);
      expect((await queued()).filter(({ recipient }) => recipient === "bob@shop.example")).to.have.length(5);
    });

    it("keeps the mask's description to itself where the sender is shown with it", async () => {
      const { db } = database();
      await db.updateTable("users").where("id", "!=", bystander.id).set({ sender_shown: "mask" }).execute();
      await db
        .updateTable("masks")
        .where("user_id", "!=", bystander.id)
        .set({ description: "Secret shoes" })
        .execute();
      const { mail } = await receive();
      expect(mail.from?.name).to.equal("Bob (Secret shoes)");
      const reverse = mail.from?.address ?? "";
      const body = `Yes.\r\n\r\nOn Friday, Bob (Secret shoes) <${reverse}> wrote:\r\n> Is it right?\r\n\r\nOn Monday, Bob (Secret shoes) wrote:\r\n> Hm?`;
      const content = answer(reverse, [], body).replace("Bob - bob at shop.example", "Bob (Secret shoes)");
      expect(await send(owner.email, [reverse], content)).to.match(/^250/);
      const sent = await newest("bob@shop.example");
      expect(sent.text).not.to.contain("Secret");
      expect(sent.mail.text)
        .to.contain("On Friday, Bob <bob@shop.example> wrote:")
        .and.contain("On Monday, Bob wrote:");
      await db
        .updateTable("users")
        .where("id", "!=", bystander.id)
        .set({ sender_shown: "address" })
        .execute();
      const again = await receive([], "order-9@shop.example");
      expect(again.mail.from?.name).to.equal("bob at shop.example");
      await db
        .updateTable("masks")
        .where("user_id", "!=", bystander.id)
        .set({ sender_shown: "full" })
        .execute();
      const byMask = await receive([], "order-10@shop.example");
      expect(byMask.mail.from?.name).to.equal("Bob - bob at shop.example");
    });

    it("quotes a correspondent's name as it is, whatever it means in a pattern", async () => {
      const { db } = database();
      await db.updateTable("users").where("id", "!=", bystander.id).set({ sender_shown: "mask" }).execute();
      await db
        .updateTable("masks")
        .where("user_id", "!=", bystander.id)
        .set({ description: "Secret shoes" })
        .execute();
      const name = "$`$&$'$`$1$$";
      const order = lines(
        `From: "${name}" <bob@shop.example>`,
        `To: ${mask.email}`,
        "Subject: Order",
        "",
        "?",
      );
      expect(await send("bob@shop.example", [mask.email], order)).to.match(/^250/);
      const { mail } = await newest(owner.email);
      const shown = mail.from?.name ?? "";
      expect(shown).to.equal(`${name} (Secret shoes)`);
      const reverse = mail.from?.address ?? "";
      const quoted = lines(...Array.from({ length: 1_500 }, () => `${shown} wrote: a line`));
      expect(await send(owner.email, [reverse], answer(reverse, [], quoted))).to.match(/^250/);
      const sent = await newest("bob@shop.example");
      expect(sent.mail.text).not.to.contain("Secret");
      expect(sent.mail.text?.trim().split(/\r?\n/)).to.deep.equal(
        Array.from({ length: 1_500 }, () => `${name} wrote: a line`),
      );
    });

    it("is refused with a reason where replacing addresses would make it too long", async () => {
      const email = `${"m".repeat(60)}@masks.example`;
      mask = await addMask(database().db, owner, { email });
      await database()
        .db.updateTable("users")
        .where("id", "!=", bystander.id)
        .set({ email: "a@b.example" })
        .execute();
      const { mail } = await receive();
      const reverse = mail.from?.address ?? "";
      const say = (times: number) =>
        send(owner.email, [reverse], answer(reverse, [], "a@b.example\r\n".repeat(times)));
      expect(await say(20_000)).to.match(/^550 5\.7\.1 BAUTA-R12 /);
      expect((await notices()).join("\n")).to.contain("BAUTA-R12");
      expect(await say(1_000)).to.match(/^250/);
    });

    it("is paused for a day when more than a third of the day's replies fail, and its owner is told", async () => {
      const { mail } = await receive();
      const reverse = mail.from?.address ?? "";
      const { db } = database();
      const hash = createKeyedHash(Buffer.alloc(32, 1));
      const fail = (correspondent: string) =>
        database().transaction((tx) =>
          recordFailedReply(tx, hash, { userId: owner.id, correspondent }, relay.clock.now()),
        );
      const sent = {
        user_id: owner.id,
        day: new Date(relay.clock.now()).toISOString().slice(0, 10),
        sent: 31,
      };
      await db.insertInto("daily_replies").values(sent).execute();
      for (let count = 0; count < 12; count += 1) await fail("again@shop.example");
      for (let count = 0; count < 9; count += 1) await fail(`a${count}@shop.example`);
      expect(await send(owner.email, [reverse], answer(reverse)), "10 of 31").to.match(/^250/);
      await db.updateTable("daily_replies").where("user_id", "!=", bystander.id).set({ sent: 30 }).execute();
      await fail("A3@Shop.example");
      expect(await send(owner.email, [reverse], answer(reverse)), "a correspondent counts once").to.match(
        /^250/,
      );
      await fail("b@shop.example");
      await fail("c@shop.example");
      expect(await send(owner.email, [reverse], answer(reverse))).to.match(/^550 5\.7\.1 BAUTA-R10 /);
      const told = (await notices()).filter((one) => one.includes("are paused until"));
      expect(told).to.have.length(1);
      expect(told[0]).to.match(
        /paused until [A-Z][a-z]+ \d+, \d+:\d\d\s[AP]M UTC, because those to 11 correspondents/,
      );
      await relay.clock.advance(86_400_000);
      expect(await send(owner.email, [reverse], answer(reverse))).to.match(/^250/);
    });

    it("is answered to the mask, so that an automatic answer reaches the owner and goes no further", async () => {
      const { mail } = await receive();
      const reverse = mail.from?.address ?? "";
      await send(owner.email, [reverse], answer(reverse));
      const { envelopeSender } = await newest("bob@shop.example");
      const vacation = lines(
        "From: Bob <bob@shop.example>",
        `To: ${mask.email}`,
        "Subject: Away",
        "Auto-Submitted: auto-replied",
        "",
        "I am away.",
      );
      expect(await send("", [envelopeSender], vacation)).to.match(/^250/);
      expect((await newest(owner.email)).mail.subject).to.equal("Away");
      expect(await send(owner.email, [reverse], answer(reverse, ["Auto-Submitted: auto-replied"]))).to.match(
        /^550 .*R4/,
      );
    });

    it("is reported to the owner when it bounces, and the report goes no further", async () => {
      const { mail } = await receive();
      const reverse = mail.from?.address ?? "";
      await send(owner.email, [reverse], answer(reverse));
      const { envelopeSender } = await newest("bob@shop.example");
      const report = lines(
        "From: Mail Delivery <mailer-daemon@shop.example>",
        `To: ${mask.email}`,
        "Subject: Undelivered",
        'Content-Type: multipart/report; report-type=delivery-status; boundary="r"',
        "",
        "--r",
        "Content-Type: text/plain",
        "",
        "bob@shop.example does not exist.",
        "--r",
        "Content-Type: message/delivery-status",
        "",
        "Reporting-MTA: dns; mx.shop.example",
        "",
        "Final-Recipient: rfc822; bob@shop.example",
        "Action: failed",
        "Status: 5.1.1",
        "--r--",
      );
      const before = (await queued()).length;
      expect(await send("", [envelopeSender], report)).to.match(/^250/);
      const arrived = await newest(owner.email);
      expect(arrived.mail.subject).to.contain("Undelivered");
      expect(await queued(), "one copy, and no answer").to.have.length(before + 1);
      const returned = arrived.mail.from?.address ?? "";
      expect(await send("", [returned], report), "the owner's server returns it").to.match(/^550/);
    });

    it("counts as failed when a server reports it later, once, and only for whom it went to", async () => {
      const { mail } = await receive();
      const reverse = mail.from?.address ?? "";
      await send(owner.email, [reverse], answer(reverse));
      const { db } = database();
      await db
        .updateTable("queue")
        .set({ status: "delivered" })
        .where("recipient", "=", "bob@shop.example")
        .execute();
      const failed = async (): Promise<number> =>
        Number(
          (
            await db
              .selectFrom("daily_replies")
              .where("user_id", "!=", bystander.id)
              .select("failed")
              .executeTakeFirst()
          )?.failed ?? 0,
        );
      const { messageId = "" } = (await newest("bob@shop.example")).mail;
      const report = (recipient: string, action = "failed", returned = messageId): string =>
        lines(
          "From: Mail Delivery <mailer-daemon@shop.example>",
          `To: ${mask.email}`,
          "Subject: Undelivered",
          'Content-Type: multipart/report; report-type=delivery-status; boundary="r"',
          "",
          "--r",
          "Content-Type: message/delivery-status",
          "",
          "Reporting-MTA: dns; mx.shop.example",
          "",
          `Final-Recipient: rfc822; ${recipient}`,
          `Action: ${action}`,
          "Status: 5.1.1",
          "",
          "--r",
          "Content-Type: text/rfc822-headers",
          "",
          "Subject: Re: Your order",
          `Message-ID: ${returned}`,
          "--r--",
        );
      for (const [from, text] of [
        ["", report("carol@elsewhere.example")],
        ["", report("bob@shop.example", "delayed")],
        ["mallory@shop.example", report("bob@shop.example")],
        ["", report("bob@shop.example", "failed", "<guessed@masks.example>")],
        ["", report("bob@shop.example", "failed", "")],
      ] as const)
        expect(await send(from, [mask.email], text)).to.match(/^250/);
      expect(await failed()).to.equal(0);
      for (let count = 0; count < 3; count += 1)
        expect(await send("", [mask.email], report("Bob@Shop.example"))).to.match(/^250/);
      expect(await failed()).to.equal(1);
    });

    it("to several of whom one bounces late fails for that one alone, and for all whom a report names", async () => {
      const { mail } = await receive(["Cc: Carol <carol@elsewhere.example>"]);
      const both = [mail.from?.address ?? "", mail.cc?.[0]?.address ?? ""];
      const { db } = database();
      const [bob, carol] = ["bob@shop.example", "carol@elsewhere.example"] as const;
      for (const gone of [[bob], [carol], [bob, carol]]) {
        expect(await send(owner.email, both, answer("", [], "Yes.", both))).to.match(/^250/);
        const { messageId } = (await newest(gone[0] ?? "")).mail;
        await db.updateTable("queue").set({ status: "delivered" }).where("mask_id", "=", mask.id).execute();
        const report = lines(
          "From: Mail Delivery <mailer-daemon@shop.example>",
          `To: ${mask.email}`,
          "Subject: Undelivered",
          'Content-Type: multipart/report; report-type=delivery-status; boundary="r"',
          "",
          "--r",
          "Content-Type: message/delivery-status",
          "",
          "Reporting-MTA: dns; mx.shop.example",
          "",
          ...gone.flatMap((one) => [
            `Final-Recipient: rfc822; ${one}`,
            "Action: failed",
            "Status: 5.1.1",
            "",
          ]),
          "--r",
          "Content-Type: text/rfc822-headers",
          "",
          `Message-ID: ${messageId}`,
          "--r--",
        );
        expect(await send("", [mask.email], report)).to.match(/^250/);
        const failed = await db
          .selectFrom("queue")
          .where("mask_id", "=", mask.id)
          .where("status", "=", "failed")
          .select("recipient")
          .execute();
        expect(failed.map(({ recipient }) => recipient)).to.have.members(gone);
        await db.updateTable("queue").set({ status: "delivered" }).where("mask_id", "=", mask.id).execute();
      }
    });

    it("is not paused by one correspondent who reports twelve delivered replies as failed", async () => {
      const { mail } = await receive();
      const reverse = mail.from?.address ?? "";
      const { db } = database();
      for (let count = 0; count < 12; count += 1) {
        expect(await send(owner.email, [reverse], answer(reverse))).to.match(/^250/);
        const { messageId = "" } = (await newest("bob@shop.example")).mail;
        await db
          .updateTable("queue")
          .set({ status: "delivered" })
          .where("recipient", "=", "bob@shop.example")
          .execute();
        const report = lines(
          "From: Mail Delivery <mailer-daemon@shop.example>",
          `To: ${mask.email}`,
          "Subject: Undelivered",
          'Content-Type: multipart/report; report-type=delivery-status; boundary="r"',
          "",
          "--r",
          "Content-Type: message/delivery-status",
          "",
          "Reporting-MTA: dns; mx.shop.example",
          "",
          "Final-Recipient: rfc822; bob@shop.example",
          "Action: failed",
          "Status: 5.1.1",
          "",
          "--r",
          "Content-Type: text/rfc822-headers",
          "",
          `Message-ID: ${messageId}`,
          "--r--",
        );
        expect(await send("", [mask.email], report)).to.match(/^250/);
      }
      const counted = await db
        .selectFrom("daily_replies")
        .select("failed")
        .where("user_id", "=", owner.id)
        .executeTakeFirst();
      expect(Number(counted?.failed)).to.equal(1);
      expect(await send(owner.email, [reverse], answer(reverse))).to.match(/^250/);
    });

    it("leaves no readable correspondent in a copy of the database", async () => {
      await receive(["Cc: carol@elsewhere.example"]);
      const rows = await database()
        .db.selectFrom("reverse_addresses")
        .where("user_id", "!=", bystander.id)
        .selectAll()
        .execute();
      expect(rows).to.have.length(2);
      expect(JSON.stringify(rows)).not.to.match(/bob@|carol@|shop\.example|elsewhere|"re-/i);
    });
  });
});
