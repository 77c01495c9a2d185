import { crc24 } from "./crc24.ts";

const lineBreak = "\r\n";

/**
 * Bytes of an OpenPGP message as text (RFC 4880, 6.2), in lines of 76 characters that end in CRLF, and with the
 * checksum: RFC 9580 does without, but gpg finds no end to a message that ends on a whole group of three bytes.
 * Done here because it takes a library four times as long as all the encryption.
 */
export const armoredMessage = (bytes: Uint8Array): string => {
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  const lines = base64.replaceAll(/.{76}(?!$)/g, `$&${lineBreak}`);
  const checksum = Buffer.alloc(3);
  checksum.writeUIntBE(crc24(bytes), 0, 3);
  return [
    "-----BEGIN PGP MESSAGE-----",
    "",
    lines,
    `=${checksum.toString("base64")}`,
    "-----END PGP MESSAGE-----",
  ].join(lineBreak);
};
