import { expect } from "chai";
import { keyRecord, signed } from "../relay/encrypt/signedMail.ts";
import { useSqlite } from "../support/databases.ts";
import type { Zone } from "../support/dnsStub.ts";
import { createZoneClient } from "../support/dnsZone.ts";
import { type RunningListener, startListener } from "../support/listener.ts";
import { addMask, addOwner, type Owner } from "../support/owners.ts";
import { readQueue } from "../support/queue.ts";
import { canonicalBody, hashBody } from "./handMadeSignature.ts";

const silentKeys = Object.fromEntries(
  Array.from({ length: 12 }, (_, n) => [`s${n}._domainkey.silent.example`, "silence" as const]),
);

const zone: Zone = {
  ...silentKeys,
  "bank.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"] },
  "_dmarc.bank.example": { TXT: ["v=DMARC1; p=reject"] },
  "s._domainkey.bank.example": "silence",
  "mail._domainkey.bank.example": { TXT: [keyRecord] },
  "news.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"] },
  "_dmarc.news.example": { TXT: ["v=DMARC1; p=quarantine"] },
  "s._domainkey.news.example": "silence",
  "lax.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"] },
  "_dmarc.lax.example": { TXT: ["v=DMARC1; p=none"] },
  "s._domainkey.lax.example": "silence",
  "_dmarc.mute.example": "silence",
  "attack.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
  "silent.example": "silence",
};

const askDns = createZoneClient(zone);

const signatureOf = (domain: string, selector: string): string =>
  `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=${selector}; h=from:to:subject:date; bh=${hashBody(canonicalBody("", "relaxed"))}; b=AAAA`;

const letter = (from: string, signatures: readonly string[] = []): string =>
  [
    ...signatures,
    `From: ${from}`,
    "To: mask@masks.example",
    "Subject: Your account",
    "Date: Fri, 20 Nov 2026 10:00:00 +0000",
    "Message-ID: <1@attack.example>",
    "",
    "",
  ].join("\r\n");

const bySilent = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => signatureOf("silent.example", `s${n}`));

describe("A mail about whose sender DNS does not answer", () => {
  const { database } = useSqlite();
  let owner: Owner;
  let relay: RunningListener;
  beforeEach(async () => {
    owner = await addOwner(database().db, "self_hosted");
    relay = await startListener(database(), undefined, { askDns, trustedNetworks: [] });
  });
  afterEach(() => relay.close());

  const send = async (
    content: string | Uint8Array,
    {
      sender = "eve@attack.example",
      ...route
    }: { sender?: string; acceptUnproven?: boolean; spamFilter?: boolean } = {},
  ): Promise<string> => {
    const mask = await addMask(database().db, owner, route);
    return (await relay.connect()).mail(sender, [mask.email], content);
  };
  const sendAll = (mails: readonly (string | Uint8Array)[]): Promise<readonly string[]> =>
    Promise.all(mails.map((mail) => send(mail)));

  it("is refused where it is forged and its domain asks for that, whatever silent signatures it carries", async () => {
    const answers = await sendAll([1, 2, 7, 12].map((count) => letter("help@bank.example", bySilent(count))));
    for (const answer of answers) expect(answer).to.match(/^550 5\.7\.1 .*DMARC/);
    expect(await readQueue(database().db)).to.deep.equal([]);
  });

  it("is refused whether the spam filter is on or off, and by a mask only that does not accept such mail", async () => {
    const mail = letter("help@bank.example", bySilent(2));
    expect(await send(mail, { spamFilter: false })).to.match(/^550 5\.7\.1/);
    expect(await send(mail, { spamFilter: true })).to.match(/^550 5\.7\.1/);
    expect(await send(mail, { spamFilter: false, acceptUnproven: true })).to.match(/^250/);
  });

  it("is refused for now where a signature of its own domain may pass later, and that domain has a policy", async () => {
    const [reject, quarantine, none] = await sendAll(
      ["bank.example", "news.example", "lax.example"].map((domain) =>
        letter(`a@${domain}`, [signatureOf(domain, "s")]),
      ),
    );
    expect(reject).to.match(/^451 4\.7\.1 .*try again later/);
    expect(quarantine).to.match(/^451 4\.7\.1/);
    expect(none).to.match(/^250/);
    expect(await readQueue(database().db)).to.have.length(1);
  });

  it("is refused for now where the policy of its domain is not answered", async () => {
    expect(await send(letter("a@mute.example"))).to.match(/^451 4\.7\.1/);
    expect(await send(letter("a@mute.example", bySilent(2)))).to.match(/^451 4\.7\.1/);
    expect(await readQueue(database().db)).to.deep.equal([]);
  });

  it("is forwarded where its own domain has signed it, before or after ten silent signatures", async () => {
    const genuine = (await signed(letter("help@bank.example"), "bank.example")).toString();
    const silent = `${bySilent(12).join("\r\n")}\r\n`;
    const [own = "", rest = ""] = genuine.split(/(?=From: )/);
    const answers = await sendAll([`${silent}${genuine}`, `${own}${silent}${rest}`]);
    for (const answer of answers) expect(answer).to.match(/^250/);
    for (const { content } of await readQueue(database().db))
      expect(content.toString()).to.contain("X-Bauta-Sender: proven");
  });

  it("is accepted from a network that needs no check", async () => {
    const trusting = await startListener(database(), undefined, { askDns });
    const mask = await addMask(database().db, owner);
    const client = await trusting.connect();
    const answer = await client.mail("a@mute.example", [mask.email], letter("a@mute.example"));
    await trusting.close();
    expect(answer).to.match(/^250/);
  });
});
