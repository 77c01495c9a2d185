import { expect } from "chai";
import { encode, wrap } from "nodemailer/lib/qp";
import PostalMime from "postal-mime";
import { toParsedMail } from "../../../core/mail/parsedMail.ts";
import { readHeaderBlock } from "../../../server/delivery/headerBlock.ts";
import { reduceMail } from "../../../server/mail/parseMail.ts";
import { expectLinear } from "../../support/linearTime.ts";
import { filesOf, needsCorpora } from "../support/corpora.ts";

const readable = (mail: Buffer): Buffer => {
  const header = readHeaderBlock(mail);
  if (!header) throw new Error("no header");
  return reduceMail(mail, header);
};

const part = (type: string, body: string, more = ""): string =>
  `--b1\r\nContent-Type: ${type}\r\n${more}\r\n${body}\r\n`;

const mail = (...parts: readonly string[]): Buffer =>
  Buffer.from(
    `Subject: Hello\r\nContent-Type: multipart/mixed; boundary=b1\r\n\r\n${parts.join("")}--b1--\r\n`,
  );

const file = `${"QUJD".repeat(19)}\r\n`.repeat(30_000);

describe("The text that rules read of a large mail", () => {
  it("is that of its text parts, without the attached files", async () => {
    const large = mail(
      part("application/pdf", file, "Content-Transfer-Encoding: base64\r\n"),
      part("text/plain; charset=utf-8", "Your order 4711 is on its way."),
      part("text/csv", file, "Content-Disposition: attachment; filename=a.csv\r\n"),
      part("message/rfc822", "Subject: Inside\r\n\r\nThe mail within."),
    );
    const small = readable(large);
    expect(small.length).to.be.lessThan(2_000);
    const [all, some] = await Promise.all([PostalMime.parse(large), PostalMime.parse(small)]);
    expect(toParsedMail(some)).to.deep.equal(toParsedMail(all));
    expect(toParsedMail(some).text).to.include("4711").and.include("The mail within.");
  });

  it("is the beginning of a very long text, and all of a small mail", async () => {
    const words = `${"工作 und kein Spiel 🙂 ".repeat(4)}\r\n`.repeat(20_000);
    const encoded: Readonly<Record<string, string>> = {
      "8bit": words,
      base64: Buffer.from(words).toString("base64").replace(/.{76}/g, "$&\r\n"),
      "quoted-printable": wrap(encode(words)),
    };
    for (const [encoding, text] of Object.entries(encoded)) {
      const more = `Content-Transfer-Encoding: ${encoding}\r\n`;
      const endless = mail(part("text/plain; charset=utf-8", text, more));
      const small = readable(endless);
      expect(small.length, encoding).to.be.lessThan(700_000);
      const [all, some] = await Promise.all([PostalMime.parse(endless), PostalMime.parse(small)]);
      expect(toParsedMail(some), encoding).to.deep.equal(toParsedMail(all));
    }
    const plain = mail(part("application/pdf", "QUJD"));
    expect(readable(plain)).to.equal(plain);
  });

  it("is found in linear time for any arrangement of boundaries", () => {
    for (const [boundary, line] of [
      ["b1", "--b1\r\n"],
      ["-", "---\r\n"],
      ["", "--\r\n"],
      ["b1", "--b1x"],
      ["b1", "\r\n--b"],
    ] as const)
      expectLinear(line, 500_000, (times) => {
        const head = `Content-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n`;
        readable(Buffer.from(`${head}${line.repeat(times)}\r\n`));
      });
  });

  it("is found in linear time where parts consist of a header only", () => {
    expectLinear("a header", 50_000, (times) => {
      const part = `--b1\r\n${"a:\r\n".repeat(times)}`;
      readable(Buffer.from(`Content-Type: multipart/mixed; boundary=b1\r\n\r\n${part.repeat(50)}--b1--\r\n`));
    });
  });
});

describe("The text that rules read of the mails in public collections", () => {
  before(needsCorpora);

  it("is the same when a large file is attached", async () => {
    const boundary = "outer-7c1f";
    for (const { name, content } of filesOf("mime/postal-mime", ".eml")) {
      const inner = content.toString("latin1").replace(/\r?\n/g, "\r\n");
      if (!/^content-type:/im.test(inner)) continue;
      const large = Buffer.from(
        `Subject: Outside\r\nContent-Type: multipart/mixed; boundary=${boundary}\r\n\r\n--${boundary}\r\n${inner}\r\n--${boundary}\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n${file}--${boundary}--\r\n`,
        "latin1",
      );
      const small = readable(large);
      expect(small.length, name).to.be.lessThan(large.length - 1_000_000);
      const [all, some] = await Promise.all([PostalMime.parse(large), PostalMime.parse(small)]);
      expect(toParsedMail(some).text, name).to.equal(toParsedMail(all).text);
    }
  });
});
