import { expect } from "chai";
import fc from "fast-check";
import { createDnsCache } from "../../../server/dns/dnsCache.ts";
import { createDnsClient, DnsError } from "../../../server/dns/dnsClient.ts";
import { decodeAnswer, encodeQuery } from "../../../server/dns/dnsMessage.ts";
import { startDnsStub } from "../support/dnsStub.ts";

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "answered",
    (error: unknown) => (error instanceof DnsError ? error.code : String(error)),
  );

describe("The DNS client", () => {
  it("reads records of every type that mail needs, also after a CNAME", async () => {
    const dns = await startDnsStub({
      "a.example": {
        A: ["192.0.2.1"],
        AAAA: ["2001:db8::1"],
        MX: ["10 mx.a.example", "0 ."],
        TXT: ["x".repeat(300)],
      },
      "alias.example": { CNAME: ["a.example"] },
      "1.2.0.192.in-addr.arpa": { PTR: ["a.example"] },
      "_25._tcp.a.example": { TLSA: ["030101 ab cd"] },
    });
    const ask = createDnsClient(dns.address);
    expect((await ask("a.example", "A")).data).to.deep.equal(["192.0.2.1"]);
    expect((await ask("alias.example", "A")).data).to.deep.equal(["192.0.2.1"]);
    expect((await ask("a.example", "AAAA")).data).to.deep.equal(["2001:db8:0:0:0:0:0:1"]);
    expect((await ask("a.example", "MX")).data).to.deep.equal([
      { priority: 10, exchange: "mx.a.example" },
      { priority: 0, exchange: "" },
    ]);
    expect((await ask("a.example", "TXT")).data).to.deep.equal([["x".repeat(255), "x".repeat(45)]]);
    expect((await ask("1.2.0.192.in-addr.arpa", "PTR")).data).to.deep.equal(["a.example"]);
    expect((await ask("_25._tcp.a.example", "TLSA")).data).to.deep.equal([
      new Uint8Array([3, 1, 1, 0xab, 0xcd]),
    ]);
    await dns.close();
  });

  it("caches an answer for its TTL, also a negative one, and sends equal concurrent queries once", async () => {
    const dns = await startDnsStub({ "a.example": { A: ["192.0.2.1"] }, "broken.example": "SERVFAIL" });
    let now = 0;
    const lookUp = createDnsCache(createDnsClient(dns.address), { now: () => now });
    await Promise.all([lookUp("a.example", "A"), lookUp("A.example", "A"), lookUp("a.example.", "A")]);
    expect(await codeOf(lookUp("none.example", "A"))).to.equal("ENOTFOUND");
    expect(await codeOf(lookUp("none.example", "A"))).to.equal("ENOTFOUND");
    expect(await codeOf(lookUp("a.example", "TXT"))).to.equal("ENODATA");
    expect(dns.queries).to.deep.equal(["a.example A", "none.example A", "a.example TXT"]);
    now = 59_999;
    await lookUp("a.example", "A");
    expect(dns.queries).to.have.length(3);
    now = 60_000;
    await lookUp("a.example", "A");
    expect(dns.queries).to.have.length(4);
    expect(await codeOf(lookUp("broken.example", "A"))).to.equal("ESERVFAIL");
    now += 5_000;
    dns.zone = { "broken.example": { A: ["192.0.2.9"] } };
    expect((await lookUp("broken.example", "A")).data).to.deep.equal(["192.0.2.9"]);
    await dns.close();
  });

  it("refuses invalid names without a query", async () => {
    const ask = createDnsClient("127.0.0.1:9");
    for (const name of ["a..example", `${"x".repeat(64)}.example`, "y.".repeat(130)])
      expect(await codeOf(ask(name, "A")), name).to.equal("EBADNAME");
  });

  it("parses any packet quickly into an answer or an error", () => {
    const query = encodeQuery(7, "a.example", "TXT");
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(60), (noise, kept) => {
        const packet = Buffer.concat([query.subarray(0, kept), noise]);
        try {
          expect(decodeAnswer(packet, "TXT").data).to.be.an("array");
        } catch (error) {
          expect(error).to.be.instanceOf(RangeError);
        }
      }),
      { numRuns: 5_000 },
    );
  });
});
