const generator = 0x864cfb;
const initialCrc = 0xb704ce;

const remainderOfByte = (byte: number): number => {
  let remainder = byte << 16;
  for (let bit = 0; bit < 8; bit++) {
    remainder <<= 1;
    if (remainder & 0x1000000) remainder ^= generator;
  }
  return remainder & 0xffffff;
};

const entryAt = (table: Uint32Array, index: number): number => table[index] as number;

/** Remainders of a byte as the last, the second and the first of three. */
const thirdByte = Uint32Array.from({ length: 256 }, (_, byte) => remainderOfByte(byte));
const addByte = (crc: number): number => ((crc << 8) & 0xffffff) ^ entryAt(thirdByte, crc >>> 16);
const secondByte = thirdByte.map(addByte);
const firstByte = secondByte.map(addByte);

/** Returns the 24-bit checksum of ASCII armor (RFC 4880, 6.1), three bytes at a time. */
export const crc24 = (bytes: Uint8Array): number => {
  const whole = bytes.length - (bytes.length % 3);
  let crc = initialCrc;
  for (let n = 0; n < whole; n += 3) {
    const three = ((bytes[n] as number) << 16) | ((bytes[n + 1] as number) << 8) | (bytes[n + 2] as number);
    const left = crc ^ three;
    crc =
      entryAt(firstByte, left >>> 16) ^
      entryAt(secondByte, (left >>> 8) & 0xff) ^
      entryAt(thirdByte, left & 0xff);
  }
  for (let n = whole; n < bytes.length; n++) crc = addByte(crc ^ ((bytes[n] as number) << 16));
  return crc;
};

const lineBreak = "\r\n";
const lineLength = 76;

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Lines of 76 characters end in CRLF. */
const splitLines = (text: string): Buffer => {
  const bytes = Buffer.from(text, "latin1");
  const lines = Buffer.alloc(bytes.length + lineBreak.length * Math.ceil(bytes.length / lineLength));
  let end = 0;
  for (let start = 0; start < bytes.length; start += lineLength) {
    end += bytes.copy(lines, end, start, start + lineLength);
    end += lines.write(lineBreak, end, "latin1");
  }
  return lines;
};

/**
 * Encodes an OpenPGP message as ASCII armor (RFC 4880, 6.2), in lines of 76 characters that end in CRLF. It
 * includes the checksum, which RFC 9580 omits, because gpg otherwise finds no end of a message whose length is
 * a multiple of three. openpgp's own function takes four times as long as the encryption. Programs ignore the comments, one
 * line of ASCII each; people who open the message as a text read them first.
 */
export const armorMessage = (bytes: Uint8Array, comments: readonly string[] = []): Buffer => {
  const checksum = Buffer.alloc(3);
  checksum.writeUIntBE(crc24(bytes), 0, 3);
  return Buffer.concat([
    Buffer.from(
      ["-----BEGIN PGP MESSAGE-----", ...comments.map((line) => `Comment: ${line}`), "", ""].join(lineBreak),
    ),
    splitLines(toBuffer(bytes).toString("base64")),
    Buffer.from(`=${checksum.toString("base64")}${lineBreak}-----END PGP MESSAGE-----`),
  ]);
};
