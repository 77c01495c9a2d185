import { expect } from "chai";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { isEmailAddress } from "../../../../core/mail/emailAddress.ts";
import { composeSystemMail, type SystemMail } from "../../../../server/delivery/systemMail/systemMail.ts";
import {
  destinationConfirmationMail,
  signInCodeMail,
} from "../../../../server/delivery/systemMail/systemMailTexts.ts";
import { named } from "../../../support/domainNames.ts";

const sender = {
  brand: "Bauta",
  maskDomain: named("masks.example.org"),
  publicUrl: "https://mail.example.org",
};
const at = { now: Date.UTC(2026, 10, 20, 12, 30), random: cryptoRandom };

const composed = async (mail: SystemMail, from = sender): Promise<string> =>
  Buffer.from(await composeSystemMail(from, mail, at)).toString("utf8");

describe("A mail of the service", () => {
  it("has the code in subject, text and HTML, and states how long it is valid and what else to do", async () => {
    const mail = await PostalMime.parse(
      await composed(signInCodeMail(sender, "a@example.net", "004711", 10)),
    );
    expect(mail.subject).to.equal("004711 is your Bauta sign-in code");
    for (const part of [mail.text, mail.html])
      expect(part)
        .to.contain("004711")
        .and.to.contain("expires in 10 minutes")
        .and.to.contain("mail.example.org")
        .and.to.contain("ignore this mail");
    expect(mail.from).to.deep.include({ name: "Bauta", address: "no-reply@masks.example.org" });
    expect(mail.to?.[0]?.address).to.equal("a@example.net");
    expect(Date.parse(mail.date ?? "")).to.equal(at.now);
    expect(mail.messageId).to.match(/^<[\w-]{20}@masks\.example\.org>$/);
  });

  it("asks for consent to forwarding with one link, and loads no external resource", async () => {
    const mail = await PostalMime.parse(
      await composed(destinationConfirmationMail(sender, "a@example.net", "t0ken", 7)),
    );
    const link = "https://mail.example.org/confirm?token=t0ken";
    expect(mail.text).to.contain(link).and.to.contain("7 days").and.to.contain("a@example.net");
    expect(mail.html?.match(/https?:\/\/[^"<]+/g)).to.deep.equal([link]);
    expect(mail.html).not.to.match(/<img|<link|url\(/);
  });

  it("suppresses automatic replies (RFC 3834)", async () => {
    const { headers } = await PostalMime.parse(
      await composed(signInCodeMail(sender, "a@example.net", "004711", 10)),
    );
    const value = (key: string) => headers.find((header) => header.key === key)?.value;
    expect(value("auto-submitted")).to.equal("auto-generated");
    expect(value("x-auto-response-suppress")).to.equal("All");
  });

  it("is readable in mail programs with a dark theme", async () => {
    const { html } = await PostalMime.parse(
      await composed(signInCodeMail(sender, "a@example.net", "004711", 10)),
    );
    expect(html).to.contain("@media (prefers-color-scheme: dark)").and.to.contain('name="color-scheme"');
  });

  it("keeps its lines within the SMTP limit, and allows no line injection by an address or a brand", async () => {
    const local = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,40}$/);
    const address = local.map((text) => `${text}@example.net`).filter(isEmailAddress);
    const brand = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(address, brand, async (to, name) => {
        const text = await composed(signInCodeMail({ ...sender, brand: name }, to, "004711", 10), {
          ...sender,
          brand: name,
        });
        expect(text).to.match(/\r\n$/);
        const lines = text.split("\r\n");
        for (const line of lines) {
          expect(Buffer.byteLength(line)).to.be.at.most(998);
          expect(line).not.to.match(/[\r\n]/);
        }
        const names = lines.slice(0, lines.indexOf("")).flatMap((line) => /^([\w-]+):/.exec(line)?.[1] ?? []);
        expect(names).to.have.members([
          "Auto-Submitted",
          "X-Auto-Response-Suppress",
          "From",
          "To",
          "Subject",
          "Message-ID",
          "Date",
          "MIME-Version",
          "Content-Type",
        ]);
        expect((await PostalMime.parse(text)).to?.[0]?.address).to.equal(to);
      }),
      { numRuns: 60 },
    );
  });
});

describe("The mask domain", () => {});
