import { expect } from "chai";
import { withCrlf } from "../../../server/mime/lineBreaks.ts";
import { expectLinear } from "../../support/linearTime.ts";

describe("The line breaks of a text that is written into a mail", () => {
  it("are CRLF, one for each that a program meant", () => {
    expect(withCrlf("a\nb\rc\r\nd\r\r\ne\n\n\r\n\r\nf")).to.equal("a\r\nb\r\nc\r\nd\r\ne\r\n\r\n\r\n\r\nf");
  });

  it("are found in linear time", () => {
    for (const part of ["\r", "\n", "\r\r\n", "a\r"])
      expectLinear(JSON.stringify(part), 1024 * 1024, (length) => {
        withCrlf(part.repeat(length / part.length));
      });
  });
});
