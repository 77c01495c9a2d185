import { createHash } from "node:crypto";
import { expect } from "chai";
import { cryptoRandom } from "../../../../../adapters/system/clockAndRandom.ts";
import { findDefaultSignatures } from "../../../../../server/features/replies/rewrite/defaultSignatures.ts";
import { findOwnerHosts, findOwnerNames } from "../../../../../server/features/replies/rewrite/ownerMarks.ts";
import { readReplyParts } from "../../../../../server/features/replies/rewrite/replyParts.ts";
import { writeReply } from "../../../../../server/features/replies/rewrite/writeReply.ts";
import { createThreadIds } from "../../../../../server/features/replies/threadIds.ts";
import { readHeaderBlock } from "../../../../../server/mime/headerBlock.ts";
import { decodeQuotedPrintable } from "../../../../../server/mime/quotedPrintable.ts";

const maskEmail = "shop-1@masks.example";
const owner = "Alice.Wonder+shops@home.example";
const maskDomain = "masks.example";
const ids = createThreadIds(new Uint8Array(32).fill(1), maskDomain)("u1");

/** Returns the text of a reply as it leaves. */
const send = (fields: readonly string[], body: string) => {
  const lines = [
    `From: Alice Wonder <${owner}>`,
    "Received: from mx3.provider-of-alice.example (mx3.provider-of-alice.example [192.0.2.7]) by mail.home.example",
    "MIME-Version: 1.0",
    ...fields,
    "",
    body,
    "",
  ];
  const content = Buffer.from(lines.join("\r\n"));
  const header = readHeaderBlock(content);
  if (!header) throw new Error("no header");
  const mail = { content, header };
  const { head, pieces, isShortened } = writeReply(mail, readReplyParts(mail), {
    maskEmail,
    description: "",
    maskDomain,
    ownerAddresses: [owner],
    ownerNames: findOwnerNames(mail, [owner]),
    ownerHosts: findOwnerHosts(mail, [owner]),
    correspondents: new Map(),
    to: [{ name: "Bob", address: "bob@shop.example" }],
    cc: [],
    ids,
    random: cryptoRandom,
    now: 0,
  });
  const text = Buffer.from(decodeQuotedPrintable(Buffer.concat([head, ...pieces])), "latin1").toString(
    "utf8",
  );
  return { text, isShortened };
};
const sendHtml = (html: string): string => send(["Content-Type: text/html; charset=utf-8"], html).text;
const digest = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest("hex");

describe("A small trace of the owner in a reply", () => {
  const spellings = [owner, owner.toLowerCase(), "alice.wonder@home.example"];
  const links: readonly ((hash: string) => string)[] = [
    (hash) => `<img src="https://www.gravatar.com/avatar/${hash}?s=80" width="80" height="80">`,
    (hash) => `<a href="https://seccdn.libravatar.org/avatar/${hash}">me</a>`,
    (hash) => `<a href="https://login.example/?u=%${hash.slice(0, 0)}20${hash}&amp;x=1">me</a>`,
    (hash) => `<p>https://www.gravatar.com/${hash.toUpperCase()}</p>`,
  ];
  for (const algorithm of ["md5", "sha1", "sha256", "sha512"])
    it(`in a digest of the address becomes that of the mask (${algorithm})`, () => {
      for (const spelling of spellings)
        for (const link of links) {
          const text = sendHtml(link(digest(algorithm, spelling)));
          expect(text.toLowerCase()).to.contain(digest(algorithm, maskEmail));
          expect(text.toLowerCase()).not.to.contain(digest(algorithm, spelling));
        }
    });

  it("in an address in hexadecimal digits becomes that of the mask", () => {
    for (const spelling of spellings) {
      const hex = Buffer.from(spelling).toString("hex");
      const text = sendHtml(`<a href="https://t.example/c/${hex}">x</a> 00${hex}ff`);
      expect(text).not.to.contain(hex);
      expect(text).to.contain(Buffer.from(maskEmail).toString("hex"));
    }
  });

  it("is no other digest, which stays", () => {
    const other = digest("md5", "bob@shop.example");
    expect(sendHtml(`<a href="https://www.gravatar.com/avatar/${other}">Bob</a>`)).to.contain(other);
  });

  it("in a link to the program that the owner writes with is left out, and its text stays", () => {
    for (const link of [
      "https://webmail.home.example/?_task=mail&amp;_uid=7",
      "https://mail.home.example/owa/#path=/mail",
      "https://mx3.provider-of-alice.example/msg/1",
      "https://www.provider-of-alice.example/roundcube/?_task=mail",
      "https://home.example/SOGo/so/alice/Mail/view",
    ]) {
      const text = sendHtml(`<p>See <a href="${link}">the letter</a>. <img src="${link}" alt="pic"></p>`);
      expect(text).to.contain("the letter");
      expect(text, link).not.to.match(/home\.example|provider-of-alice/);
    }
    expect(sendHtml('<a href="https://www.home.example/about">us</a>')).to.contain(
      "https://www.home.example/about",
    );
    expect(sendHtml('<a href="https://webmail.shop.example/">yours</a>')).to.contain(
      "https://webmail.shop.example/",
    );
  });

  const attachment = (type: string, name: string, content: string) =>
    send(
      ['Content-Type: multipart/mixed; boundary="b"'],
      [
        "--b",
        "",
        "Yes.",
        "--b",
        `Content-Type: ${type}`,
        `Content-Disposition: attachment; filename="${name}"`,
        "",
        content,
        "--b--",
      ].join("\r\n"),
    );

  it("in a card of any type is left out, and the owner is told", () => {
    const vcard = "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Alice Wonder\r\nEND:VCARD";
    for (const [type, name, content] of [
      ["text/x-vcard", "a.vcf", vcard],
      ["application/x-vcard", "a.vcf", vcard],
      ["text/plain", "a.txt", vcard],
      ["text/directory; profile=vCard", "a", vcard],
      ["application/octet-stream", "a.bin", vcard],
      ["application/vcard+json", "a.json", '["vcard",[["fn",{},"text","Alice Wonder"]]]'],
      ["application/json", "a.json", '[ "vcard",[["fn",{},"text","Alice Wonder"]]]'],
      [
        "application/xml",
        "a.xml",
        '<?xml version="1.0"?>\r\n<vcards xmlns="urn:ietf:params:xml:ns:vcard-4.0">Alice Wonder</vcards>',
      ],
      ["text/x-mecard", "a.txt", "MECARD:N:Wonder,Alice;;"],
      ["text/ldif", "a.ldif", "dn: cn=Alice Wonder,mail=x\r\ncn: Alice Wonder"],
      ["text/directory", "a.ldif", "version: 1\r\ndn:: Y249QWxpY2U=\r\ncn: Alice Wonder"],
    ] as const) {
      const { text, isShortened } = attachment(type, name, content);
      expect(text, type).not.to.match(/Alice|Wonder/);
      expect(isShortened, type).to.equal(true);
    }
  });

  it("in a file of several mails is left out of their headers, and their texts stay", () => {
    const mbox = [
      "From alice.wonder@home.example Fri Nov 20 10:00:00 2026",
      `From: Alice Wonder <${owner}>`,
      "Received: from laptop-of-alice (mail.home.example)",
      "X-Mailer: Aliceware",
      "Subject: One",
      "",
      "Text one.",
      ">From here on",
      "",
      "From bob@shop.example Fri Nov 20 11:00:00 2026",
      "From: Bob <bob@shop.example>",
      `To: "Wonder, Alice" <${owner}>`,
      "Subject: Two",
      "",
      "Text two.",
    ].join("\r\n");
    for (const type of [
      "application/mbox",
      "application/x-mbox",
      "text/x-mbox",
      "application/octet-stream",
    ]) {
      const { text } = attachment(type, "letters.mbox", mbox);
      expect(text, type).not.to.match(/alice|wonder|home\.example/i);
      expect(text, type)
        .to.contain("Text one.")
        .and.contain("\r\nFrom here on")
        .and.contain("Text two.")
        .and.contain("Subject: Two");
    }
  });

  it("in the default signature of a program is left out, in the languages that it has", () => {
    for (const line of [
      "Mit Proton Mail gesendet.",
      "Mit sicherer E-Mail von Proton Mail gesendet",
      "Gesendet mit Proton Mail, sichere E-Mail.",
      "Gesendet mit der sicheren E-Mail von Proton Mail.",
      "Enviado con Proton Mail.",
      "Enviado con el correo electrónico seguro de Proton Mail.",
      "Enviado con Proton Mail correo seguro",
      "Envoyé de mon appareil Android avec Courriel K-9 Mail. Veuillez excuser ma brièveté.",
      "Envoyé de mon appareil Android avec K-9 Mail. Excusez ma brièveté.",
      "Von meinem Samsung Galaxy Smartphone gesendet.",
      "Gesendet von meinem Samsung Gerät",
      "Von meinem/meiner Galaxy gesendet",
      "Von meinem Samsung-Gerät aus gesendet",
      "Von Samsung-Tablet gesendet",
      "Gesendet von Samsung Mobile",
    ])
      expect([...findDefaultSignatures([line])], line).to.deep.equal([0]);
    for (const line of [
      "Ich habe es mit Proton Mail gesendet, kam es an?",
      "Das Samsung Gerät wurde heute gesendet.",
      "Enviado el correo a Samsung ayer",
    ])
      expect([...findDefaultSignatures([line])], line).to.deep.equal([]);
  });
});
