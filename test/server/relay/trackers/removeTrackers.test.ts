import { expect } from "chai";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { readHeaderBlock } from "../../../../server/mime/headerBlock.ts";
import { applyEdits } from "../../../../server/mime/quotedPrintable.ts";
import {
  type CleanedMail,
  maxHtmlBytes,
  withoutTrackers,
} from "../../../../server/relay/trackers/removeTrackers.ts";
import { findTracking } from "../../../../server/relay/trackers/trackersInHtml.ts";
import { stripTrackingFromLink } from "../../../../server/relay/trackers/trackingLinks.ts";
import { expectLinear } from "../../../support/linearTime.ts";

const cleanedOf = (mail: Buffer): CleanedMail => {
  const header = readHeaderBlock(mail);
  if (!header) throw new Error("no header");
  return withoutTrackers(mail, header);
};
const clean = (mail: Buffer): Buffer => cleanedOf(mail).content;

const stripTrackingFromHtml = (html: string): string => applyEdits(html, findTracking(html) ?? []);

const pixel = '<img src="https://t.shop.example/open?u=7" width="1" height="1">';
const link = '<a href="https://shop.example/sale?id=4&amp;utm_source=mail&amp;size=9">Sale</a>';
const cleanLink = '<a href="https://shop.example/sale?id=4&amp;size=9">Sale</a>';
const picture = '<img src="https://shop.example/shoe.png" width="300" height="200">';

describe("Removing trackers", () => {
  it("removes pictures of one pixel, hidden ones and those whose address names a tracker", () => {
    for (const tracker of [
      pixel,
      "<IMG WIDTH=1 HEIGHT=1 SRC=http://t.example/x.gif>",
      '<img style="width:1px;height:1px" src="https://t.example/a">',
      '<img style="display: none" src="https://t.example/a">',
      '<img alt="" src="https://click.example/wf/open?upn=9">',
      '<img src="//t.example/pixel.gif"/>',
    ])
      expect(stripTrackingFromHtml(`<p>a${tracker}b</p>`), tracker).to.equal("<p>ab</p>");
    for (const wanted of [
      picture,
      '<img src="cid:logo@shop.example" width="1" height="1">',
      '<img src="data:image/gif;base64,R0lGOD" width="1" height="1">',
      '<img src="https://shop.example/line.png" width="600" height="1">',
      "<imgx src='https://t.example/open'>",
    ])
      expect(stripTrackingFromHtml(`<p>${wanted}</p>`), wanted).to.equal(`<p>${wanted}</p>`);
  });

  it("removes the parameters of links that identify the reader, and keeps the others in their order", () => {
    const links: readonly (readonly [string, string])[] = [
      ["https://a.example/?utm_source=x&utm_medium=y", "https://a.example/"],
      ["https://a.example/p?x=1&fbclid=2&y=3#top", "https://a.example/p?x=1&y=3#top"],
      ["https://a.example/p?mc_eid=9&amp;x=1&amp;gclid=2", "https://a.example/p?x=1"],
      ["https://a.example/p?q=utm_source", "https://a.example/p?q=utm_source"],
      ["mailto:a@b.example?subject=utm_source", "mailto:a@b.example?subject=utm_source"],
    ];
    for (const [given, expected] of links) expect(stripTrackingFromLink(given)).to.equal(expected);
  });

  it("replaces addresses that only redirect to one that they contain", () => {
    const target = encodeURIComponent("https://shop.example/sale?a=1&utm_source=x");
    expect(stripTrackingFromLink(`https://l.example/track/click?id=7&url=${target}`)).to.equal(
      "https://shop.example/sale?a=1",
    );
    expect(stripTrackingFromLink("https://www.google.com/url?q=https%3A%2F%2Fa.example%2F&sa=D")).to.equal(
      "https://a.example/",
    );
    expect(stripTrackingFromLink("https://l.example/click?url=javascript%3Aalert(1)")).to.equal(
      "https://l.example/click?url=javascript%3Aalert(1)",
    );
    expect(
      stripTrackingFromLink("https://l.example/click?url=https%3A%2F%2Fa.example%2F%22%3E%3Cscript"),
    ).to.equal("https://l.example/click?url=https%3A%2F%2Fa.example%2F%22%3E%3Cscript");
    expect(stripTrackingFromLink("https://shop.example/search?url=https%3A%2F%2Fa.example")).to.equal(
      "https://shop.example/search?url=https%3A%2F%2Fa.example",
    );
  });

  const html = `<html><body>Grüße ${link}${picture}${pixel}</body></html>\r\n`;
  const expected = `<html><body>Grüße ${cleanLink}${picture}</body></html>`;
  const multipart = (encoding: string, body: string): Buffer =>
    Buffer.from(
      [
        "From: a@shop.example",
        'Content-Type: multipart/mixed; boundary="b1"',
        "",
        "preamble",
        "--b1",
        "Content-Type: text/plain",
        "",
        "https://shop.example/?utm_source=mail stays in plain text",
        "--b1",
        "Content-Type: text/html; charset=utf-8",
        `Content-Transfer-Encoding: ${encoding}`,
        "",
        body,
        "--b1",
        "Content-Type: application/octet-stream",
        "Content-Transfer-Encoding: base64",
        "",
        "AAECAwQ=",
        "--b1--",
        "epilogue",
        "",
      ].join("\r\n"),
    );
  const bodies: Readonly<Record<string, string>> = {
    "8bit": html,
    base64: Buffer.from(html).toString("base64").replace(/.{76}/g, "$&\r\n"),
    "quoted-printable": html
      .replaceAll("=", "=3D")
      .replace("ü", "=C3=BC")
      .replace("ß", "=C3=9F")
      .replace("Sale", "Sa=\r\nle"),
  };

  for (const [encoding, body] of Object.entries(bodies))
    it(`works in HTML in ${encoding}, and keeps every byte around it`, async () => {
      const mail = multipart(encoding, body);
      const cleaned = clean(mail);
      const read = await PostalMime.parse(cleaned);
      expect(read.html?.trim().endsWith(`\n${expected}`), read.html).to.equal(true);
      const marker = Buffer.from(`Content-Transfer-Encoding: ${encoding}\r\n\r\n`);
      const begin = mail.indexOf(marker) + marker.length;
      const tail = mail.subarray(mail.indexOf("\r\n--b1\r\nContent-Type: application"));
      expect(cleaned.subarray(0, begin).equals(mail.subarray(0, begin))).to.equal(true);
      expect(cleaned.subarray(cleaned.length - tail.length).equals(tail)).to.equal(true);
      for (const line of cleaned.toString("latin1").split("\r\n")) expect(line.length).to.be.below(999);
    });

  it("works in a mail that consists of HTML alone", async () => {
    const mail = Buffer.from(`Content-Type: text/html; charset=utf-8\r\n\r\n${html}`);
    expect((await PostalMime.parse(clean(mail))).html?.trim()).to.equal(expected);
  });

  it("leaves alone mail that is signed or encrypted, attached, or in a charset that does not extend ASCII", () => {
    const untouched = [
      `Content-Type: multipart/signed; boundary=b1; protocol="application/pgp-signature"\r\n\r\n--b1\r\nContent-Type: text/html\r\n\r\n${html}--b1--\r\n`,
      `Content-Type: multipart/mixed; boundary=b1\r\n\r\n--b1\r\nContent-Type: text/html\r\n\r\n${html}\r\n--b1\r\nContent-Type: multipart/encrypted; boundary=b2\r\n\r\n--b2--\r\n--b1--\r\n`,
      `Content-Type: multipart/mixed; boundary=b1\r\n\r\n--b1\r\nContent-Type: text/html\r\nContent-Disposition: attachment\r\n\r\n${html}--b1--\r\n`,
      `Content-Type: multipart/mixed; boundary=b1\r\n\r\n--b1\r\nContent-Type: message/rfc822\r\n\r\nContent-Type: text/html\r\n\r\n${html}--b1--\r\n`,
      `Content-Type: text/html; charset=utf-16\r\n\r\n${html}`,
      `Content-Type: text/plain\r\n\r\n${html}`,
    ];
    for (const text of untouched) {
      const mail = Buffer.from(text);
      expect(clean(mail).equals(mail), text).to.equal(true);
    }
  });

  it("says why trackers may stay, and removes those of the other parts", () => {
    const part = (type: string, body: string): string => `--b1\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`;
    const mixed = (...parts: readonly string[]): Buffer =>
      Buffer.from(`Content-Type: multipart/mixed; boundary=b1\r\n\r\n${parts.join("")}--b1--\r\n`);
    const small = part("text/html", pixel);
    const large = part("text/html", `${pixel}${"x".repeat(maxHtmlBytes)}`);
    const reasons = {
      size: mixed(large, small),
      parts: mixed(...Array.from({ length: 201 }, () => small)),
      encoding: mixed(part("text/html; charset=utf-16", pixel), small),
      sealed: Buffer.from(`Content-Type: multipart/signed; boundary=b1\r\n\r\n${small}--b1--\r\n`),
    };
    for (const [reason, mail] of Object.entries(reasons)) expect(cleanedOf(mail).kept).to.equal(reason);
    const countPixels = (mail: Buffer): number => mail.toString("latin1").split(pixel).length - 1;
    for (const mail of [reasons.size, reasons.encoding]) expect(countPixels(clean(mail))).to.equal(1);
    const half = part("text/html", `${pixel}${"x".repeat(maxHtmlBytes / 2)}`);
    expect(cleanedOf(mixed(half, half, small)).kept).to.equal("size");
    expect(countPixels(clean(mixed(half, half, small)))).to.equal(1);
    expect(cleanedOf(mixed(small)).kept).to.equal(null);
    expect(cleanedOf(mixed(part("text/plain", pixel), small)).kept).to.equal(null);
  });

  it("takes linear time for quoted-printable text with any line endings", () => {
    const head = "Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n";
    for (const line of [" ", "\t ", " \r\n", "=\r\n", "=20", "a  "])
      expectLinear(JSON.stringify(line), Math.ceil(300_000 / line.length), (times) => {
        clean(Buffer.from(`${head}${pixel.replaceAll("=", "=3D")}${line.repeat(times)}`));
      });
  });

  it("takes linear time for any HTML", () => {
    const pieces = [
      "<img ",
      "<a ",
      '"',
      "'",
      ">",
      "href=",
      "&",
      "utm_",
      "=",
      "?",
      " ",
      "<",
      "src=//t/open",
      "/url?q=http%3A",
    ];
    for (const piece of pieces) {
      expectLinear(piece, Math.ceil(300_000 / piece.length), (times) => {
        stripTrackingFromHtml(piece.repeat(times));
      });
      expectLinear(`${piece} in a query`, 3_000, (times) => {
        stripTrackingFromHtml(`<a href="https://a.example/?${piece.repeat(times)}">`);
      });
    }
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces, "x")), (all) => {
        const once = stripTrackingFromHtml(all.join(""));
        expect(once.length).to.be.at.most(all.join("").length + 200);
      }),
    );
  });
});
