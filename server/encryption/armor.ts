import { crc24 } from "./crc24.ts";

const lineBreak = "\r\n";
const lineLength = 76;

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** ASCII in lines of 76 characters, each with its CRLF. */
const inLines = (text: string): Buffer => {
  const whole = Buffer.from(text, "latin1");
  const lines = Buffer.alloc(whole.length + lineBreak.length * Math.ceil(whole.length / lineLength));
  let end = 0;
  for (let start = 0; start < whole.length; start += lineLength) {
    end += whole.copy(lines, end, start, start + lineLength);
    end += lines.write(lineBreak, end, "latin1");
  }
  return lines;
};

/**
 * Bytes of an OpenPGP message as text (RFC 4880, 6.2), in lines of 76 characters that end in CRLF, and with the
 * checksum: RFC 9580 does without, but gpg finds no end to a message that ends on a whole group of three bytes.
 * Done here because it takes a library four times as long as all the encryption.
 */
export const armoredMessage = (bytes: Uint8Array): Buffer => {
  const checksum = Buffer.alloc(3);
  checksum.writeUIntBE(crc24(bytes), 0, 3);
  return Buffer.concat([
    Buffer.from(`-----BEGIN PGP MESSAGE-----${lineBreak}${lineBreak}`),
    inLines(bufferOf(bytes).toString("base64")),
    Buffer.from(`=${checksum.toString("base64")}${lineBreak}-----END PGP MESSAGE-----`),
  ]);
};
