import { expect } from "chai";
import fc from "fast-check";
import { unarmor } from "openpgp";
import { armorMessage, crc24 } from "../../../../server/relay/encrypt/armor.ts";

describe("Armored text of an encrypted message", () => {
  it("decodes to the same bytes in every reader, for any length", () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 400 }), async (bytes) => {
        const { data } = await unarmor(armorMessage(bytes).toString());
        expect(Buffer.from(data as Uint8Array).equals(Buffer.from(bytes))).to.equal(true);
      }),
    ));

  it("ends with its checksum, without which gpg loses the end of one message in three", () => {
    expect(crc24(Buffer.from("123456789")).toString(16)).to.equal("21cf02");
    expect(crc24(Buffer.from("12345678")).toString(16)).to.equal("51953c");
    expect(crc24(Buffer.from("")).toString(16)).to.equal("b704ce");
    expect(armorMessage(Buffer.from("123456789")).toString().split("\r\n").at(-2)).to.equal("=Ic8C");
  });
});
