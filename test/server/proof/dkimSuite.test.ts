import { expect } from "chai";
import { systemClock } from "../../../adapters/system/clockAndRandom.ts";
import { createDnsCache, createMailLookup } from "../../../server/platform/dns/dnsCache.ts";
import { createDnsClient } from "../../../server/platform/dns/dnsClient.ts";
import type { Verdict } from "../../../server/proof/evidence.ts";
import { judgeSender } from "../../../server/proof/judgeSender.ts";
import { type DnsStub, startDnsStub, type Zone } from "../support/dnsStub.ts";
import { canonicalBody, hashBody, type MadeKey, makeKey, signSelected } from "./handMadeSignature.ts";

const [usual, rsa512, rsa768, rsa1024, edwards] = [
  makeKey(),
  makeKey(512),
  makeKey(768),
  makeKey(1_024),
  makeKey("ed25519"),
];
const bytesOf = ({ record }: MadeKey): string => record.slice(record.indexOf("p=") + 2);

interface Recipe {
  /** Tags in place of the usual ones, null without them; added at the end when they are others. */
  readonly tags?: Readonly<Record<string, string | null>>;
  readonly key?: MadeKey;
  /** Null when the name does not exist. */
  readonly record?: string | "SERVFAIL" | "silence" | null;
  readonly fields?: readonly string[];
  readonly body?: string;
  /** What happens to the signed mail on its way. */
  readonly changed?: (mail: string) => string;
}

type Case = readonly [name: string, expected: Verdict, recipe: Recipe];

const usualFields = [
  "From: Joe SixPack <joe@shop.example>",
  "To: Suzie Q <suzie@masks.example>",
  "Subject: Is dinner   ready?",
  "Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)",
  "Message-ID: <20030712040037.46341@shop.example>",
];
const usualBody = "Hi.\r\n\r\nWe lost the  game. \r\nAre you hungry yet?\r\n\r\nJoe.\r\n";

const form = (text: string | undefined): "simple" | "relaxed" => (text === "relaxed" ? "relaxed" : "simple");

const makeMail = (selector: string, recipe: Recipe): string => {
  const { tags = {}, key = usual, fields = usualFields, body = usualBody, changed = (mail) => mail } = recipe;
  const { c = "relaxed/relaxed", a = "rsa-sha256", h = "from:to:subject:date:message-id" } = tags;
  const [header, text] = (c ?? "").trim().split("/");
  const hash = a?.endsWith("sha1") ? "sha1" : "sha256";
  const all = {
    v: "1",
    a,
    c,
    d: "shop.example",
    s: selector,
    h,
    bh: hashBody(canonicalBody(body, form(text)), hash),
    ...tags,
    b: "",
  };
  const list = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
  const field = `DKIM-Signature: ${list.join("; ")}`;
  const signed = signSelected(fields, (h ?? "").split(":"), { field, key, hash, form: form(header?.trim()) });
  return changed([signed, ...fields, "", body].join("\r\n"));
};

const replace = (text: string, replacement: string) => (mail: string) => {
  expect(mail).to.contain(text);
  return mail.replace(text, () => replacement);
};

const seconds = (offset: number): string => String(Math.floor(Date.now() / 1_000) + offset);
const pass = (name: string, recipe: Recipe): Case => [name, "pass", recipe];
const tagged = (name: string, expected: Verdict, tags: Recipe["tags"]): Case => [
  name,
  expected,
  { tags: tags ?? {} },
];
const keyed = (name: string, expected: Verdict, record: Recipe["record"]): Case => [
  name,
  expected,
  { record: record ?? null },
];

const signatures: readonly Case[] = [
  ...["simple/simple", "simple/relaxed", "relaxed/simple", "relaxed/relaxed", "relaxed", "simple"].map((c) =>
    tagged(`c=${c}`, "pass", { c }),
  ),
  tagged("no c=", "pass", { c: null }),
  tagged("tags that nobody knows", "pass", { x1: "extra", z: "From:joe@shop.example" }),
  tagged("a domain in capital letters", "pass", { d: "SHOP.Example" }),
  tagged("an identity at the domain", "pass", { i: "joe@shop.example" }),
  tagged("an identity at a subdomain", "pass", { i: "joe@mail.shop.example" }),
  tagged("an identity without a name", "pass", { i: "@shop.example" }),
  tagged("a quoted-printable identity", "pass", { i: "=6A=6F=65@shop.example" }),
  tagged("a quoted-printable identity with equals signs", "pass", { i: "joe=3Dother@shop.example" }),
  tagged("a quoted-printable identity that is folded", "pass", { i: "joe=\r\n 2Eother@shop.example" }),
  tagged("white space around tags", "pass", { c: " relaxed/relaxed ", q: " dns/txt " }),
  tagged("q=dns/txt", "pass", { q: "dns/txt" }),
  tagged("a time and an expiry to come", "pass", { t: seconds(-60), x: seconds(3_600) }),
  tagged("fields that are missing", "pass", { h: "from:to:subject:date:cc:reply-to" }),
  tagged("fields that none may be added to", "pass", { h: "from:from:to:subject:subject:date" }),
  pass("a body without lines, in simple form", { body: "", tags: { c: "simple/simple" } }),
  pass("a body without lines, in relaxed form", { body: "" }),
  pass("a body of empty lines", { body: "\r\n\r\n\r\n" }),
  pass("a body that does not end its last line", { body: "Hi." }),
  pass("a field that is folded on the way", { changed: replace("Suzie Q <", "Suzie Q\r\n\t<") }),
  pass("spaces at line ends that come on the way", { changed: replace("yet?\r\n", "yet? \r\n") }),
  pass("empty lines at the end that come on the way", { changed: (mail) => `${mail}\r\n\r\n` }),
  pass("an unsigned field that comes on the way", { changed: (mail) => `X-Scanned: yes\r\n${mail}` }),
  pass("a broken signature before it and one after", {
    changed: (mail) => {
      const [field = ""] = mail.split(/\r\n(?![ \t])/);
      return `${field.replace("v=1", "v=5")}\r\n${mail.replace("\r\nTo:", `\r\n${field.replace("bh=", "bh=A")}\r\nTo:`)}`;
    },
  }),
  ["a changed body", "fail", { changed: replace("lost", "won") }],
  ["a changed signed field", "fail", { changed: replace("dinner", "supper") }],
  ["a signature of another key", "fail", { key: makeKey(), record: usual.record }],
  ["a signature that is cut", "fail", { changed: (mail) => mail.replace(/(; b=.{20}).{8}/, "$1") }],
  ["a signature that is no base64", "fail", { changed: (mail) => mail.replace(/; b=[^\r]*/, "; b=!?") }],
  [
    "a field added to a signed one",
    "fail",
    { changed: replace("Date:", "Date: Sat\r\nDate:"), tags: { h: "from:date:date" } },
  ],
  [
    "a field whose spaces change, in simple form",
    "fail",
    { changed: replace("dinner   r", "dinner r"), tags: { c: "simple/simple" } },
  ],
  tagged("a signed length, even of the whole body", "policy", {
    l: String(canonicalBody(usualBody, "relaxed").length),
  }),
  tagged("a subject that is not signed", "policy", { h: "from:to:date" }),
  tagged("a date that is not signed", "policy", { h: "from:to:subject" }),
  tagged("v=5", "neutral", { v: "5" }),
  tagged("no v=", "neutral", { v: null }),
  tagged("a=rsa-md5", "neutral", { a: "rsa-md5" }),
  tagged("a=dsa-sha256", "neutral", { a: "dsa-sha256" }),
  tagged("c=future", "neutral", { c: "future" }),
  tagged("no d=", "neutral", { d: null }),
  tagged("no s=", "neutral", { s: null }),
  tagged("no h=", "neutral", { h: null }),
  tagged("an h= without From", "neutral", { h: "to:subject" }),
  tagged("q=http", "neutral", { q: "http" }),
  tagged("q=dns/special", "neutral", { q: "dns/special" }),
  tagged("an expiry in the past", "neutral", { t: seconds(-7_200), x: seconds(-3_600) }),
  tagged("an expiry before its time", "neutral", { t: seconds(-60), x: seconds(-120) }),
  tagged("an identity at another domain", "neutral", { i: "joe@other.example" }),
  tagged("a domain with only the end of the identity", "neutral", { i: "joe@myshop.example" }),
];

const keys: readonly Case[] = [
  keyed("a key for mail", "pass", `v=DKIM1; t=y; s=email; p=${bytesOf(usual)}`),
  keyed(
    "a key with more tags",
    "pass",
    `v=DKIM1; s=email:web:fine; x1 = extra ; t = y:n:extra; h=sha256:sha1; p=${bytesOf(usual)} ;`,
  ),
  keyed("a key with the obsolete g=", "pass", `v=DKIM1; g=jl*g; p=${bytesOf(usual)}`),
  keyed("a key without v=", "pass", `k=rsa; p=${bytesOf(usual)}`),
  keyed("a key for any service", "pass", `v=DKIM1; s=*; n=a%20note; p=${bytesOf(usual)}`),
  keyed("a key that does not exist", "neutral", null),
  keyed("a revoked key", "neutral", "v=DKIM1; k=rsa; p="),
  keyed("a key of version 3", "neutral", `v=DKIM3; p=${bytesOf(usual)}`),
  keyed("a key whose version comes late", "neutral", `p=${bytesOf(usual)}; v=DKIM1`),
  keyed("a key that is no key", "neutral", "v=DKIM1; k=rsa; p=MFwwDQYJ"),
  keyed("a key of an unknown kind", "neutral", `k=foobar; t=y; p=${bytesOf(usual)}`),
  keyed("a key for another service", "neutral", `v=DKIM1; s=chat; p=${bytesOf(usual)}`),
  keyed("a key for unknown hashes", "neutral", `v=DKIM1; h=bad; p=${bytesOf(usual)}`),
  keyed("a key for another hash", "neutral", `v=DKIM1; h=sha1; p=${bytesOf(usual)}`),
  [
    "a key for its very domain, and an identity below it",
    "neutral",
    { record: `v=DKIM1; t=s; p=${bytesOf(usual)}`, tags: { i: "joe@mail.shop.example" } },
  ],
  keyed("a name server that fails", "temperror", "SERVFAIL"),
  keyed("a key of another kind than the signature", "neutral", edwards.record),
  ["an Ed25519 key", "pass", { key: edwards, tags: { a: "ed25519-sha256" } }],
  [
    "an Ed25519 key of a wrong length",
    "neutral",
    { key: edwards, tags: { a: "ed25519-sha256" }, record: `v=DKIM1; k=ed25519; p=${bytesOf(usual)}` },
  ],
  [
    "a field changed under Ed25519",
    "fail",
    { key: edwards, tags: { a: "ed25519-sha256" }, changed: replace("dinner", "supper") },
  ],
  [
    "a body changed under Ed25519",
    "fail",
    { key: edwards, tags: { a: "ed25519-sha256" }, changed: replace("lost", "won") },
  ],
  ["an RSA key of 1,024 bits", "pass", { key: rsa1024 }],
  ["an RSA key of 768 bits (RFC 8301)", "policy", { key: rsa768 }],
  ["an RSA key of 512 bits (RFC 8301)", "policy", { key: rsa512 }],
  tagged("SHA-1 (RFC 8301)", "policy", { a: "rsa-sha1" }),
  ["SHA-1 and an RSA key of 512 bits (RFC 8301)", "policy", { key: rsa512, tags: { a: "rsa-sha1" } }],
];

/** DomainKeys (RFC 4870) is historic: such a signature is none. */
const domainKeys: readonly Case[] = [
  "a=rsa-sha1; q=dns; c=nofws; s=s; d=shop.example; h=from:to:subject; b=AAAA",
  "a=rsa-sha1; q=dns; c=simple; s=s; d=shop.example; b=AAAA",
  "a=rsa-sha1; c=nofws; s=s; d=SHOP.example; b=AAAA",
  "a=rsa-sha1; q=; c=nofws; s=s; d=other.example; b=AAAA",
].map((value, n) => [
  `a signature of DomainKeys (${n + 1})`,
  "none",
  { changed: (mail) => mail.replace(/^DKIM-Signature: [^\r]*/, () => `DomainKey-Signature: ${value}`) },
]);

describe("The DKIM check of a mail (RFC 6376, 8301, 8463)", () => {
  const cases = [...signatures, ...keys, ...domainKeys];
  let dns: DnsStub;
  before(async () => {
    const zone = cases.map(([, , { key = usual, record = key.record }], n): [string, Zone[string]] => [
      `s${n}._domainkey.shop.example`,
      record === "SERVFAIL" || record === "silence" ? record : { TXT: record === null ? [] : [record] },
    ]);
    dns = await startDnsStub(Object.fromEntries(zone));
  });
  after(() => dns.close());

  for (const [n, [name, expected, recipe]] of cases.entries())
    it(`says ${expected} to ${name}`, async () => {
      const { authentication } = await judgeSender(
        Buffer.from(makeMail(`s${n}`, recipe), "latin1"),
        { sender: "joe@shop.example", helo: "mx.shop.example", remoteAddress: "192.0.2.1" },
        { host: "receiver.example.com", trustedSealers: [], judgesPrivate: true },
        createMailLookup(createDnsCache(createDnsClient(dns.address), systemClock)),
      );
      expect(authentication.dkim).to.equal(expected);
    });
});
