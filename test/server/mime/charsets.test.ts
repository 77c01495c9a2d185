import { expect } from "chai";
import {
  decodeEncodedWords,
  decodeWestern,
  encodeWestern,
  findDecoder,
} from "../../../server/mime/charsets.ts";

describe("Character sets", () => {
  it("include code pages of DOS, under their usual names", () => {
    const word = Buffer.from("Gr\x81\xe1e", "latin1");
    for (const label of [
      "cp850",
      "IBM850",
      "ibm-850",
      "850",
      "csPC850Multilingual",
      "cp437",
      "CP852",
      "ibm00858",
    ])
      expect(findDecoder(label)?.(word), label).to.equal("Grüße");
    expect(findDecoder("cp850")?.(Uint8Array.of(0xd5, 0xff))).to.equal("ı\u00a0");
    expect(findDecoder("cp858")?.(Uint8Array.of(0xd5))).to.equal("€");
    expect(findDecoder("iso-8859-2")?.(Uint8Array.of(0xb1))).to.equal("ą");
    expect(findDecoder("cp8500")).to.equal(null);
  });

  it("are guessed without losing a byte", () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    expect(encodeWestern(decodeWestern(bytes))?.equals(bytes)).to.equal(true);
    expect(encodeWestern("ł")).to.equal(null);
  });

  it("are decoded in encoded words", () => {
    expect(decodeEncodedWords("=?cp850?Q?Gr=81=E1e?= =?ibm852?B?pQ==?= und =?iso-8859-1?Q?=FC?=")).to.equal(
      "Grüßeą und ü",
    );
  });
});
