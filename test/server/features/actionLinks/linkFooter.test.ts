import { expect } from "chai";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { addLinkFooter, maxFootedBytes } from "../../../../server/features/actionLinks/linkFooter.ts";
import { readHeaderBlock } from "../../../../server/mime/headerBlock.ts";
import { findMimeLeaves, findTransferEncoding, type MimeLeaf } from "../../../../server/mime/mimeLeaves.ts";
import { onInputs } from "../../../support/corpora.ts";
import { expectLinear } from "../../../support/linearTime.ts";

const url = "https://bauta.test/mask-action/abc?do=switch-off&mask=m";
const footer = { about: "This email came to your mask x@masks.test.", links: [{ label: "Switch off", url }] };

const addTo = (mail: Buffer): Buffer | null => {
  const header = readHeaderBlock(mail);
  return header && addLinkFooter(mail, header, footer);
};
const footed = (mail: string | Buffer): Buffer => {
  const result = addTo(Buffer.from(mail as string));
  if (!result) throw new Error("no footer");
  return result;
};
const leavesOf = (mail: Buffer): readonly MimeLeaf[] => {
  const header = readHeaderBlock(mail);
  return (header && findMimeLeaves(mail, header)?.leaves) ?? [];
};
const bytesOf = (mail: Buffer, { start, end }: MimeLeaf): string => mail.toString("latin1", start, end);
const lines = (...all: readonly string[]): string => all.join("\r\n");

/** Checks that only texts have grown, each by the footer, and that every other byte is as it was. */
const expectOnlyFooter = (mail: Buffer, result: Buffer, name: string): void => {
  const [before, after] = [leavesOf(mail), leavesOf(result)];
  expect(after.length, name).to.equal(before.length);
  let changed = 0;
  let [from, to] = [0, 0];
  for (const [n, leaf] of before.entries()) {
    const now = after[n] as MimeLeaf;
    expect(
      result.subarray(to, now.start).equals(mail.subarray(from, leaf.start)),
      `${name}: around`,
    ).to.equal(true);
    [from, to] = [leaf.end, now.end];
    if (bytesOf(mail, leaf) === bytesOf(result, now)) continue;
    changed += 1;
    const decode = (bytes: Buffer): string => findTransferEncoding(leaf.encoding)?.decode(bytes) ?? "";
    const [old, fresh] = [
      decode(mail.subarray(leaf.start, leaf.end)),
      decode(result.subarray(now.start, now.end)),
    ];
    const at = fresh.lastIndexOf(leaf.type === "text/html" ? '<div style="clear:both' : "\r\n---\r\n");
    expect(at, name).to.be.greaterThan(-1);
    expect(old.startsWith(fresh.slice(0, at).trimEnd()), `${name}: what is before`).to.equal(true);
    const rest = leaf.type === "text/html" ? fresh.slice(fresh.indexOf("</div>", at) + 6) : "";
    expect(old.endsWith(rest.trimStart()), `${name}: what is after`).to.equal(true);
  }
  expect(result.subarray(to).equals(mail.subarray(from)), `${name}: the end`).to.equal(true);
  expect(changed, name).to.be.within(1, 2);
};

describe("The links below the text of a mail", () => {
  const plain = lines("Subject: a", "", "Hello", "");

  it("stand at the end of a plain text", () => {
    expect(footed(plain).toString()).to.equal(
      lines("Subject: a", "", "Hello", "", "---", footer.about, `Switch off: ${url}`, ""),
    );
  });

  it("stand inside the body of an HTML text, with their addresses escaped", async () => {
    const html = lines(
      "Content-Type: text/html; charset=utf-8",
      "",
      "<html><BODY><p>Grüße</p></BODY></html>",
      "",
    );
    const { html: shown = "" } = await PostalMime.parse(footed(html));
    expect(shown).to.match(/<p>Grüße<\/p>\s+<div [^>]+>[\s\S]+<\/div>\r?\n<\/BODY><\/html>/);
    expect(shown).to.contain(`<a href="${url.replaceAll("&", "&amp;")}">Switch off</a>`);
  });

  it("stand in both forms of a mail, and not in its attachments", async () => {
    const mail = lines(
      'Content-Type: multipart/mixed; boundary="m"',
      "",
      "--m",
      'Content-Type: multipart/alternative; boundary="a"',
      "",
      "--a",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: base64",
      "",
      Buffer.from("Grüße\r\n").toString("base64"),
      "--a",
      "Content-Type: text/html; charset=iso-8859-1",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      "<p>Gr=FC=DFe</p>",
      "--a--",
      "--m",
      "Content-Type: text/plain",
      "",
      "notes",
      "--m",
      "Content-Type: text/html; name=report.html",
      "",
      "<p>report</p>",
      "--m--",
      "",
    );
    const result = footed(mail);
    expectOnlyFooter(Buffer.from(mail), result, "mixed");
    const parsed = await PostalMime.parse(result);
    expect(parsed.text?.startsWith("Grüße"), parsed.text).to.equal(true);
    expect(parsed.html).to.contain("<p>Grüße</p>");
    expect(result.toString().match(/mask-action/g)).to.have.length(1);
    expect([parsed.text, parsed.html].every((text) => text?.includes("mask-action"))).to.equal(true);
  });

  it("are in no mail that is signed, encrypted, or not certain to be read as before", () => {
    const withType = (type: string, body = "x") => lines(`Content-Type: ${type}`, "", body, "");
    for (const mail of [
      withType(
        'multipart/signed; boundary="b"',
        lines("--b", "", "Hello", "--b", "Content-Type: application/pgp-signature", "", "x", "--b--"),
      ),
      withType('multipart/encrypted; boundary="b"', lines("--b", "", "x", "--b--")),
      withType("application/pkcs7-mime; smime-type=signed-data"),
      withType("text/plain", lines("-----BEGIN PGP SIGNED MESSAGE-----", "", "Hello")),
      withType("text/plain; charset=utf-16"),
      withType("text/plain; charset=iso-2022-jp"),
      withType("text/plain; charset=ibm037"),
      withType("image/png"),
      withType("text/calendar"),
      lines("Content-Disposition: attachment", "", "x", ""),
      lines("Content-Transfer-Encoding: x-uuencode", "", "x", ""),
      lines("Content-Transfer-Encoding: base64", "", "SGVsbG8=SGVsbG8=", ""),
      "no header at all",
    ])
      expect(addTo(Buffer.from(mail)), mail).to.equal(null);
    expect(addTo(Buffer.concat([Buffer.from(plain), Buffer.alloc(maxFootedBytes, "x")]))).to.equal(null);
  });

  it("are not written where nobody would see them", () => {
    const html = (body: string): Buffer => Buffer.from(lines("Content-Type: text/html", "", body, ""));
    for (const body of [
      "<p>Hello</p><!-- more",
      "<p>Hello</p><!-- <p>more</p>",
      "<p>Hello</p><!-- </body></html>",
      "<p>Hello</p><!-- a --  >",
      "<p>Hello</p><!DOCTYPE",
      "<p>Hello</p></ more",
      '<p>Hello</p><a href="https://a.example',
      "<p>Hello</p><a title='x> <b>y</b>",
      "<p>Hello</p><style>p { color: red }",
      "<p>Hello</p><style>p { color: red }</style2>",
      "<p>Hello</p><script>1</p>",
      "<p>Hello</p><textarea>more</p>",
      "<title>Hello",
      "<p>Hello</p><plaintext>more</plaintext>",
      "<p>Hello</p><template><p>more</p>",
      "<p>Hello</p><select><option>more",
      '<p>Hello</p><div style="color: red; DISPLAY:none"><div>more</div>',
      "<body><p>Hello</p><div hidden>more</body>",
    ])
      expect(addTo(html(body)), body).to.equal(null);
    for (const body of [
      "<p>Hello</p><!-- more -->",
      "<p>Hello</p><!-- more --!>",
      "<p>Hello</p><!--> more",
      "<p>Hello</p><!---> more",
      "<p>a < b, 1 <2, & c",
      "<p title='<!--'>Hello",
      '<p title="a > b" data-x=a"b>Hello',
      "<style>p { content: '<!--' }</style><p>Hello",
      "<div hidden><div>x</div></div><p>Hello",
      "<input hidden><p>Hello",
      "<body><p>Hello</p></body><!-- more",
    ])
      expect(addTo(html(body))?.toString(), body).to.contain("mask-action");
    const twice = "<p>Hello</p></body><!-- </body> -->";
    expect(footed(html(twice)).toString()).to.match(/<\/div>\r\n<\/body><!--/);
  });

  it("keep lines short in quoted-printable, and the end of the mail", () => {
    const mail = lines("Content-Transfer-Encoding: quoted-printable", "", "Hello=20", "");
    const result = footed(mail).toString();
    expect(Math.max(...result.split("\r\n").map(({ length }) => length))).to.be.at.most(76);
    expect(result.endsWith("\r\n")).to.equal(true);
  });

  it("leave every other byte of any text, in any encoding", () => {
    const text = fc
      .string({ unit: "grapheme", maxLength: 300 })
      .map((some) => some.replaceAll(/\r\n?|\n/g, "\r\n"));
    const encoding = fc.constantFrom("8bit", "base64", "quoted-printable");
    fc.assert(
      fc.property(text, encoding, fc.constantFrom("plain", "html"), (body, name, form) => {
        const encoded = findTransferEncoding(name)?.encode(Buffer.from(body).toString("latin1")) ?? "";
        const head = `Content-Type: text/${form}; charset=utf-8\r\nContent-Transfer-Encoding: ${name}\r\n\r\n`;
        const mail = Buffer.concat([Buffer.from(head), Buffer.from(encoded)]);
        const result = addTo(mail);
        if (result) expectOnlyFooter(mail, result, JSON.stringify(body));
      }),
    );
  });

  onInputs(["oddMails"], ({ files }) => {
    it("leave every other byte of every odd mail", () => {
      let count = 0;
      for (const { name, content } of files("oddMails")) {
        const mail = Buffer.from(content.toString("latin1").replaceAll(/\r\n|\r|\n/g, "\r\n"), "latin1");
        const result = addTo(mail);
        if (!result) continue;
        expectOnlyFooter(mail, result, name);
        count += 1;
      }
      expect(count).to.be.greaterThan(5);
    });
  });

  it("take time in proportion to the mail", () => {
    for (const piece of [
      "</body",
      "=\r\n",
      "<a ",
      " ",
      "&",
      "=3D",
      "<!--",
      "<a b='",
      "<a b=",
      "<a/b ",
      "<style>",
      "</",
    ])
      for (const encoding of ["8bit", "quoted-printable"]) {
        const head = `Content-Type: text/html\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
        expectLinear(`${piece} in ${encoding}`, Math.ceil(300_000 / piece.length), (times) => {
          addTo(Buffer.from(head + piece.repeat(times)));
        });
      }
  });
});
