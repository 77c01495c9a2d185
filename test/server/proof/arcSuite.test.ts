import { expect } from "chai";
import { systemClock } from "../../../adapters/system/clockAndRandom.ts";
import { createDnsCache, createMailLookup } from "../../../server/platform/dns/dnsCache.ts";
import { createDnsClient } from "../../../server/platform/dns/dnsClient.ts";
import { judgeSender } from "../../../server/proof/judgeSender.ts";
import { type DnsStub, startDnsStub } from "../support/dnsStub.ts";
import { type ArcRecipe, makeArcMail, readArcSuite } from "./arcRecipes.ts";
import { type MadeKey, makeKey } from "./handMadeSignature.ts";

describe("The ARC check of a mail (RFC 8617)", () => {
  const suite = readArcSuite();
  const [usual, other] = [makeKey(1_024), makeKey(1_024)];
  const keys: Readonly<Record<string, MadeKey>> = {
    dummy2: other,
    "512": makeKey(512),
    "1024": makeKey(1_024),
    "2048": makeKey(2_048),
  };
  const keyOf = (selector: string): MadeKey => keys[selector] ?? usual;
  let dns: DnsStub;
  before(async () => {
    const published = ["dummy", "512", "1024", "2048"].map((selector) => [
      `${selector}._domainkey.example.org`,
      { TXT: [keyOf(selector).record] },
    ]);
    dns = await startDnsStub({
      ...Object.fromEntries(published),
      "dummy2._domainkey.example.org": { TXT: [usual.record] },
      "dummy2._domainkey.example2.org": { TXT: [other.record] },
      "invalid._domainkey.example.org": { TXT: ["v=DKIM1; k=rsa; omgwhatsgoingon"] },
    });
  });
  after(() => dns.close());

  const judge = (mail: string) =>
    judgeSender(
      Buffer.from(mail, "latin1"),
      { sender: "jqd@d1.example", helo: "lists.example.org", remoteAddress: "192.0.2.1" },
      { host: "receiver.example.com", trustedSealers: ["example.org"], judgesPrivate: true },
      createMailLookup(createDnsCache(createDnsClient(dns.address), systemClock)),
    );

  for (const [name, recipe] of Object.entries(suite.cases))
    it(`has the expected result in ${name}`, async () => {
      const { authentication } = await judge(makeArcMail(suite, recipe, keyOf));
      expect(authentication.arc).to.equal(recipe.cv);
    });

  /** A seal of `example.org`, which is trusted here. */
  const sealed = (changes: Partial<ArcRecipe>) =>
    judge(makeArcMail(suite, { cv: "pass", ...changes }, keyOf));

  it("proves by a trusted seal, only where it covers From", async () => {
    expect((await sealed({})).alignedBy).to.deep.equal(["arc"]);
    const { authentication, alignedBy } = await sealed({ ...suite.cases["ams_fields_h_empty"] });
    expect([authentication.arc, alignedBy]).to.deep.equal(["pass", []]);
  });

  it("has as many cases as the suite", () => {
    expect(Object.keys(suite.cases)).to.have.length(171);
  });
});
