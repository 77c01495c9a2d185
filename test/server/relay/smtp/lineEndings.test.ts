import { expect } from "chai";
import fc from "fast-check";
import { normalizeLineEndings } from "../../../../server/relay/smtp/lineEndings.ts";
import { expectLinear } from "../../../support/linearTime.ts";

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

  it("takes linear time for any mail", () => {
    for (const part of ["a line of text\r\n", "\n", "\r", "\r\n", "\0"])
      expectLinear(JSON.stringify(part), 1024 * 1024, (length) => {
        normalizeLineEndings(Buffer.alloc(length, part));
      });
  });
});
