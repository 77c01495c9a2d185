const generator = 0x864cfb;
const start = 0xb704ce;

const ofByte = (byte: number): number => {
  let remainder = byte << 16;
  for (let bit = 0; bit < 8; bit++) {
    remainder <<= 1;
    if (remainder & 0x1000000) remainder ^= generator;
  }
  return remainder & 0xffffff;
};

const table = Uint32Array.from({ length: 256 }, (_, byte) => ofByte(byte));

/** The checksum of OpenPGP's armour, 24 bits (RFC 4880, 6.1). Costs one look-up a byte. */
export const crc24 = (bytes: Uint8Array): number => {
  let crc = start;
  for (let at = 0; at < bytes.length; at++)
    crc = ((crc << 8) & 0xffffff) ^ (table[(crc >>> 16) ^ (bytes[at] as number)] as number);
  return crc;
};
