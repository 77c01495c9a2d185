import { expect } from "chai";
import { createDnsCache, createMailLookup, type LookUpDns } from "../../../server/platform/dns/dnsCache.ts";
import { DnsError } from "../../../server/platform/dns/dnsClient.ts";
import { readCheckedHeader } from "../../../server/proof/checkedHeader.ts";
import { judgeSender } from "../../../server/proof/judgeSender.ts";
import { expectLinear } from "../../support/linearTime.ts";
import { createZoneClient } from "../support/dnsZone.ts";

const pieces = [
  " ",
  "\t",
  "\r\n ",
  "\r\n\t \t",
  ";",
  "; ",
  "a=b;",
  "h=",
  "b= ",
  ":",
  "a:",
  "a:b;",
  "<",
  '"',
  "(",
  "()",
].concat(["\\", "a@b,", "=?", "@", "a", "a \r\n ", "   ;   =", "\u00a0", "a\r\nb", "x:\r\n"]);
const names = ["DKIM-Signature", "ARC-Seal", "ARC-Message-Signature", "ARC-Authentication-Results"].concat([
  "From",
  "To",
  "Content-Type",
  "Received",
]);

const own = "From: a@b.example\r\nTo: c@d.example\r\nSubject: Hi\r\nDate: today\r\n";
const signature = (domain: string, more = ""): string =>
  `DKIM-Signature: v=1; a=rsa-sha256; d=${domain}; s=s; h=from:to:subject:date:received:content-type; bh=AA==; b=AA==;${more}`;
const mailWith = (field: string): Buffer =>
  Buffer.from(`${signature("b.example")}\r\n${field}\r\n${own}\r\n`, "latin1");

const envelope = { sender: "a@b.example", helo: "b.example", remoteAddress: "192.0.2.1" } as const;
const options = { host: "masks.example", trustedSealers: [], judgesPrivate: true };

describe("The header that the checks of a sender read", () => {
  it("takes time in proportion to its length, whatever it contains", () => {
    for (const name of names)
      for (const piece of pieces)
        expectLinear(`${name}: ${JSON.stringify(piece)}`, 60_000, (times) => {
          readCheckedHeader(mailWith(`${name}: a${piece.repeat(times)}b`));
        });
  });

  it("leaves little to the libraries, whatever it contains", async () => {
    const lookup = createMailLookup(createDnsCache(createZoneClient({}), { now: () => 0 }));
    const costs: number[] = [];
    for (const name of ["DKIM-Signature", "ARC-Seal", "From", "Received"])
      for (const piece of pieces) {
        const mail = mailWith(`${name}: a${piece.repeat(Math.ceil(200_000 / piece.length))}b`);
        const before = process.threadCpuUsage();
        await judgeSender(mail, envelope, options, lookup);
        const { user, system } = process.threadCpuUsage(before);
        costs.push(user + system);
      }
    expect(Math.max(...costs), "microseconds of processor time").to.be.at.most(2_000_000);
  });

  it("has no signature of more than 8 kB, and none that covers more than 200 names", () => {
    const long = readCheckedHeader(mailWith(signature("x.example", ` z=${"a".repeat(8_192)}`)));
    const many = readCheckedHeader(mailWith(`DKIM-Signature: v=1; d=x.example; h=${"a:".repeat(201)}`));
    for (const { signatures } of [long, many])
      expect(signatures.map(({ domain }) => domain)).to.deep.equal(["b.example"]);
  });

  it("has ten signatures at most, the author's own among them", () => {
    const others = Array.from({ length: 20 }, (_, n) => `${signature(`x${n}.example`)}\r\n`).join("");
    const { signatures } = readCheckedHeader(
      Buffer.from(`${others}${signature("mail.b.example")}\r\n${own}\r\n`),
    );
    expect(signatures).to.have.length(10);
    expect(signatures.map(({ domain }) => domain)).to.include("mail.b.example");
  });

  it("names no author where From is longer than 8 kB", () => {
    const from = `From: ${"a:".repeat(4_096)} x@b.example`;
    const { headerFrom, counts } = readCheckedHeader(Buffer.from(`${from}\r\nSubject: Hi\r\n\r\n`));
    expect([headerFrom, counts.get("from")]).to.deep.equal([[], 1]);
  });
});

describe("The DNS queries for a mail", () => {
  const silent: LookUpDns = (name) =>
    name.startsWith("_dmarc.")
      ? Promise.resolve({ data: [["v=DMARC1; p=reject"]], isAuthentic: false })
      : Promise.reject(new DnsError("ETIMEOUT", name));

  it("leave the policy of From its own number, however many others a mail asks", async () => {
    const lookup = createMailLookup(silent);
    for (let n = 0; n < 300; n += 1) await lookup(`s${n}._domainkey.silent.example`, "TXT").catch(() => null);
    expect(await lookup("_dmarc.bank.example", "TXT")).to.deep.equal([["v=DMARC1; p=reject"]]);
  });

  it("ask the policy of From while all other names are silent", async () => {
    const asked: string[] = [];
    const answered = Promise.withResolvers<void>();
    const never = new Promise<never>(() => {});
    void judgeSender(mailWith(signature("silent.example")), envelope, options, async (name) => {
      asked.push(name);
      if (!name.startsWith("_dmarc.")) return never;
      if (name === "_dmarc.example") answered.resolve();
      return [["v=DMARC1; p=reject"]];
    });
    await answered.promise;
    expect(asked[0]).to.equal("_dmarc.b.example");
    expect(asked).to.include.members(["s._domainkey.b.example", "s._domainkey.silent.example", "b.example"]);
  });
});
