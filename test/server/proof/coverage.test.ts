import { expect } from "chai";
import { systemClock } from "../../../adapters/system/clockAndRandom.ts";
import { createDnsCache, createMailLookup } from "../../../server/platform/dns/dnsCache.ts";
import type { Evidence } from "../../../server/proof/evidence.ts";
import { judgeSender } from "../../../server/proof/judgeSender.ts";
import { createZoneClient } from "../support/dnsZone.ts";
import { canonicalBody, hashBody, makeKey, signSelected } from "./handMadeSignature.ts";

const key = makeKey();
const fields = [
  "From: Ada <ada@bank.example>",
  "To: mask@masks.example",
  "Reply-To: ada@bank.example",
  "Subject: Your account",
  "Date: Fri, 20 Nov 2026 10:00:00 +0000",
  "Content-Type: text/plain; charset=utf-8",
];
const allNames = ["from", "to", "reply-to", "subject", "date", "content-type"];
const body = "It is open.\r\n";

interface Change {
  readonly names?: readonly string[];
  readonly tags?: string;
  readonly added?: readonly string[];
  readonly fields?: readonly string[];
  readonly bodyAfter?: string;
}

/** A mail that its domain has really signed, and what somebody has done with it since. */
const signedMail = ({
  names = allNames,
  tags = "",
  added = [],
  bodyAfter = body,
  ...rest
}: Change): Buffer => {
  const own = rest.fields ?? fields;
  const hash = hashBody(canonicalBody(body, "relaxed"));
  const field = `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=bank.example; s=s; h=${names.join(":")};${tags} bh=${hash}; b=`;
  const signature = signSelected(own, names, { field, key });
  return Buffer.from([signature, ...added, ...own, "", bodyAfter].join("\r\n"));
};

describe("A signature proves who wrote a mail", () => {
  const askDns = createZoneClient({
    "_dmarc.bank.example": { TXT: ["v=DMARC1; p=reject"] },
    "s._domainkey.bank.example": { TXT: [key.record] },
  });

  const judge = (mail: Buffer, trustedSealers: readonly string[] = []): Promise<Evidence> =>
    judgeSender(
      mail,
      { sender: "eve@attack.example", helo: "mx.attack.example", remoteAddress: "192.0.2.1" },
      { host: "receiver.example.com", trustedSealers, judgesPrivate: true },
      createMailLookup(createDnsCache(askDns, systemClock)),
    );
  const outcome = async (change: Change) => {
    const { proof, alignedBy, authentication } = await judge(signedMail(change));
    return [proof, alignedBy.join(), authentication.dkim];
  };

  it("where it covers From, Subject, Date, To, Reply-To and Content-Type", async () => {
    expect(await outcome({})).to.deep.equal(["proven", "dkim", "pass"]);
  });

  it("where a field that it does not cover is missing", async () => {
    const few = fields.filter((field) => /^(?:From|Subject)/.test(field));
    expect(await outcome({ fields: few, names: ["from", "subject"] })).to.deep.equal([
      "proven",
      "dkim",
      "pass",
    ]);
  });

  it("not where it covers a part of the body: what follows is anybody's", async () => {
    const length = ` l=${canonicalBody(body, "relaxed").length};`;
    for (const bodyAfter of [body, `${body}Pay to this account instead.\r\n`])
      expect(await outcome({ tags: length, bodyAfter })).to.deep.equal(["forged", "", "policy"]);
  });

  it("not where From, Subject or Date may be replaced", async () => {
    for (const name of ["subject", "date"])
      expect(await outcome({ names: allNames.filter((one) => one !== name) }), name).to.deep.equal([
        "forged",
        "",
        "policy",
      ]);
    const [proof] = await outcome({ names: allNames.filter((one) => one !== "from") });
    expect(proof).to.equal("forged");
  });

  it("not where To, Reply-To or Content-Type may be replaced; such mail is not refused, as large providers sign so", async () => {
    for (const name of ["to", "reply-to", "content-type"])
      expect(await outcome({ names: allNames.filter((one) => one !== name) }), name).to.deep.equal([
        "unproven",
        "",
        "pass",
      ]);
  });

  it("not where a field was added beside a signed one", async () => {
    for (const added of ["Subject: Urgent", "Date: Sat, 21 Nov 2026 10:00:00 +0000"])
      expect((await outcome({ added: [added] }))[0], added).to.equal("forged");
    for (const added of ["Reply-To: eve@attack.example", "Content-Type: text/html", "To: x@y.example"])
      expect((await outcome({ added: [added] }))[0], added).to.equal("unproven");
    expect((await outcome({ added: ["Subject\r\n : Urgent"] }))[0]).to.equal("forged");
  });

  it("by another signature that covers all, beside one that does not", async () => {
    const [weak] = signedMail({ names: ["from", "subject", "date"] })
      .toString()
      .split("\r\n");
    const { proof, alignedBy } = await judge(Buffer.from(`${weak}\r\n${signedMail({})}`));
    expect([proof, alignedBy.join()]).to.deep.equal(["proven", "dkim"]);
  });
});
