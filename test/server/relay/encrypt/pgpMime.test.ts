import { expect } from "chai";
import { decrypt, generateKey, type PrivateKey, readMessage, readPrivateKey } from "openpgp";
import PostalMime from "postal-mime";
import { useFakeTimers } from "sinon";
import { encryptToKey } from "../../../../server/relay/encrypt/pgpMime.ts";
import { onInputs } from "../../../support/corpora.ts";
import { forwardedMails } from "./encryptionMails.ts";
import { outerFieldsOf, withoutProtection } from "./openSealed.ts";

const mail = (header: string, body = "Meet me at nine.\r\n"): Buffer =>
  Buffer.from(`${header.trim().replaceAll("\n", "\r\n")}\r\n\r\n${body}`);

const plain = mail(`
Received: from shop.example by masks.example
X-Bauta-Mask: shop@masks.example
From: "Shop" <shop@masks.example>
Subject: A secret plan
Content-Type: text/plain; charset=utf-8
X-Other: also secret`);

describe("A mail encrypted to its owner's key", () => {
  let publicKey: string;
  let privateKey: PrivateKey;
  before(async () => {
    const generated = await generateKey({
      type: "ecc",
      curve: "curve25519Legacy",
      userIDs: [{ name: "Mask owner" }],
      format: "armored",
    });
    publicKey = generated.publicKey;
    privateKey = await readPrivateKey({ armoredKey: generated.privateKey });
  });

  const seal = async (content: Uint8Array): Promise<Buffer> =>
    Buffer.from(await encryptToKey({ content, publicKey, boundary: "=_test" }));
  const open = async (sealed: Buffer): Promise<Buffer> => {
    const { attachments } = await PostalMime.parse(sealed);
    const armored = attachments.find(({ filename }) => filename === "encrypted.asc");
    const text = Buffer.from(armored?.content as ArrayBuffer).toString("latin1");
    const { data } = await decrypt({
      message: await readMessage({ armoredMessage: text }),
      decryptionKeys: privateKey,
      format: "binary",
    });
    return Buffer.from(data as Uint8Array);
  };

  it("reveals nothing of its subject, its text and its other fields", async () => {
    const sealed = (await seal(plain)).toString();
    expect(sealed).to.contain("Subject: ...\r\n");
    expect(sealed).to.contain('protocol="application/pgp-encrypted"');
    for (const secret of ["secret", "nine", "X-Other"]) expect(sealed).not.to.contain(secret);
  });

  it("keeps the fields that servers and mail programs sort and answer by", async () => {
    const sealed = (await seal(plain)).toString();
    expect(sealed).to.contain("X-Bauta-Mask: shop@masks.example\r\n");
    expect(sealed).to.contain('From: "Shop" <shop@masks.example>\r\n');
  });

  it("says what it is and where it can be read, outside of what programs read (RFC 3156)", async () => {
    const readAt = "https://bauta.example/#settings/security/encryption";
    const sealed = Buffer.from(await encryptToKey({ content: plain, publicKey, boundary: "=_test", readAt }));
    const [outside = "", control = "", message = "", end] = sealed.toString().split("--=_test");
    expect(outside.slice(outside.indexOf("\r\n\r\n"))).to.contain(`open it here:\r\n${readAt}\r\n`);
    expect(control.split("\r\n\r\n").slice(1).join("").trim()).to.equal("Version: 1");
    expect(message).to.contain(
      `Content-Description: OpenPGP encrypted message; open it at\r\n ${readAt}\r\n`,
    );
    expect(message).to.contain(`Comment: ${readAt}\r\n\r\n`);
    expect(end).to.equal("--\r\n");
    expect(withoutProtection(await open(sealed)).equals(plain)).to.equal(true);
  });

  it("says inside what stands outside, so that no answer tells what was hidden (RFC 9788)", async () => {
    const folded = mail(`
Received: from shop.example by masks.example
From: "Shop"
 <shop@masks.example>
To: me@home.example
Subject: A secret plan`);
    expect(outerFieldsOf(await open(await seal(folded)))).to.equal(
      'HP-Outer: From: "Shop"\r\n <shop@masks.example>\r\nHP-Outer: To: me@home.example\r\nHP-Outer: Subject: ...\r\n',
    );
    const { headers } = await PostalMime.parse(await open(await seal(folded)));
    expect(headers.filter(({ key }) => key === "hp-outer").map(({ value }) => value)).to.include(
      "Subject: ...",
    );
    expect(headers.find(({ key }) => key === "content-type")?.value).to.contain('hp="cipher"');
  });

  it("has the mark of its protection once, whatever marks its sender has written", async () => {
    const types: readonly (readonly [string, string])[] = [
      ['text/plain; hp="clear"', "text/plain"],
      ["text/plain; charset=utf-8; HP=clear; format=flowed", "text/plain; charset=utf-8; format=flowed"],
      ['text/plain;\n protected-headers="v1";\n hp="cipher"', "text/plain"],
      ['text/plain; hp*0="ci"; hp*1="pher"; charset=utf-8', "text/plain; charset=utf-8"],
      ["text/plain; hp*=utf-8''clear", "text/plain"],
      ["text/plain; (a; hp=no) hp (x) =clear", "text/plain"],
      ["text/plain; (so) hp = clear", "text/plain"],
      ['multipart/mixed; boundary="a; hp=clear"', 'multipart/mixed; boundary="a; hp=clear"'],
      ['text/plain; name="\\"; hp=clear"', 'text/plain; name="\\"; hp=clear"'],
      ["text/plain; shp=1; hpx=2", "text/plain; shp=1; hpx=2"],
    ];
    for (const [written, left] of types) {
      const opened = (await open(await seal(mail(`From: a@b.example\nContent-Type: ${written}`)))).toString();
      const mark = 'hp="cipher";\r\n protected-headers="v1"';
      expect(opened, written).to.contain(`\r\nContent-Type: ${left};\r\n ${mark}\r\n`);
    }
  });

  it("believes no sender who says what stands outside", async () => {
    const opened = await open(
      await seal(
        mail("HP-Outer: Subject: A secret plan\nFrom: a@b.example\nHP-Outer: To: x\nSubject: A secret plan"),
      ),
    );
    expect(withoutProtection(opened).toString()).to.equal(
      "From: a@b.example\r\nSubject: A secret plan\r\n\r\nMeet me at nine.\r\n",
    );
    expect(opened.toString()).not.to.contain("HP-Outer: Subject: A secret plan");
  });

  it("has the same bytes again once it is decrypted and the marks are removed", async () => {
    const opened = await open(await seal(plain));
    expect(opened.toString()).to.contain('protected-headers="v1"').and.to.contain('hp="cipher"');
    expect(withoutProtection(opened).equals(plain)).to.equal(true);
  });

  it("has the same bytes again where it had no Content-Type", async () => {
    const bare = mail("From: <shop@masks.example>\nSubject: x");
    expect(withoutProtection(await open(await seal(bare))).equals(bare)).to.equal(true);
  });

  const encrypted: Readonly<Record<string, Buffer>> = {
    "PGP/MIME": mail('From: <a@b.example>\nContent-Type: multipart/encrypted; boundary="b"'),
    "S/MIME": mail("From: <a@b.example>\nContent-Type: application/pkcs7-mime; smime-type=enveloped-data"),
    "a message in the text": mail(
      "From: <a@b.example>\nContent-Type: text/plain",
      "-----BEGIN PGP MESSAGE-----\r\n\r\nx\r\n-----END PGP MESSAGE-----\r\n",
    ),
  };
  for (const [kind, content] of Object.entries(encrypted))
    it(`stays as it is when it arrived encrypted (${kind})`, async () => {
      expect((await seal(content)).equals(content)).to.equal(true);
    });

  const message = "-----BEGIN PGP MESSAGE-----\r\n\r\nx\r\n-----END PGP MESSAGE-----\r\n";
  const clear: Readonly<Record<string, Buffer>> = {
    "S/MIME that is compressed": mail(
      "From: <a@b.example>\nContent-Type: application/pkcs7-mime; smime-type=compressed-data",
    ),
    "S/MIME that is signed without an smime-type": mail(
      "From: <a@b.example>\nContent-Type: application/pkcs7-mime; name=smime.p7m",
    ),
    "a message followed by the footer of a mailing list": mail(
      "From: <a@b.example>",
      `${message}-- \r\nThe list\r\n`,
    ),
    "text between two messages": mail("From: <a@b.example>", `${message}Clear text\r\n${message}`),
    "only the beginning of a message": mail(
      "From: <a@b.example>",
      "-----BEGIN PGP MESSAGE-----\r\n\r\nx\r\n",
    ),
  };
  for (const [kind, content] of Object.entries(clear))
    it(`is encrypted when it only looks encrypted (${kind})`, async () => {
      const sealed = await seal(content);
      expect(sealed.toString())
        .to.contain("Content-Type: multipart/encrypted")
        .and.not.to.contain("Clear text");
      expect(withoutProtection(await open(sealed)).equals(content)).to.equal(true);
    });

  it("is never sent as plain text when the key has expired", async () => {
    const { publicKey: old } = await generateKey({
      type: "ecc",
      curve: "curve25519Legacy",
      userIDs: [{ name: "Mask owner" }],
      date: new Date("2020-01-01"),
      keyExpirationTime: 60,
      format: "armored",
    });
    const failed = await encryptToKey({ content: plain, publicKey: old, boundary: "b" }).then(
      () => false,
      () => true,
    );
    expect(failed).to.equal(true);
  });

  it("is never sent as plain text once a key expires that was good for the mail before", async () => {
    const date = new Date("2026-11-01");
    const clock = useFakeTimers({ now: date, toFake: ["Date"] });
    try {
      const { publicKey: expiring } = await generateKey({
        type: "ecc",
        curve: "curve25519Legacy",
        userIDs: [{ name: "Mask owner" }],
        date,
        keyExpirationTime: 60,
        format: "armored",
      });
      const sealed = await encryptToKey({ content: plain, publicKey: expiring, boundary: "b" });
      expect(Buffer.from(sealed).includes("A secret plan")).to.equal(false);
      clock.tick(61_000);
      const failed = await encryptToKey({ content: plain, publicKey: expiring, boundary: "b" }).then(
        () => false,
        () => true,
      );
      expect(failed).to.equal(true);
    } finally {
      clock.restore();
    }
  });

  onInputs(["oddMails"], ({ files }) => {
    it("has the same bytes again for every odd mail", async () => {
      for (const { name, clean } of forwardedMails(files("oddMails"))) {
        const sealed = await seal(clean);
        if (sealed.equals(clean)) continue;
        expect(withoutProtection(await open(sealed)).equals(clean), name).to.equal(true);
      }
    });
  });
});
