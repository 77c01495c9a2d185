import { createPrivateKey } from "node:crypto";
import { expect } from "chai";
import fc from "fast-check";
import { cryptoRandom, systemClock } from "../../../adapters/system/clockAndRandom.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import { createDnsCache, createMailLookup } from "../../../server/platform/dns/dnsCache.ts";
import { createDnsClient } from "../../../server/platform/dns/dnsClient.ts";
import { createSeal } from "../../../server/platform/ops/secrets.ts";
import { generateRsaKey } from "../../../server/proof/dkimKeys.ts";
import { DkimKeys } from "../../../server/proof/dkimRotation.ts";
import { judgeSender } from "../../../server/proof/judgeSender.ts";
import { createSignMail, type SignMail } from "../../../server/proof/signMail.ts";
import { skipWithout } from "../../support/missing.ts";
import { keyRecord, signed } from "../relay/encrypt/signedMail.ts";
import { onEachDatabase } from "../support/databases.ts";
import { type DnsStub, startDnsStub } from "../support/dnsStub.ts";
import { peerVerifiers } from "../support/peerVerifiers.ts";

const domain = "masks.example";
const sealing = new Uint8Array(32).fill(7);

const letter = (body: string, more: readonly string[] = []): string =>
  [
    ...more,
    `From: "Shop - orders at shop.example"`,
    ` <mask@${domain}>`,
    "To: mask@masks.example",
    "Subject:   Your   order ",
    "Date: Fri, 20 Nov 2026 10:00:00 +0000",
    "Message-ID: <1@shop.example>",
    "",
    body,
  ].join("\r\n");

const proven = `Authentication-Results: ${domain};\r\n spf=pass smtp.mailfrom=shop.example;\r\n dmarc=pass (p=reject) header.from=shop.example`;

describe("Outgoing mail", () => {
  onEachDatabase(({ database }) => {
    let dns: DnsStub;
    let keys: DkimKeys;
    let sign: SignMail;
    let now: number;

    const publish = async (): Promise<void> => {
      dns.zone = {
        ...dns.zone,
        ...Object.fromEntries(
          (await keys.list()).map(({ record }) => [record.name, { TXT: [record.value] }]),
        ),
      };
    };
    beforeEach(async () => {
      now = Date.now();
      const clock = { now: () => now };
      dns = await startDnsStub({ "mail._domainkey.shop.example": { TXT: [keyRecord] } });
      keys = new DkimKeys({ database: database(), seal: createSeal(sealing, cryptoRandom), clock, domain });
      await keys.ensure();
      await publish();
      sign = createSignMail({ domain, activeKeys: keys.active, clock });
    });
    afterEach(() => dns.close());

    const judge = (content: Buffer) =>
      judgeSender(
        content,
        { sender: `bounces@${domain}`, helo: "mx.masks.example", remoteAddress: "192.0.2.1" },
        { host: "provider.example", trustedSealers: [domain], judgesPrivate: true },
        createMailLookup(createDnsCache(createDnsClient(dns.address), systemClock)),
      );
    /** Signs a mail that arrives in chunks of any length. */
    const send = async (mail: string | Buffer): Promise<Buffer> => {
      const content = Buffer.from(mail);
      const pieces = Array.from({ length: Math.ceil(content.length / 7) }, (_, n) =>
        content.subarray(7 * n, 7 * n + 7),
      );
      return Buffer.concat([Buffer.from(await sign(pieces)), content]);
    };

    it("carries two DKIM signatures of its From, RSA and Ed25519, which both verify", async () => {
      const mail = await send(letter("Hello\r\n"));
      const { authentication, alignedBy, results } = await judge(mail);
      expect(authentication.dkim).to.equal("pass");
      expect(alignedBy).to.deep.equal(["dkim"]);
      expect(results.match(/dkim=pass/g)).to.have.length(2);
      expect(results)
        .to.match(/header\.a=rsa-sha256/)
        .and.to.match(/header\.a=ed25519-sha256/);
      for (const line of mail.toString().split("\r\n")) expect(line.length).to.be.at.most(120);
    });

    it("verifies for any header and body", async () => {
      const text = fc.stringMatching(/^[ -~\t]{0,120}$/);
      await fc.assert(
        fc.asyncProperty(fc.array(text, { maxLength: 6 }), text, async (lines, subject) => {
          const mail = letter(lines.join("\r\n"), [
            `X-Odd: ${subject}`,
            `References: <a@b>\r\n\t${subject} <c@d>`,
          ]);
          expect((await judge(await send(mail))).authentication.dkim).to.equal("pass");
        }),
        { numRuns: 20 },
      );
    });

    it("does not verify when a signed field is added or the text is changed", async () => {
      const mail = (await send(letter("Hello\r\n"))).toString();
      for (const changed of [
        mail.replace("Hello", "Howdy"),
        mail.replace("Subject:", "Subject: Other\r\nSubject:"),
        mail.replace("Your   order", "My order"),
        mail.replace("To: mask", "Reply-To: thief@evil.example\r\nTo: mask"),
      ]) {
        expect(changed).not.to.equal(mail);
        expect((await judge(Buffer.from(changed))).authentication.dkim).to.equal("fail");
      }
    });

    it("has an ARC seal where its sender was authenticated, and none otherwise", async () => {
      const sealed = await judge(await send(letter("Hello\r\n", [proven])));
      expect(sealed.authentication.arc).to.equal("pass");
      expect(sealed.alignedBy).to.include("arc");
      for (const results of [proven.replaceAll("=pass", "=fail"), proven.replaceAll(domain, "other.example")])
        expect((await judge(await send(letter("Hello\r\n", [results])))).authentication.arc).to.equal("none");
    });

    it("continues the chain of ARC seals that a mail arrived with", async () => {
      const first = await send(letter("Hello\r\n", [proven]));
      const second = await send(
        `${proven}\r\n${first.toString()}`.replace(";\r\n spf", ";\r\n arc=pass;\r\n spf"),
      );
      const third = await send(
        `${proven.replace(";\r\n spf", ";\r\n arc=pass;\r\n spf")}\r\n${second.toString()}`,
      );
      expect(third.toString().match(/^ARC-Seal: i=\d/gm)).to.deep.equal([
        "ARC-Seal: i=3",
        "ARC-Seal: i=2",
        "ARC-Seal: i=1",
      ]);
      expect((await judge(third)).authentication.arc).to.equal("pass");
      const broken = third
        .toString()
        .replace(
          "ARC-Authentication-Results: i=1; masks.example",
          "ARC-Authentication-Results: i=1; masks.exampl",
        );
      expect((await judge(Buffer.from(broken))).authentication.arc).to.equal("fail");
    });

    it("keeps the author's own signature valid", async () => {
      const original = await signed("From: a@shop.example\r\nSubject: x\r\n\r\nHello\r\n", "shop.example");
      expect((await judge(await send(original))).results).to.match(/dkim=pass header\.d=shop\.example/);
    });

    it("is signed with the next keys after a rotation, while the old ones still verify", async () => {
      const before = await send(letter("Hello\r\n"));
      const prepared = await keys.prepareRotation();
      expect(prepared.map(({ state, algorithm }) => [state, algorithm])).to.have.deep.members([
        ["next", "rsa-sha256"],
        ["next", "ed25519-sha256"],
      ]);
      expect(await keys.prepareRotation()).to.deep.equal(prepared);
      await publish();
      const active = await keys.activateRotation();
      expect(active.map(({ selector }) => selector)).to.have.members(
        prepared.map(({ selector }) => selector),
      );
      expect(await keys.activateRotation()).to.deep.equal([]);
      const after = await send(letter("Hello\r\n"));
      expect(after.toString()).to.contain(`s=${active[0]?.selector};`);
      expect((await judge(before)).authentication.dkim).to.equal("pass");
      expect((await judge(after)).authentication.dkim).to.equal("pass");
      now += 7 * dayMs;
      expect(await keys.prune()).to.deep.equal([]);
      now += 1;
      expect(await keys.prune()).to.have.length(2);
      expect((await keys.list()).map(({ state }) => state)).to.deep.equal(["active", "active"]);
    });

    it("uses keys that a copy of the database does not reveal, and one pair for several processes", async () => {
      const clock = { now: () => now };
      const others = [1, 2].map(
        () => new DkimKeys({ database: database(), seal: createSeal(sealing, cryptoRandom), clock, domain }),
      );
      await Promise.all(others.map((other) => other.ensure()));
      const rows = await database().db.selectFrom("dkim_keys").selectAll().execute();
      expect(rows).to.have.length(2);
      expect(JSON.stringify(rows)).not.to.match(/PRIVATE KEY/);
    });

    it("is signed by the domain in its From where that has a key, and by the installation otherwise", async () => {
      const { privateKey, publicKey } = await generateRsaKey();
      const own = {
        selector: "bauta",
        algorithm: "rsa-sha256",
        privateKey: createPrivateKey(privateKey),
        domain: "own.example",
      } as const;
      dns.zone = {
        ...dns.zone,
        "bauta._domainkey.own.example": { TXT: [`v=DKIM1; k=rsa; p=${publicKey}`] },
      };
      const clock = { now: () => now };
      sign = createSignMail({ domain, activeKeys: async () => [...(await keys.active()), own], clock });
      const signers = (mail: Buffer): readonly (string | undefined)[] =>
        [...mail.toString().matchAll(/^DKIM-Signature:[\s\S]*?\bd=([\w.-]+)/gim)].map(([, signer]) => signer);
      const fromOwn = await send(letter("Hello\r\n").replace(`<mask@${domain}>`, "<shop@Own.example>"));
      expect(signers(fromOwn)).to.deep.equal(["own.example"]);
      const { authentication } = await judge(fromOwn);
      expect(authentication.dkim).to.equal("pass");
      const others = [`<mask@sub.own.example>`, `<mask@${domain}>`, `<mask@own.example.evil.example>`];
      for (const from of others)
        expect(signers(await send(letter("Hello\r\n").replace(`<mask@${domain}>`, from)))).to.deep.equal([
          domain,
          domain,
        ]);
    });

    it("is signed by the domain in its From for the account alone that has proven it", async () => {
      const { privateKey } = await generateRsaKey();
      const own = {
        selector: "bauta",
        algorithm: "rsa-sha256",
        privateKey: createPrivateKey(privateKey),
        domain: "own.example",
        userId: "owner",
      } as const;
      const clock = { now: () => now };
      const signOf = createSignMail({
        domain,
        activeKeys: async () => [...(await keys.active()), own],
        clock,
      });
      const mail = letter("Hello\r\n").replace(`<mask@${domain}>`, "<shop@own.example>");
      const signers = async (userId?: string | null): Promise<readonly (string | undefined)[]> =>
        [
          ...(await signOf([Buffer.from(mail)], userId)).matchAll(/^DKIM-Signature:[\s\S]*?\bd=([\w.-]+)/gim),
        ].map(([, signer]) => signer);
      expect(await signers("owner")).to.deep.equal(["own.example"]);
      for (const other of ["other", null, undefined])
        expect(await signers(other)).to.deep.equal([domain, domain]);
    });

    for (const { name, isInstalled, verify } of peerVerifiers)
      it(`verifies in ${name}`, async function () {
        if (!isInstalled()) skipWithout(this, name);
        const mail = await send(letter("Hello\r\n", [proven]));
        const records = Object.fromEntries(
          (await keys.list()).map(({ record }) => [record.name, record.value]),
        );
        const { dkim, arc } = verify(mail, records);
        expect(new Set(dkim)).to.deep.equal(new Set(["pass"]));
        expect(arc).to.be.oneOf(["pass", null]);
        const changed = verify(
          Buffer.from(mail.toString("latin1").replace("Hello", "Howdy"), "latin1"),
          records,
        );
        expect(changed.dkim).not.to.include("pass");
        expect(changed.arc).not.to.equal("pass");
      });
  });
});
