const lineBreak = "\r\n";

/**
 * Bytes of an OpenPGP message as text (RFC 9580, 6.2), in lines of 76 characters that end in CRLF and without a
 * checksum. Done here because it takes a library four times as long as all the encryption.
 */
export const armoredMessage = (bytes: Uint8Array): string => {
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  const lines = base64.replaceAll(/.{76}(?!$)/g, `$&${lineBreak}`);
  return ["-----BEGIN PGP MESSAGE-----", "", lines, "-----END PGP MESSAGE-----"].join(lineBreak);
};
