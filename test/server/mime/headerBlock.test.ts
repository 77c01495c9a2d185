import { expect } from "chai";
import fc from "fast-check";
import { readHeaderBlock } from "../../../server/mime/headerBlock.ts";
import { expectLinear } from "../../support/linearTime.ts";

const names = (mail: string): readonly string[] | undefined =>
  readHeaderBlock(Buffer.from(mail))?.fields.map(({ name }) => name);

describe("The header of a mail", () => {
  it("extends to the first empty line, with folded fields in one piece", () => {
    const mail = Buffer.from("From: a\r\nSubject: one\r\n two\r\n\tthree\r\nTo : b\r\n\r\nNot: this\r\n");
    const header = readHeaderBlock(mail);
    expect(
      header?.fields.map(({ name, valueStart, end }) => [name, mail.toString("utf8", valueStart, end)]),
    ).to.deep.equal([
      ["from", " a\r\n"],
      ["subject", " one\r\n two\r\n\tthree\r\n"],
      ["to", " b\r\n"],
    ]);
    expect(mail.toString("utf8", header?.end)).to.equal("\r\nNot: this\r\n");
  });

  it("skips lines that are no field, and does not end at a line of spaces", () => {
    expect(names("From: a\r\nno field here\r\nTo: b\r\n \r\nCc: c\r\n\r\nx\r\n")).to.deep.equal([
      "from",
      "to",
      "cc",
    ]);
    expect(names("From: a\r\nInval\xefd: x\r\nTo: b\r\n")).to.deep.equal(["from", "to"]);
  });

  it("is empty when the mail starts with an empty line or with text", () => {
    expect(names("\r\nFrom: a\r\n")).to.deep.equal([]);
    expect(readHeaderBlock(Buffer.from("Dear all\r\nFrom: a\r\n\r\n"))).to.deep.include({
      isText: true,
      end: 0,
    });
    expect(names("")).to.deep.equal([]);
  });

  it("is parsed in linear time, whatever it contains, and refused over 512 KiB", () => {
    const full = 512 * 1024;
    for (const piece of ["a\r\n", ":\r\n", "a:\r\n", " \r\n", "\r", "a: b", "a:\r\n\t\r\n"])
      expectLinear(JSON.stringify(piece), full / piece.length - 10, (times) => {
        const mail = Buffer.from(`A: b\r\n${piece.repeat(times)}`);
        expect(readHeaderBlock(mail), JSON.stringify(piece)).not.to.equal(null);
      });
    expect(readHeaderBlock(Buffer.from("A: b\r\n".repeat(full)))).to.equal(null);
  });

  it("consists of fields without gaps or overlaps", () => {
    const line = fc.constantFrom(
      "From: a",
      " folded",
      "junk",
      "Subject:",
      ">From x",
      "From x",
      "\t",
      "",
      "é: x",
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const mail = Buffer.from(lines.map((text) => `${text}\r\n`).join(""));
        const header = readHeaderBlock(mail);
        let last = 0;
        for (const { start, valueStart, end } of header?.fields ?? []) {
          expect(start).to.be.at.least(last);
          expect(valueStart).to.be.greaterThan(start);
          expect(end).to.be.at.least(valueStart);
          last = end;
        }
        expect(header?.end).to.be.within(last, mail.length);
      }),
    );
  });
});
