import { expect } from "chai";
import { encode, wrap } from "nodemailer/lib/qp";
import PostalMime from "postal-mime";
import { toParsedMail } from "../../../../core/mail/parsedMail.ts";
import { readHeaderBlock } from "../../../../server/mime/headerBlock.ts";
import {
  parseReducedMail,
  type ReducedMail,
  reduceMail,
} from "../../../../server/relay/evaluate/parseMail.ts";
import { onInputs } from "../../../support/corpora.ts";
import { expectLinear } from "../../../support/linearTime.ts";

const reduce = (mail: Buffer): ReducedMail => {
  const header = readHeaderBlock(mail);
  if (!header) throw new Error("no header");
  return reduceMail(mail, header);
};

const readable = (mail: Buffer): Uint8Array => reduce(mail).content;

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

/** Bytes of a reduced mail at most: text, HTML and attached mails, encoded, with the headers of 200 parts. */
const mostBytes = 2 * 1024 * 1024;

describe("The work for a mail that rules read", () => {
  const nested = (levels: number): string => "Content-Type: message/rfc822\r\n\r\n".repeat(levels);
  const bombs: Readonly<Record<string, Buffer>> = {
    "100,000 parts": mail(part("text/plain", "x").repeat(100_000)),
    "13,000 parts without a header in a small mail": mail("--b1\r\n\r\n\r\n".repeat(13_000)),
    "20,000 mails inside each other": Buffer.from(`Subject: Hello\r\n${nested(20_000)}x\r\n`),
    "100 mails inside each other, in each of 1,000 parts": mail(
      part("message/rfc822", `${nested(100)}x`).repeat(1_000),
    ),
    "150 attached mails of 20 parts": mail(
      part(
        "message/rfc822",
        `Content-Type: multipart/mixed; boundary=c\r\n\r\n${"--c\r\n\r\nx\r\n".repeat(20)}`,
      ).repeat(150),
    ),
    "20,000 multiparts inside each other": Buffer.from(
      `Subject: Hello\r\n${Array.from({ length: 20_000 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`).join("")}x\r\n`,
    ),
  };

  for (const [name, bomb] of Object.entries(bombs))
    it(`is that of its header where it consists of ${name}`, async () => {
      const reduced = reduce(bomb);
      expect([reduced.hasText, reduced.content.length < 200]).to.deep.equal([false, true]);
      const { subject, text } = await parseReducedMail(reduced);
      expect([subject, text]).to.deep.equal(["Hello", null]);
    });

  it("is bounded where it has as many parts as allowed, however large each of them is", () => {
    const words = "work and play\r\n".repeat(8_000);
    for (const [type, more] of [
      ["text/plain", ""],
      ["text/html", ""],
      ["text/html", "Content-Transfer-Encoding: quoted-printable\r\n"],
      ["message/rfc822", ""],
      ["message/rfc822", "Content-Transfer-Encoding: base64\r\n"],
      ["application/octet-stream", ""],
    ] as const) {
      const large = mail(part(type, `\r\n${words}`, more).repeat(200));
      const reduced = reduce(large);
      expect([reduced.hasText, large.length > 20_000_000]).to.deep.equal([true, true]);
      expect(reduced.content.length, type).to.be.below(mostBytes);
    }
  });
});

describe("The text that rules read of typical mails", () => {
  onInputs(["typicalMails"], ({ files }) => {
    it("is the same when a large file is attached", async () => {
      const boundary = "outer-7c1f";
      for (const { name, content } of files("typicalMails")) {
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
});
