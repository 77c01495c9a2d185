import { expect } from "chai";
import fc from "fast-check";
import { decodeBase64 } from "../../../core/kernel/base64.ts";

describe("Base 64", () => {
  it("is decoded to the bytes that were encoded, with line ends in it or not", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.boolean(), (bytes, hasLines) => {
        const encoded = Buffer.from(bytes).toString("base64");
        const text = hasLines ? encoded.replace(/.{1,76}/g, "$&\r\n") : encoded;
        expect(Buffer.from(decodeBase64(text)).equals(Buffer.from(bytes))).to.equal(true);
      }),
    );
  });

  it("is decoded in linear time without what is no letter of it", () => {
    expect([...decodeBase64("Y W?J j")]).to.deep.equal([97, 98, 99]);
    expect([...decodeBase64("")]).to.deep.equal([]);
  });
});
