import { expect } from "chai";
import PostalMime from "postal-mime";
import { domainOf, localPartOf } from "../../../../core/mail/emailAddress.ts";
import { adaEmail, type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { sqliteStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";

const long = `reply+abcdefghij&kl&&${"0123456789abcdef".repeat(6)}`;
/** Addresses that mail comes from and that nobody could have as a destination. */
const oddAddresses: readonly string[] = [
  `${long}@mg1.sender.test`,
  "foo..bar@phone.test",
  "foo.bar.@phone.test",
  ".foo@phone.test",
  "a_b@with_underscore.sender.test",
  "root@[192.0.2.1]",
  "root@[IPv6:2001:db8::1]",
  '"foo..bar"@quoted.test',
];
/** The address in a `mailto:` link (RFC 6068, 2). */
const inLink = (address: string): string =>
  `${encodeURIComponent(localPartOf(address))}@${encodeURI(domainOf(address))}`;

describe("The way back to an address that is not of public form", () => {
  let here: HeldServer;
  let count = 0;

  before(async () => {
    here = await startHeldServer(sqliteStore);
  });
  after(() => here?.stop());

  const delivered = async (isWanted: (mail: string, to: string) => boolean) => {
    const found = () => here.sink.mails.filter(({ content, to }) => isWanted(content.toString(), to)).at(-1);
    here.delivery.wake();
    await until("the mail is delivered", () => found() !== undefined);
    return found();
  };
  /** Sends a mail to the mask, and returns it as its owner gets it. */
  const receive = async (fields: readonly string[], from = "Anna <anna@sender.test>") => {
    count += 1;
    const subject = `News ${count}`;
    expect(await here.send("bounces@sender.test", letter(from, fields, subject)), from).to.match(/^250/);
    const mail = await delivered((text, to) => to === adaEmail && text.includes(`Subject: ${subject}\r\n`));
    const text = mail?.content.toString() ?? "";
    return { text, subject, mail: await PostalMime.parse(text) };
  };
  /** The owner answers an address; returns the SMTP answer. */
  const answer = async (to: string, subject: string): Promise<string> => {
    const client = await here.relay.connect();
    const content = [
      `From: ${adaEmail}`,
      `To: <${to}>`,
      `Subject: Re: ${subject}`,
      "Date: Fri, 20 Nov 2026 10:00:00 +0000",
      "",
      "Yes.",
      "",
    ].join("\r\n");
    const reply = await client.mail(adaEmail, [to], content);
    client.destroy();
    return reply;
  };
  for (const address of oddAddresses)
    it(`leads to ${address}, wherever a mail names it`, async () => {
      const { mail, text, subject } = await receive(
        [
          `Reply-To: Letters <${address}>`,
          `Cc: b@sender.test, <${address}>`,
          `Mail-Followup-To: ${address}`,
          `List-Unsubscribe: <mailto:${inLink(address)}?subject=u>`,
        ],
        `Odd <${address}>`,
      );
      expect(text).not.to.contain(`<${here.mask.maskEmail}>`);
      const reverse = mail.from?.address ?? "";
      expect(reverse).to.match(/^re-[a-z2-7]{32}@masks\.test$/);
      const [, followUp] = /^Mail-Followup-To:[^<]*<(.*)>/m.exec(text) ?? [];
      const [, leave] = /^List-Unsubscribe: <mailto:(.*)\?subject=u>/m.exec(text) ?? [];
      const elsewhere = [mail.replyTo?.[0]?.address, mail.cc?.[1]?.address, followUp, leave];
      expect(new Set(elsewhere)).to.deep.equal(new Set([reverse]));
      expect(await answer(reverse, subject)).to.match(/^250/);
      const sent = await delivered((one) => one.includes(`Subject: Re: ${subject}\r\n`));
      expect([sent?.from, sent?.to]).to.deep.equal([here.mask.maskEmail, address]);
      expect(sent?.content.toString()).to.contain(`<${address}>`).and.not.to.contain("home.example");
    });

  it("does not lead to a private network by an address literal", async () => {
    const { mail, subject } = await receive([], "root@[10.1.2.3]");
    expect(await answer(mail.from?.address ?? "", subject)).to.match(/^250/);
    here.delivery.wake();
    await until("it is given up", async () => {
      const { json } = await here.ada.call("GET", "/notifications?limit=10");
      return JSON.stringify(json).includes("550 5.1.2");
    });
    expect(here.sink.mails.some(({ to }) => to.includes("10.1.2.3"))).to.equal(false);
  });

  const nobody = /^re-noaddressinthismailcanbeanswered@masks\.test$/;
  const refusal = /^550 5\.1\.1 BAUTA-R17 .*; see https:\/\/mail\.example\/help\/replies#BAUTA-R17$/;

  for (const [what, from, fields] of [
    ["no address in From", "Somebody", []],
    ["an empty From", "<>", []],
    ["a host that cannot be", "Odd <a@b..c>", []],
    ["an address that fits in no line", `<${"a".repeat(600)}@sender.test>`, []],
    ["the owner's own address", `Ada <${adaEmail}>`, []],
  ] as const)
    it(`refuses the answer with the reason where there is ${what}`, async () => {
      const { mail, subject, text } = await receive(fields, from);
      expect(mail.from?.address).to.match(nobody);
      expect(text).not.to.contain(`<${here.mask.maskEmail}>`);
      expect(await answer(mail.from?.address ?? "", subject)).to.match(refusal);
      const written = await here.ada.call("POST", `/masks/${here.mask.id}/mails`, {
        body: { to: mail.from?.address, subject: "Re", text: "Yes." },
      });
      expect([written.status, written.text.includes("BAUTA-R17")]).to.deep.equal([409, true]);
    });

  it("refuses an answer that would go to nobody whom Reply-To names, and to somebody else", async () => {
    const { mail, subject } = await receive([`Reply-To: <${"a".repeat(600)}@sender.test>`]);
    expect(mail.replyTo?.map(({ address }) => address).join()).to.match(nobody);
    expect(await answer(mail.replyTo?.[0]?.address ?? "", subject)).to.match(refusal);
    const empty = await receive(["Reply-To: <>"]);
    expect(empty.mail.replyTo?.[0]?.address).to.equal("");
    expect(empty.mail.from?.address)
      .to.match(/^re-[a-z2-7]{32}@/)
      .and.not.to.match(nobody);
  });

  it("is refused to a blocked domain with a final dot, in From or in the envelope", async () => {
    await here.ada.call("PUT", `/masks/${here.mask.id}`, {
      body: { senders: { mode: "all", allow: [], block: ["blocked.test"] } },
    });
    for (const [sender, from] of [
      ["a@sender.test", "a@blocked.test."],
      ["a@blocked.test.", "a@sender.test"],
    ] as const)
      expect(await here.send(sender, letter(from)), from).to.match(/^550 5\.7\.1/);
  });

  it("reaches the others of a mail whose author cannot be answered", async () => {
    const { mail, subject } = await receive(["Cc: b@sender.test"], "Somebody");
    const [from, other] = [mail.from?.address ?? "", mail.cc?.[0]?.address ?? ""];
    const client = await here.relay.connect();
    const content = [
      `From: ${adaEmail}`,
      `To: <${from}>`,
      `Cc: <${other}>`,
      `Subject: Re: ${subject}`,
      "Date: Fri, 20 Nov 2026 10:00:00 +0000",
      "",
      "Yes.",
      "",
    ];
    expect(await client.envelope(adaEmail, [from, other])).to.satisfy(
      ([one, two]: string[]) => refusal.test(one ?? "") && two?.startsWith("250"),
    );
    expect(await client.say("DATA")).to.match(/^354/);
    expect(await client.say([...content, "."].join("\r\n"))).to.match(/^250/);
    client.destroy();
    const sent = await delivered((text) => text.includes(`Subject: Re: ${subject}\r\n`));
    expect(sent?.to).to.equal("b@sender.test");
    expect(sent?.content.toString()).not.to.contain("noaddress");
  });
});
