import { isAscii } from "node:buffer";
import { expect } from "chai";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { toSevenBit, withSevenBitHeader } from "../../../server/mime/sevenBit.ts";

const lines = (...all: readonly string[]): Buffer => Buffer.from(all.join("\r\n"));

const written = (mail: Buffer): Buffer => {
  const bytes = toSevenBit(mail);
  if (!bytes) throw new Error("it cannot be written in 7 bits");
  expect(isAscii(bytes), bytes.toString()).to.equal(true);
  return bytes;
};

const mixed = lines(
  'From: "Jörg Müller" <jorg@bücher.example>',
  "To: a@b.example, Zoë <z@b.example>",
  "Subject: Grüße, eine sehr lange Zeile mit vielen Wörtern, die gefaltet werden muß, und noch ein paar mehr",
  "X-Ünnamed: x",
  "Received: from größe.example by b.example",
  "X-Note: Größe",
  'Content-Type: multipart/mixed; boundary="b1"',
  "Content-Transfer-Encoding: 8bit",
  "",
  "Präambel",
  "--b1",
  "Content-Type: text/plain; charset=utf-8",
  "Content-Transfer-Encoding: 8bit",
  "",
  "Grüße = viele",
  "",
  "--b1",
  "Content-Type: text/plain",
  "",
  "stays = as it is",
  "--b1",
  "Content-Type: message/rfc822",
  "",
  "Subject: Über",
  "Content-Type: text/html; charset=utf-8",
  "",
  "<p>Größe</p>",
  "--b1",
  'Content-Type: application/json; name="Größe.json"',
  "Content-Disposition: attachment; filename=Größe.json",
  "",
  '{"a":"ü"}',
  "--b1--",
  "",
);

describe("A mail in 7 bits", () => {
  it("says the same as in 8 bits, and parts in 7 bits keep their bytes", async () => {
    const result = written(mixed);
    const [before, after] = [await PostalMime.parse(mixed), await PostalMime.parse(result)];
    expect(after.subject).to.equal(before.subject);
    expect(after.from).to.deep.equal({ name: "Jörg Müller", address: "jorg@xn--bcher-kva.example" });
    expect(after.to).to.deep.equal(before.to);
    expect(after.text).to.equal(before.text);
    expect(after.html).to.equal(before.html);
    expect(after.attachments.map(({ filename }) => filename)).to.deep.equal(
      before.attachments.map(({ filename }) => filename),
    );
    const contents = (mail: typeof after) =>
      mail.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer).toString());
    expect(contents(after).at(-1)).to.equal('{"a":"ü"}');
    const text = result.toString();
    expect(text).to.contain("\r\n--b1\r\nContent-Type: text/plain\r\n\r\nstays = as it is\r\n--b1\r\n");
    expect(text).to.match(/^X-Note: =\?UTF-8\?B\?/m);
    expect(text).to.match(/^Downgraded-Received: =\?UTF-8\?B\?/m);
    expect(text.match(/^Content-Transfer-Encoding: /gm)).to.have.length(3);
    for (const line of text.split("\r\n")) expect(line.length).to.be.below(200);
  });

  it("is itself where it has 7 bits already, and has another header alone where that is asked", () => {
    const plain = lines("Subject: x", "", "y", "");
    expect(toSevenBit(plain)).to.equal(plain);
    const mail = lines("Subject: ü", "", "Grüße", "");
    const result = withSevenBitHeader(mail);
    expect(result?.toString()).to.equal("Subject: =?UTF-8?B?w7w=?=\r\n\r\nGrüße\r\n");
  });

  it("is not written where that would change what is signed or encrypted, or an address cannot be written", () => {
    const signed = (text: string): Buffer =>
      lines(
        'Content-Type: multipart/signed; boundary=s; protocol="application/pgp-signature"',
        "",
        "--s",
        "Content-Type: text/plain; charset=utf-8",
        "",
        text,
        "--s",
        "Content-Type: application/pgp-signature",
        "",
        "x",
        "--s--",
      );
    expect(toSevenBit(signed("Grüße"))).to.equal(null);
    const inMixed = Buffer.concat([
      lines("Subject: ü", "Content-Type: multipart/mixed; boundary=m", "", "Ü", "--m", ""),
      signed("Gruss"),
      lines("", "--m--", ""),
    ]);
    expect(written(inMixed).includes(signed("Gruss"))).to.equal(true);
    expect(toSevenBit(lines("From: jörg@b.example", "", "x"))).to.equal(null);
    expect(toSevenBit(lines("To: Jörg <root@[192.0.2.1]>", "", "x"))?.toString()).to.contain(
      "<root@[192.0.2.1]>",
    );
    const uuencoded = lines("Content-Transfer-Encoding: x-uuencode", "", "ü");
    expect(toSevenBit(uuencoded)).to.equal(null);
  });

  it("has 7 bits, whatever it consists of, or is not written", () => {
    const piece = fc.constantFrom(
      "Subject: ü\r\n",
      "From: ö <a@b.example>\r\n",
      "Content-Type: multipart/mixed; boundary=b\r\n",
      "Content-Type: text/plain; charset=ü\r\n",
      "Content-Transfer-Encoding: base64\r\n",
      "Content-Transfer-Encoding: quoted-printable\r\n",
      "\r\n",
      "--b\r\n",
      "--b--\r\n",
      "ü\r\n",
      " ü\r\n",
      "x",
      "\u00ff\n",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const result = toSevenBit(Buffer.from(`X: y\r\n${pieces.join("")}`));
        expect(result === null || isAscii(result)).to.equal(true);
      }),
    );
  });
});
