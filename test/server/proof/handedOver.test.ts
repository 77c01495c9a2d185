import { expect } from "chai";
import { systemClock } from "../../../adapters/system/clockAndRandom.ts";
import { readHeaderBlock } from "../../../server/mime/headerBlock.ts";
import { createDnsCache, createMailLookup } from "../../../server/platform/dns/dnsCache.ts";
import { reportedSpf } from "../../../server/proof/authenticationResults.ts";
import type { Evidence } from "../../../server/proof/evidence.ts";
import { judgeSender } from "../../../server/proof/judgeSender.ts";
import { expectLinear } from "../../support/linearTime.ts";
import { keyRecord, signed } from "../relay/encrypt/signedMail.ts";
import { createZoneClient } from "../support/dnsZone.ts";

const shop = "orders@shop.example";
const letter = [`From: Shop <${shop}>`, "Subject: Your order", "Date: today", "", "Sent.", ""].join("\r\n");
const results = (text: string): string => `Authentication-Results: ${text}\r\n`;
const passed = results(`mx.provider.example; spf=pass smtp.mailfrom=${shop}`);

describe("A mail that a provider hands over", () => {
  const askDns = createZoneClient({
    // Whatever address the provider has, SPF would say that it may send for the shop.
    "shop.example": { TXT: ["v=spf1 +all"] },
    "_dmarc.shop.example": { TXT: ["v=DMARC1; p=reject"] },
    "mail._domainkey.shop.example": { TXT: [keyRecord] },
  });
  const judge = (
    mail: Uint8Array | string,
    { resultsHost = "mx.provider.example", sender = shop }: { resultsHost?: string; sender?: string } = {},
  ): Promise<Evidence> =>
    judgeSender(
      Buffer.from(mail),
      { sender, helo: false, remoteAddress: null },
      { host: "masks.example", trustedSealers: [], judgesPrivate: true, resultsHost },
      createMailLookup(createDnsCache(askDns, systemClock)),
    );
  const outcome = async (...given: Parameters<typeof judge>) => {
    const { proof, alignedBy } = await judge(...given);
    return [proof, ...alignedBy];
  };

  it("proves its author by a signature, which this server checks", async () => {
    expect(await outcome(await signed(letter, "shop.example"))).to.deep.equal(["proven", "dkim"]);
    const changed = (await signed(letter, "shop.example")).toString().replace("Sent.", "Pay.");
    expect(await outcome(changed)).to.deep.equal(["unproven"]);
  });

  it("proves its author by SPF where the named host says so", async () => {
    expect(await outcome(passed + letter)).to.deep.equal(["proven", "spf"]);
    const { authentication } = await judge(passed + letter);
    expect(authentication).to.include({ spf: "pass", dmarc: "pass" });
  });

  it("proves nobody by the address of the provider itself", async () => {
    expect(await outcome(letter)).to.deep.equal(["unproven"]);
    const { authentication, results: told } = await judge(letter);
    expect(authentication.spf).to.equal("none");
    expect(told).not.to.contain("spf");
  });

  it("is forged where the named host has found that SPF fails, and the domain asks to refuse such mail", async () => {
    expect(await outcome(passed.replace("pass", "fail") + letter)).to.deep.equal(["forged"]);
  });

  it("looks unproven, and not forged, where the host could not ask DNS: it will never know more", async () => {
    expect(await outcome(passed.replace("pass", "temperror") + letter)).to.deep.equal(["unproven"]);
  });

  it("believes the topmost field of the host alone", async () => {
    expect(await outcome(passed.replace("pass", "fail") + passed + letter)).to.deep.equal(["forged"]);
    expect(await outcome(passed + passed.replace("pass", "fail") + letter)).to.deep.equal(["proven", "spf"]);
  });

  for (const [name, text] of [
    ["another host", `mx.other.example; spf=pass smtp.mailfrom=${shop}`],
    ["a host below the named one", `a.mx.provider.example; spf=pass smtp.mailfrom=${shop}`],
    ["a field with DMARC alone", "mx.provider.example; dmarc=pass header.from=shop.example"],
    ["a field that checked HELO", "mx.provider.example; spf=pass smtp.helo=shop.example"],
    ["another sender than the envelope's", "mx.provider.example; spf=pass smtp.mailfrom=eve@attack.example"],
    ["two results", `mx.provider.example; spf=fail smtp.mailfrom=${shop}; spf=pass smtp.mailfrom=${shop}`],
    ["a result in a comment", `mx.provider.example; spf=none (x; spf=pass smtp.mailfrom=${shop} )`],
    [
      "a result in a quoted sender",
      `mx.provider.example; spf=none smtp.mailfrom="; spf=pass smtp.mailfrom=${shop} "@attack.example`,
    ],
    ["a comment that does not end", `mx.provider.example; spf=pass (x smtp.mailfrom=${shop}`],
    [
      "a quoted sender that breaks out of a comment",
      `mx.provider.example; spf=fail (of "x) ; spf=pass smtp.mailfrom=${shop} ("@shop.example is not) smtp.mailfrom=x`,
    ],
    ["a quote that does not end", `mx.provider.example; spf=pass smtp.mailfrom=${shop} reason="x`],
    ["a made-up result", `mx.provider.example; spf=pass-or-not smtp.mailfrom=${shop}`],
  ] as const)
    it(`proves nobody by ${name}`, async () => {
      expect(await outcome(results(text) + letter)).to.deep.equal(["unproven"]);
    });

  it("proves nobody where no host is named", async () => {
    const evidence = await judgeSender(
      Buffer.from(passed + letter),
      { sender: shop, helo: false, remoteAddress: null },
      { host: "masks.example", trustedSealers: [], judgesPrivate: true },
      createMailLookup(createDnsCache(askDns, systemClock)),
    );
    expect(evidence.proof).to.equal("unproven");
  });

  it("is read in time proportional to the length of the field", () => {
    for (const piece of [
      "(",
      '"',
      "\\",
      ";",
      "spf=pass ",
      "spf=pass smtp.mailfrom=",
      " smtp.mailfrom=a@b;",
      ") ",
      "\r\n ",
    ])
      expectLinear(JSON.stringify(piece), 10_000, (times) => {
        const mail = Buffer.from(`${results(`mx.provider.example; ${piece.repeat(times)}`)}\r\n`);
        const header = readHeaderBlock(mail);
        if (header) reportedSpf(mail, header, { host: "mx.provider.example", sender: shop });
      });
  });

  it("does not prove the author where SPF passes for another domain", async () => {
    const sender = "eve@attack.example";
    const text = `mx.provider.example; spf=pass smtp.mailfrom=${sender}`;
    expect(await outcome(results(text) + letter, { sender })).to.deep.equal(["forged"]);
  });
});
