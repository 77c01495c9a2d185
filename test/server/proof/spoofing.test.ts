import { expect } from "chai";
import PostalMime from "postal-mime";
import { domainOf, mailboxKey } from "../../../core/mail/emailAddress.ts";
import { bystander } from "../support/bystander.ts";
import { useSqlite } from "../support/databases.ts";
import { type DnsStub, startDnsStub, type Zone } from "../support/dnsStub.ts";
import { type RunningListener, startListener } from "../support/listener.ts";
import { addMask, addOwner, type Owner, type TestMask } from "../support/owners.ts";
import { readQueue } from "../support/queue.ts";
import { secrets } from "../support/secrets.ts";
import { canonicalBody, hashBody, makeKey, signSelected } from "./handMadeSignature.ts";

/** The domains that are forged, one for each policy: their mail comes from elsewhere, and is signed. */
const forgedDomains = ["reject.example", "quarantine.example", "none.example"] as const;

const [victimKey, attackKey] = [makeKey(), makeKey()];
const own = { TXT: ["v=spf1 ip4:127.0.0.1 -all"] };
const attackRecord = { TXT: [attackKey.record] };

/** The attacker owns attack.example with everything below it, and sends from 127.0.0.1. */
const zone: Zone = {
  ...Object.fromEntries(
    forgedDomains.flatMap((domain) => [
      [domain, { TXT: ["v=spf1 ip4:192.0.2.1 -all"] }],
      [`_dmarc.${domain}`, { TXT: [`v=DMARC1; p=${domain.replace(".example", "")}`] }],
      [`s._domainkey.${domain}`, { TXT: [victimKey.record] }],
      [`s._domainkey.${domain}.attack.example`, attackRecord],
      [`s._domainkey.${domain}x.attack.example`, attackRecord],
      [`${domain}.attack.example`, own],
    ]),
  ),
  "attack.example": own,
  "mail.attack.example": own,
  "_dmarc.attack.example": { TXT: ["v=DMARC1; p=reject"] },
  "s._domainkey.attack.example": attackRecord,
};

interface Spoof {
  readonly hello?: string;
  readonly sender?: string;
  /** Header fields in place of From. */
  readonly from: readonly string[];
  /** The attacker's signature: d=, s= and the names that it covers. */
  readonly signed?: { readonly d: string; readonly s?: string; readonly h?: readonly string[] };
}

const encodedWord = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;

/** Ways to have a mail of attack.example look as if `victim` had sent it. */
const spoofs = (victim: string): Readonly<Record<string, Spoof>> => {
  const [domain, attacker] = [victim.split("@")[1] ?? "", "eve@attack.example"];
  const from = [`From: <${victim}>`];
  return {
    "the victim in From alone": { from },
    "the victim in From and in the envelope": { sender: victim, from },
    "no envelope sender, and the victim's domain in HELO": { sender: "", hello: domain, from },
    "no envelope sender, and a passing HELO of the attacker": {
      sender: "",
      hello: "mail.attack.example",
      from,
    },
    "a HELO with a comment that opens and never closes": {
      sender: `(any@${domain}`,
      hello: "attack.example",
      from,
    },
    "a subdomain of the victim that does not exist": {
      sender: `any@nowhere.${domain}`,
      from: [`From: <admin@nowhere.${domain}>`],
    },
    "an envelope sender that names the victim before the attacker": {
      sender: `"any@${domain}"@attack.example`,
      from,
    },
    "an envelope sender with a quote and two at signs": { sender: `any@${domain}'@attack.example`, from },
    "an envelope sender with a comment after the victim": { sender: `any@${domain}(.attack.example`, from },
    "an envelope sender with a route": { sender: `@${domain},@attack.example:any@attack.example`, from },
    "a signature of the attacker's domain": { from, signed: { d: "attack.example" } },
    "a signature whose domain opens a comment": { from, signed: { d: `${domain}(.attack.example` } },
    "a signature whose domain has a NUL": { from, signed: { d: `${domain}\0.attack.example` } },
    "a signature whose domain has spaces and a tab": { from, signed: { d: `${domain} \t.attack.example` } },
    "a signature whose selector leads to the attacker": {
      from,
      signed: { d: domain, s: "s._domainkey.attack.example." },
    },
    "a signature whose selector has a NUL": {
      from,
      signed: { d: domain, s: "s._domainkey.attack.example\0.any" },
    },
    "a signature that does not cover From": { from, signed: { d: "attack.example", h: ["subject"] } },
    "two From fields, the victim first": { from: [`From: <${victim}>`, `From: <${attacker}>`] },
    "two From fields, the attacker first": { from: [`From: <${attacker}>`, `From: <${victim}>`] },
    "a second From whose name ends in a space": { from: [`From: <${attacker}>`, `From : <${victim}>`] },
    "a second From whose name is folded": { from: [`From: <${attacker}>`, `From\r\n : <${victim}>`] },
    "a first From after a line that is no field": { from: [` From: <${victim}>`, `From: <${attacker}>`] },
    "two addresses in From": { from: [`From: <${victim}>, <${attacker}>`] },
    "two addresses in From, the attacker first": { from: [`From: <${attacker}>, <${victim}>`] },
    "an escaped comma between two addresses": { from: [`From: <${victim}>\\, <${attacker}>`] },
    "two addresses without a comma": { from: [`From: <${victim}><${attacker}>`] },
    "the victim's address as a name": { from: [`From: "${victim}" <${attacker}>`] },
    "the victim's address as a name with more around it": { from: [`From: "Help ${victim}" <${attacker}>`] },
    "the victim's address as it is shown by us": {
      from: [`From: "Help - ${victim.replace("@", " at ")}" <${attacker}>`],
    },
    "the victim's address as an encoded name": { from: [`From: ${encodedWord(victim)} <${attacker}>`] },
    "the whole From as one encoded word": {
      from: [`From: ${encodedWord(`Help <${victim}>`)} <${attacker}>`],
    },
    "an encoded word with a NUL after the victim": { from: [`From: ${encodedWord(`${victim}\0`)}`] },
    "an encoded address before a real one": {
      from: [`From: ${encodedWord(`<${victim}>`)},<${attacker}>`],
    },
    "a route address": { from: [`From: <@attack.example,@any.example:${victim}>`] },
    "a comment with the attacker's address": { from: [`From: ${victim} (${attacker})`] },
    "a comment inside the address": { from: [`From: <${victim}(.attack.example)>`] },
    "a comment that opens before the attacker": { from: [`From: ${victim}(<${attacker}>`] },
    "a quoted victim as local part": { from: [`From: "${victim}"@attack.example`] },
    "a group with the victim": { from: [`From: Help: ${victim}, ${attacker};`] },
    "a group whose name is the victim": { from: [`From: "${victim}": ${attacker};`] },
    "an address after another in angle brackets": { from: [`From: <${victim}>${attacker}`] },
    "a NUL inside From": { from: [`From: <${victim}\0@attack.example>`] },
    "Sender of the attacker, From of the victim": { from: [`Sender: <${attacker}>`, ...from] },
    "Resent-From of the attacker": { from: [`Resent-From: <${attacker}>`, ...from] },
    "no From, and the victim as Sender": { from: [`Sender: <${victim}>`] },
    "an empty From, and the victim in Reply-To": { from: ["From:", `Reply-To: <${victim}>`] },
    "results that others state in our name": {
      from: [`Authentication-Results: masks.example; dmarc=pass header.from=${domain}`, ...from],
    },
  };
};

const body = "Please sign in again.\r\n";

const compose = ({ from, signed }: Spoof, to: string): string => {
  const fields = [
    ...from,
    `To: <${to}>`,
    "Subject: Your account",
    "Date: Fri, 20 Nov 2026 10:00:00 +0000",
    "Message-ID: <1@attack.example>",
  ];
  const { d = "", s = "s", h = ["from", "to", "subject", "date"] } = signed ?? {};
  const hash = hashBody(canonicalBody(body, "relaxed"));
  const field = `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${d}; s=${s}; h=${h.join(":")}; bh=${hash}; b=`;
  const signature = signed ? [signSelected(fields, h, { field, key: attackKey })] : [];
  return [...signature, ...fields, "", body].join("\r\n");
};

describe("A mail that pretends to come from somebody else", () => {
  const { database } = useSqlite();
  let dns: DnsStub;
  let owner: Owner;
  let mask: TestMask;
  let relay: RunningListener;
  before(async () => {
    dns = await startDnsStub(zone);
  });
  after(() => dns.close());
  beforeEach(async () => {
    owner = await addOwner(database().db, "self_hosted");
    mask = await addMask(database().db, owner);
    relay = await startListener(database(), undefined, {
      dnsServer: dns.address,
      trustedNetworks: [],
      secrets,
      senderLimits: { perMinute: 10_000, perHour: 10_000, dailyShare: 100 },
    });
  });
  afterEach(() => relay.close());

  /** Sends it and returns the reply that decides about it. */
  const attack = async (spoof: Spoof, to: string): Promise<string> => {
    await relay.clock.advance(1);
    const client = await relay.connect(`EHLO ${spoof.hello ?? "mail.attack.example"}`);
    const answer = await client.mail(spoof.sender ?? "eve@attack.example", [to], compose(spoof, to));
    client.destroy();
    return answer;
  };

  /** Sends the genuine thing: signed by the victim's key. */
  const sendGenuine = async (from: string, to: string): Promise<string> => {
    await relay.clock.advance(1);
    const fields = [`From: <${from}>`, "Subject: Your account"];
    const domain = domainOf(from);
    const field = `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=s; h=from:subject; bh=${hashBody(body)}; b=`;
    const signature = signSelected(fields, ["from", "subject"], { field, key: victimKey });
    const client = await relay.connect();
    return client.mail(from, [to], [signature, ...fields, "", body].join("\r\n"));
  };

  const latest = async () => {
    const row = (await readQueue(database().db)).at(-1);
    const { from, headers } = await PostalMime.parse(row?.content ?? "");
    const standing = headers.find(({ key }) => key === "x-bauta-sender")?.value ?? "";
    return { status: row?.status, name: from?.name ?? "", standing };
  };

  for (const domain of forgedDomains)
    it(`never looks proven, where the policy of its domain is ${domain.replace(".example", "")}`, async () => {
      expect(await sendGenuine(`admin@${domain}`, mask.email)).to.match(/^250/);
      expect(await latest()).to.deep.include({ name: `admin at ${domain}`, standing: "proven" });
      const shown: string[] = [];
      const counts = { refused: 0, held: 0, marked: 0, "shown as the attacker": 0 };
      for (const [how, spoof] of Object.entries(spoofs(`admin@${domain}`))) {
        const answer = await attack(spoof, mask.email);
        if (!answer.startsWith("250")) {
          expect(answer, how).to.match(/^5\d\d /);
          counts.refused += 1;
          continue;
        }
        const { status, name } = await latest();
        if (status === "held") counts.held += 1;
        else if (name.startsWith("[unverified]")) counts.marked += 1;
        else if (!name.includes(domain) && name.includes("attack.example"))
          counts["shown as the attacker"] += 1;
        else shown.push(`${how}: ${name}`);
      }
      expect(shown).to.deep.equal([]);
      expect(counts["shown as the attacker"]).to.equal(0);
      expect(counts.refused + counts.held + counts.marked).to.equal(Object.keys(spoofs("")).length);
    });

  for (const domain of forgedDomains)
    it(`is no reply of an owner at a domain with the policy ${domain.replace(".example", "")}`, async () => {
      const email = `${owner.id}@${domain}`;
      await database()
        .db.updateTable("users")
        .where("id", "!=", bystander.id)
        .set({ email, email_key: mailboxKey(email) })
        .execute();
      await database()
        .db.updateTable("destinations")
        .where("user_id", "!=", bystander.id)
        .set({ email, email_key: mailboxKey(email) })
        .execute();
      const mail = ["From: <bob@attack.example>", `To: ${mask.email}`, "Subject: Hello", "", body].join(
        "\r\n",
      );
      const client = await relay.connect();
      expect(await client.mail("bob@attack.example", [mask.email], mail)).to.match(/^250/);
      const [received] = await readQueue(database().db);
      const reverse = (await PostalMime.parse(received?.content ?? "")).from?.address ?? "";
      expect(reverse).to.match(/^re-/);
      const accepted: string[] = [];
      for (const [how, spoof] of Object.entries(spoofs(email)))
        for (const sender of [spoof.sender ?? "eve@attack.example", email]) {
          const answer = await attack({ ...spoof, sender }, reverse);
          if (!/^5\d\d /.test(answer)) accepted.push(`${how} from <${sender}>: ${answer}`);
        }
      expect(accepted).to.deep.equal([]);
      expect(await readQueue(database().db)).to.have.length(1);
      expect(await sendGenuine(email, reverse)).to.match(/^250/);
      expect((await readQueue(database().db)).at(-1)?.recipient).to.equal("bob@attack.example");
    });
});
