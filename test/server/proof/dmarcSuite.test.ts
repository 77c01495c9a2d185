import { expect } from "chai";
import { systemClock } from "../../../adapters/system/clockAndRandom.ts";
import { createDnsCache, createMailLookup } from "../../../server/platform/dns/dnsCache.ts";
import { createDnsClient } from "../../../server/platform/dns/dnsClient.ts";
import type { Evidence, SenderEnvelope } from "../../../server/proof/evidence.ts";
import { judgeSender } from "../../../server/proof/judgeSender.ts";
import { asSent, onInputs } from "../../support/corpora.ts";
import { type DnsStub, startDnsStub, type Zone } from "../support/dnsStub.ts";
import { canonicalBody, hashBody, makeKey, signSelected } from "./handMadeSignature.ts";

const txt = (value: string): { readonly TXT: readonly string[] } => ({ TXT: [value] });

/** What the domains of the collection publish. */
const collectionZone: Zone = {
  "dkim._domainkey.cacophony.za.org": txt(
    "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDXtxBE5IiNRMcq2/lc2zErfdCvDFyQNBnMjbOjBQrPST2k4fdGbtpe5Iu5uS01Met+dAEf94XL8I0hwmYw+n70PP834zfJGi2egwGqrakpaWsCDPvIJZLkxJCJKQRA/zrQ622uEXdvYixVbsEGVw7U4wAGSmT5rU2eU1y63AlOlQIDAQAB",
  ),
  "testdkim._domainkey.mom.za.org": txt(
    "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC3v4VPE1QMHUzsMRbC8VzXNq82mDjiv9Gi1NB/YYC+vIYZT+sE/Uxnr0Clk8C2jgzEr3jcxgQEWZfMtEEg/EfEJvh4SrXWv9c0gw1EEfxKxX9i+r8yBQtc/EWospWVDkhF2lAvQAK1lV1ZiU7psJ6fh1CI39uZyWdAktZzWLf0zQIDAQAB",
  ),
  "_dmarc.cacophony.za.org": txt("v=DMARC1; p=none; sp=reject"),
  "_dmarc.my.mom.za.org": txt("v=DMARC1; p=reject"),
  "_dmarc.reject.cacophony.za.org": txt("v=DMARC1; p=reject"),
  "_dmarc.quarantine.cacophony.za.org": txt("v=DMARC1; p=quarantine"),
  "_dmarc.yo.mom.za.org": txt("v=DMARC1; p=reject; aspf=s; adkim=s;"),
  "_dmarc.yoni.za.org": txt("v=DMARC1; p=reject; sp=none;"),
  "_dmarc.yoni.za.net": txt("v=DMARC1; p=none; sp=quarantine"),
  "_dmarc.zero_pct.com": txt("v=DMARC1; p=reject; sp=quarantine; pct=0"),
  "_dmarc.dnssec-failed.org": "SERVFAIL",
  "spf.cacophony.za.org": txt("v=spf1 ip4:8.8.4.4 -all"),
  "yo.mom.za.org": txt("v=spf1 ip4:37.48.67.26 -all"),
  "mom.za.org": txt("v=spf1 ip4:37.48.67.26 -all"),
  "example.net": txt("v=spf1 -all"),
};

interface Expected {
  readonly dmarc: Evidence["authentication"]["dmarc"];
  readonly policy?: Evidence["policy"];
}

/** A mail of the collection, who sends it, and the verdict of its table. */
type Case = readonly [name: string, mail: string, ip: string, sender: string, expected: Expected];

const [anyIp, momIp] = ["198.51.100.7", "37.48.67.26"];
const [mom, yoMom] = ["foo@mom.za.org", "foo@yo.mom.za.org"];
const refused: Expected = { dmarc: "fail", policy: "reject" };
const quarantined: Expected = { dmarc: "fail", policy: "quarantine" };
const watched: Expected = { dmarc: "fail", policy: "none" };
const passed: Expected = { dmarc: "pass" };

const collectionTable: readonly Case[] = [
  ["passes by DKIM", "pass_none", anyIp, "", passed],
  ["passes by SPF", "fail_none", "8.8.4.4", "foo@spf.cacophony.za.org", passed],
  ["fails without a request", "fail_none", anyIp, "", watched],
  ["fails at reject", "fail_reject", "1.2.3.4", "foo@example.net", refused],
  ["fails at quarantine", "fail_quarantine", "1.2.3.4", "foo@example.net", quarantined],
  ["fails with sp=none", "subdomain_fail_none", anyIp, "", watched],
  ["fails with sp=reject", "subdomain_fail_reject", anyIp, "", refused],
  ["fails with sp=quarantine", "subdomain_fail_quarantine", anyIp, "", quarantined],
  ["fails by strict DKIM", "onsubdomain_fail_alignment", anyIp, "", refused],
  ["passes by relaxed DKIM", "onsubdomain_pass_relaxed", anyIp, "", passed],
  ["passes by strict SPF", "onsubdomain_fail_alignment", momIp, yoMom, passed],
  ["fails by strict SPF", "onsubdomain_fail_alignment", momIp, mom, refused],
  ["passes by relaxed SPF", "onsubdomain_fail", momIp, mom, passed],
  ["is unknown while DNS fails", "dmarc_tmpfail", momIp, mom, { dmarc: "temperror" }],
  ["has no policy in an unknown domain", "ed25519_from", momIp, mom, { dmarc: "none" }],
  // RFC 9989 has no pct: the collection expects the next weaker policy of both.
  ["fails whatever its pct says", "pct_none", momIp, mom, refused],
  ["fails at a subdomain whatever its pct says", "pct_none1", momIp, mom, quarantined],
  ["has no policy where its record is none", "bad_dkim2", anyIp, "", { dmarc: "none" }],
  ["fails with a broken key", "bad_dkim1", anyIp, "", watched],
];

/** What the domains of the samples publish; the key has signed the signed ones. */
const samplesZone: Zone = {
  "one._domainkey.bakery.example": txt(
    "v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtBPyDkKRjzREYKaz+kA4xJxnK0CQxdIG1h9/dDl636bw9aot6+EMzdySGD1r7GP3NUFhT53tTyHlXmFuDJF7GSFerzJiazhEiAl3VA+0vP+ukMmDnv5HvItMUJTct5D6iGM3Nrcf6IlIX9N03ZnzsZo858wUXRRBI0dTrvstxZNkFuU4bnqvIxVaWeGTLDJI7SyQIheCPvwZsZDvjte+mDV+xm6SZ11W75fmdBKdx5eggv1UUq+RltW+67B6lgOqjIx2wmeDqFvcXNrWUZHQkD6BMqGsaYAIdT6XvkynWMm9ZdBnQ8zAernyGQCXLJIxbF41O9qWeAOBCpp4Lwdz/QIDAQAB",
  ),
  "_dmarc.bakery.example": txt("v=DMARC1; p=reject; sp=quarantine"),
  "bakery.example": txt("v=spf1 ip4:192.0.2.80 -all"),
  "bounce.bakery.example": txt("v=spf1 ip4:192.0.2.81 -all"),
  "_dmarc.exact.bakery.example": txt("v=DMARC1; p=reject; aspf=s; adkim=s"),
  "_dmarc.calm.example": txt("v=DMARC1; p=none"),
  "calm.example": txt("v=spf1 -all"),
  "_dmarc.gone.example": "SERVFAIL",
};

const bakery = "oven@bakery.example";
const bouncing = "b1@bounce.bakery.example";

const samplesTable: readonly Case[] = [
  ["passes by DKIM", "signed", anyIp, "", passed],
  ["passes by DKIM of the organization", "signed-subdomain", anyIp, "", passed],
  ["fails by strict DKIM", "signed-exact", anyIp, "", refused],
  ["fails by strict SPF", "signed-exact", "192.0.2.80", bakery, refused],
  ["fails with a changed body", "signed-changed", anyIp, "", refused],
  ["passes by SPF with a changed body", "signed-changed", "192.0.2.80", bakery, passed],
  ["passes by relaxed SPF", "unsigned", "192.0.2.81", bouncing, passed],
  ["fails at reject", "unsigned", anyIp, bakery, refused],
  ["fails with sp=quarantine", "unsigned-subdomain", anyIp, "", quarantined],
  ["fails without a request", "unsigned-calm", anyIp, "a@calm.example", watched],
  ["is unknown while DNS fails", "unsigned-gone", anyIp, "", { dmarc: "temperror" }],
  ["has no policy in an unknown domain", "unsigned-unknown", anyIp, "", { dmarc: "none" }],
];

const key = makeKey();
const deep = Array.from({ length: 12 }, (_, n) => `d${n}`);

const ownZone: Zone = {
  "s._domainkey.org.example": txt(key.record),
  "s._domainkey.mail.org.example": txt(key.record),
  "s._domainkey.bank.psd.example": txt(key.record),
  "_dmarc.org.example": txt("v=DMARC1; p=reject"),
  "org.example": txt("v=spf1 ip4:192.0.2.1 -all"),
  "_dmarc.mail.strict.example": txt("v=DMARC1; p=quarantine; adkim=s"),
  "mail.strict.example": {},
  "_dmarc.psd.example": txt("v=DMARC1; p=none; np=reject; psd=y"),
  "psd.example": {},
  "bank.psd.example": txt("v=spf1 -all"),
  "_dmarc.np.example": txt("v=DMARC1; p=none; sp=quarantine; np=reject"),
  "there.np.example": { A: ["192.0.2.9"] },
  "_dmarc.test.example": txt("v=DMARC1; p=reject; t=y"),
  "_dmarc.two.example": { TXT: ["v=DMARC1; p=reject", "v=DMARC1; p=none"] },
  "_dmarc.mixed.example": { TXT: ["other", "v=DMARC1; p=reject"] },
  "_dmarc.case.example": txt("v=DMARC1;p=Reject"),
  "_dmarc.late.example": txt("p=reject; v=DMARC1"),
  "_dmarc.bad.example": txt("v=DMARC1; p=block; rua=mailto:a@bad.example"),
  "_dmarc.nopolicy.example": txt("v=DMARC1; rua=mailto:a@nopolicy.example"),
  "_dmarc.tags.example": txt("v=DMARC1; p=reject; x-new=1; fo=1:d:s;"),
  "_dmarc.sub.plain.example": txt("v=DMARC1; p=reject"),
  "s._domainkey.plain.example": txt(key.record),
  "_dmarc.part.parts.example": txt("v=DMARC1; p=none; psd=n"),
  "_dmarc.parts.example": txt("v=DMARC1; p=reject"),
  "s._domainkey.parts.example": txt(key.record),
};

type OwnCase = readonly [name: string, from: string, signedBy: string | null, expected: Expected];

const ownCases: readonly OwnCase[] = [
  ["finds the policy above in a walk up the tree", "a@x.y.org.example", null, refused],
  ["finds it above more than eight labels", `a@${deep.join(".")}.org.example`, null, refused],
  ["aligns a subdomain's mail with the organization's key", "a@x.y.org.example", "org.example", passed],
  ["aligns the organization's mail with a subdomain's key", "a@org.example", "mail.org.example", passed],
  ["does not align other organizations", "a@org.example", "bank.psd.example", refused],
  ["does not align above a strict record", "a@mail.strict.example", "org.example", quarantined],
  ["asks a public suffix domain for the names below", "a@nowhere.psd.example", null, refused],
  ["does not align what is below a public suffix alone", "a@psd.example", "bank.psd.example", watched],
  ["applies np to names that do not exist", "a@nowhere.np.example", null, refused],
  ["applies sp to names that do", "a@there.np.example", null, quarantined],
  ["takes the next weaker policy of a test", "a@test.example", null, quarantined],
  ["ignores two records", "a@two.example", null, { dmarc: "none" }],
  ["ignores other records beside", "a@mixed.example", null, refused],
  ["reads a policy in any case", "a@case.example", null, refused],
  ["ignores a record that begins otherwise", "a@late.example", null, { dmarc: "none" }],
  ["reads an unknown policy with an address for reports as none", "a@bad.example", null, watched],
  ["reads a missing policy with an address for reports as none", "a@nopolicy.example", null, watched],
  ["ignores unknown tags", "a@tags.example", null, refused],
  [
    "aligns what is above without a record by the suffix list",
    "a@sub.plain.example",
    "plain.example",
    passed,
  ],
  ["ends the walk at an organization of its own", "a@part.parts.example", "parts.example", watched],
];

describe("The DMARC check of a sender (RFC 9989)", () => {
  let dns: DnsStub;
  const judgeWith = (content: Uint8Array, envelope: SenderEnvelope): Promise<Evidence> => {
    const lookUp = createDnsCache(createDnsClient(dns.address), systemClock);
    const options = { host: "receiver.example.com", trustedSealers: [], judgesPrivate: true };
    return judgeSender(content, envelope, options, createMailLookup(lookUp));
  };
  const verdict = ({ authentication: { dmarc }, policy }: Evidence, { policy: asked }: Expected): Expected =>
    asked === undefined ? { dmarc } : { dmarc, policy };

  before(async () => {
    dns = await startDnsStub({ ...collectionZone, ...samplesZone, ...ownZone });
  });
  after(() => dns.close());

  onInputs(["dmarcMails"], ({ areSamples, files }) => {
    for (const [name, file, remoteAddress, sender, expected] of areSamples ? samplesTable : collectionTable)
      it(`${name} (${file})`, async () => {
        const mail = files("dmarcMails").find((one) => one.name.endsWith(`${file}.eml`));
        const content = asSent(mail?.content ?? Buffer.alloc(0));
        expect(content.length).to.be.above(0);
        const evidence = await judgeWith(content, { sender, helo: "mx.example.net", remoteAddress });
        expect(verdict(evidence, expected)).to.deep.equal(expected);
      });
  });

  for (const [name, from, signedBy, expected] of ownCases)
    it(name, async () => {
      const [fields, body] = [[`From: <${from}>`, "Subject: Hello"], "Hello\r\n"];
      const hash = hashBody(canonicalBody(body, "relaxed"));
      const field = `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${signedBy}; s=s; h=from:subject; bh=${hash}; b=`;
      const signature = signedBy === null ? [] : [signSelected(fields, ["from", "subject"], { field, key })];
      const content = Buffer.from([...signature, ...fields, "", body].join("\r\n"));
      const envelope = { sender: "", helo: "mx.example.net", remoteAddress: anyIp } as const;
      expect(verdict(await judgeWith(content, envelope), expected)).to.deep.equal(expected);
    });
});
