import { expect } from "chai";
import fc from "fast-check";
import { normalizeLineEndings } from "../../../server/smtp/lineEndings.ts";
import { expectLinear } from "../../support/linearTime.ts";

const piece = fc.constantFrom("\r\n", "\r", "\n", "\0", ".", "text", "é");
const anyMail = fc.array(piece).map((pieces) => Buffer.from(pieces.join(""), "latin1"));

describe("The normalized form of a mail", () => {
  it("is the same buffer for a mail that is normalized already", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("\r\n", ".", "text", "é")), (pieces) => {
        const mail = Buffer.from(pieces.join(""), "latin1");
        expect(normalizeLineEndings(mail)).to.equal(mail);
      }),
    );
  });

  it("has CR and LF only together, and no NUL, and leaves everything else in its place", () => {
    fc.assert(
      fc.property(anyMail, (mail) => {
        const text = normalizeLineEndings(mail).toString("latin1");
        expect(text.replaceAll("\r\n", "")).not.to.match(/[\r\n]/);
        expect(text).not.to.include("\0");
        expect(text.replace(/[\r\n ]/g, "")).to.equal(mail.toString("latin1").replace(/[\r\n\0]/g, ""));
        expect(normalizeLineEndings(normalizeLineEndings(mail)).toString("latin1")).to.equal(text);
      }),
    );
  });

  it("has no blank where a program has written one CR or two too many before a line feed", () => {
    const normal = (text: string): string =>
      normalizeLineEndings(Buffer.from(text, "latin1")).toString("latin1");
    expect(normal("Hello =\r\r\nworld\r\r\r\n")).to.equal("Hello =\r\nworld\r\n");
    expect(normal("a\r\rb\r\n\r\r\nc")).to.equal("a  b\r\n\r\nc");
    expect(normal("\r\r\r\r\r\n")).to.equal("  \r\n");
  });

  it("takes linear time for any mail", () => {
    for (const part of ["a line of text\r\n", "\n", "\r", "\r\n", "\r\r\n", "\0"])
      expectLinear(JSON.stringify(part), 1024 * 1024, (length) => {
        normalizeLineEndings(Buffer.alloc(length, part));
      });
  });
});
