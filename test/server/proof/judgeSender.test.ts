import { expect } from "chai";
import { systemClock } from "../../../adapters/system/clockAndRandom.ts";
import { createDnsCache } from "../../../server/platform/dns/dnsCache.ts";
import { createDnsClient } from "../../../server/platform/dns/dnsClient.ts";
import type { Authentication, SenderEnvelope } from "../../../server/proof/evidence.ts";
import { createJudge, createJudgePools, type JudgePools } from "../../../server/proof/judge.ts";
import { createSpamFilter, type SpamVerdict } from "../../../server/relay/evaluate/spamFilter.ts";
import { onInputs } from "../../support/corpora.ts";
import { keyRecord, signed } from "../relay/encrypt/signedMail.ts";
import { type DnsStub, startDnsStub, type Zone } from "../support/dnsStub.ts";

type Filter = (mail: Uint8Array, of: SenderEnvelope) => Promise<SpamVerdict>;

const ownServer = "192.0.2.25";

const zone: Zone = {
  "shop.example": { TXT: ["v=spf1 ip4:192.0.2.0/24 -all"] },
  "_dmarc.shop.example": { TXT: ["v=DMARC1; p=reject"] },
  "mail._domainkey.shop.example": { TXT: [keyRecord] },
  "news.example": { TXT: ["v=spf1 include:shop.example ~all"] },
  "_dmarc.news.example": { TXT: ["v=DMARC1; p=quarantine"] },
  "lax.example": { TXT: ["v=spf1 ip4:192.0.2.0/24 -all"] },
  "_dmarc.lax.example": { TXT: ["v=DMARC1; p=none"] },
  "slow.example": "silence",
  "_dmarc.slow.example": "silence",
  "mail._domainkey.slow.example": "silence",
  "broken.example": "SERVFAIL",
  "_dmarc.broken.example": "SERVFAIL",
  "mail._domainkey.broken.example": "SERVFAIL",
};

const letter = (from: string): string =>
  [
    `From: ${from}`,
    "To: mask@masks.example",
    "Subject: Your order",
    "Date: Fri, 20 Nov 2026 10:00:00 +0000",
    "Message-ID: <1@shop.example>",
    "",
    "It is on its way.",
    "",
  ].join("\r\n");

describe("The sender check of the spam filter", () => {
  let dns: DnsStub;
  const started: JudgePools[] = [];
  let judge: Filter;

  const filterWith = (dnsServer: string): Filter => {
    const options = { host: "masks.example", trustedSealers: [], judgesPrivate: false };
    const pools = createJudgePools({ options });
    started.push(pools);
    const lookUp = createDnsCache(createDnsClient(dnsServer), systemClock);
    const judgeMail = createJudge({ options, pools, lookUp });
    const checkSpam = createSpamFilter(null);
    return async (mail, of) => {
      const content = Buffer.from(mail);
      const whole = { head: content, size: content.length, readAll: async () => content };
      return checkSpam(mail, of, await judgeMail(whole, of));
    };
  };

  before(async () => {
    dns = await startDnsStub(zone);
    judge = filterWith(dns.address);
    await judge(Buffer.from(letter("warm@up.example")), envelope("warm@up.example"));
  });
  after(async () => {
    for (const pools of started) await pools.stop();
    await dns.close();
  });

  const envelope = (sender: string, remoteAddress = ownServer): SenderEnvelope => ({
    sender,
    helo: "mx.shop.example",
    remoteAddress,
  });
  const verdicts = async (mail: Buffer, of: SenderEnvelope): Promise<Authentication> =>
    (await judge(mail, of)).authentication;

  it("detects, whoever sends it, the test message for spam filters (GTUBE)", async () => {
    const line = "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X";
    const sender = "ada@nobody.example";
    const trial = await judge(Buffer.from(`${letter(sender)}${line}\r\n`), envelope(sender));
    expect(trial.rating).to.equal("spam");
    expect(trial.reasons[0]).to.contain("GTUBE");
  });

  it("accepts a signed mail from its domain's own server", async () => {
    const mail = await signed(letter("Shop <orders@shop.example>"), "shop.example");
    const judgement = await judge(mail, envelope("orders@shop.example"));
    expect(judgement).to.deep.equal({
      authentication: { spf: "pass", dkim: "pass", dmarc: "pass", arc: "none" },
      rating: "clean",
      score: 0,
      spamThreshold: 5,
      by: "bauta",
      reasons: [],
    });
    expect(dns.queries).to.include.members([
      "shop.example TXT",
      "_dmarc.shop.example TXT",
      "mail._domainkey.shop.example TXT",
    ]);
  });

  it("accepts a signed mail that another server has forwarded", async () => {
    const mail = await signed(letter("orders@shop.example"), "shop.example");
    const judgement = await judge(mail, envelope("orders@shop.example", "198.51.100.1"));
    expect(judgement.authentication).to.include({ spf: "fail", dkim: "pass", dmarc: "pass" });
    expect(judgement.score).to.equal(0);
  });

  it("stops a mail that others send in the name of a domain that forbids it", async () => {
    const judgement = await judge(
      Buffer.from(letter("Shop <orders@shop.example>")),
      envelope("orders@shop.example", "198.51.100.1"),
    );
    expect(judgement.authentication).to.include({ spf: "fail", dkim: "none", dmarc: "fail" });
    expect(judgement.rating).to.equal("spam");
    expect(judgement.reasons[0]).to.equal("forged sender, whose domain asks to refuse such mail (DMARC)");
  });

  it("stops such a mail with a final dot after the host in From, which is the same domain", async () => {
    const judgement = await judge(
      Buffer.from(letter("Shop <orders@shop.example.>")),
      envelope("orders@shop.example", "198.51.100.1"),
    );
    expect(judgement.authentication.dmarc).to.equal("fail");
    expect(judgement.rating).to.equal("spam");
  });

  it("stops a mail whose text was changed after it was signed", async () => {
    const mail = await signed(letter("orders@shop.example"), "shop.example");
    const changed = Buffer.from(mail.toString().replace("on its way", "held at customs"));
    const judgement = await judge(changed, envelope("orders@other.example", "198.51.100.1"));
    expect(judgement.authentication).to.include({ dkim: "fail", dmarc: "fail" });
    expect(judgement.rating).to.equal("spam");
  });

  it("stops a mail that fails DMARC where the policy is quarantine, and not where it is none", async () => {
    const from = (domain: string) => judge(Buffer.from(letter(`a@${domain}`)), envelope("b@shop.example"));
    const [quarantined, watched] = [await from("news.example"), await from("lax.example")];
    expect([quarantined.authentication.dmarc, quarantined.rating]).to.deep.equal(["fail", "spam"]);
    expect([watched.authentication.dmarc, watched.rating]).to.deep.equal(["fail", "clean"]);
    expect(watched.score).to.equal(1.5);
  });

  it("adds nothing to the score while the name server does not answer, within the time limit", async () => {
    const mail = await signed(letter("a@slow.example"), "slow.example");
    const judgement = await judge(mail, envelope("a@slow.example"));
    expect(judgement.authentication).to.include({ spf: "temperror", dkim: "temperror", dmarc: "temperror" });
    expect([judgement.rating, judgement.score]).to.deep.equal(["clean", 0]);
  });

  it("adds nothing to the score while the name server fails, or while there is none", async () => {
    const mail = await signed(letter("a@broken.example"), "broken.example");
    const failing = await verdicts(mail, envelope("a@broken.example"));
    expect(failing).to.include({ spf: "temperror", dkim: "temperror", dmarc: "temperror" });
    const nobody = filterWith("127.0.0.1:9");
    const judgement = await nobody(mail, envelope("a@broken.example"));
    expect(judgement.score).to.equal(0);
  });

  it("uses signatures alone for a mail that a server of our own has forwarded", async () => {
    const unsigned = await verdicts(
      Buffer.from(letter("orders@shop.example")),
      envelope("orders@shop.example", "10.0.0.3"),
    );
    expect(unsigned).to.include({ spf: "none", dkim: "none", dmarc: "none" });
    const mail = await signed(letter("orders@shop.example"), "shop.example");
    expect(await verdicts(mail, envelope("orders@shop.example", "::ffff:127.0.0.1"))).to.include({
      spf: "none",
      dkim: "pass",
      dmarc: "pass",
    });
  });

  it("detects a name that imitates another address, and a From with two domains", async () => {
    const hidden = `=?utf-8?B?${Buffer.from("help@bank.example").toString("base64")}?=`;
    for (const name of ['"help@bank.example"', hidden, "<help@bank.example>"]) {
      const forged = await judge(Buffer.from(letter(`${name} <x@lax.example>`)), envelope("x@lax.example"));
      expect(forged.reasons[0], name).to.match(/pretends to be another address|several senders/);
    }
    const own = await judge(
      Buffer.from(letter('"x@LAX.example" <x@lax.example>')),
      envelope("x@lax.example"),
    );
    expect(own.score).to.equal(0);
    const two = await judge(Buffer.from(letter("a@lax.example, b@shop.example")), envelope("a@lax.example"));
    expect(two.reasons).to.include("several senders");
  });

  it("answers for any input: an empty mail, no header, a hundred signatures on 25 MB", async () => {
    const signatures = Array.from(
      { length: 100 },
      (_, n) =>
        `DKIM-Signature: v=1; a=rsa-sha256; d=x.example; s=s${n}; l=${n}; h=from; bh=AA==; b=AA==\r\n`,
    );
    const large = Buffer.concat([
      Buffer.from(signatures.join("")),
      Buffer.from(letter("a@lax.example")),
      Buffer.alloc(25_000_000, "all work and no play \r\n"),
    ]);
    for (const mail of [Buffer.alloc(0), Buffer.from("no header at all"), large]) {
      const { authentication } = await judge(mail, envelope(""));
      expect(authentication.dkim, `${mail.length} bytes`).to.be.oneOf([
        "none",
        "neutral",
        "fail",
        "temperror",
      ]);
    }
  });

  onInputs(["oddMails", "dmarcMails"], ({ areSamples, files }) => {
    it("answers for each of the odd mails, from what it could parse", async () => {
      const mails = files("oddMails", "dmarcMails");
      expect(mails.length).to.be.greaterThan(areSamples ? 20 : 250);
      for (const { name, content } of mails) {
        const { authentication, score } = await judge(content, envelope("x@lax.example"));
        expect(authentication.spf, name).to.equal("pass");
        expect(score, name).to.be.within(0, 20);
      }
    });
  });
});
