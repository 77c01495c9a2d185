import { expect } from "chai";
import { createDnsCache, createMailLookup } from "../../../../server/platform/dns/dnsCache.ts";
import { DnsError } from "../../../../server/platform/dns/dnsClient.ts";

const lookUp = (data: readonly (readonly string[])[]) =>
  createMailLookup(
    createDnsCache(
      async () => ({
        id: 1,
        isResponse: true,
        isTruncated: false,
        isAuthentic: false,
        code: 0,
        question: { name: "shop.example", type: "TXT" },
        data,
        ttl: 60,
      }),
      { now: () => 0 },
    ),
  )("shop.example", "TXT");

describe("A TXT record of a stranger", () => {
  it("is used up to 4 kB, and counts as missing when it is longer, beside others", async () => {
    const [short, long] = [Array(16).fill("x".repeat(255)), Array(17).fill("x".repeat(255))];
    expect(await lookUp([["v=spf1 -all"], long, short])).to.deep.equal([["v=spf1 -all"], short]);
  });

  it("counts as missing when it is the only one", async () => {
    const failure = await lookUp([Array(257).fill("x".repeat(255))]).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(DnsError).with.property("code", "ENODATA");
  });

  it("is used only while all of its name have at most 32 kB", async () => {
    const records = Array.from({ length: 20 }, () => Array(16).fill("x".repeat(250)));
    expect(await lookUp(records)).to.have.lengthOf(8);
  });
});
