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

const at = (table: Uint32Array, index: number): number => table[index] as number;

/** What a byte leaves behind, when it is the last of three, the second, and the first. */
const third = Uint32Array.from({ length: 256 }, (_, byte) => ofByte(byte));
const oneFurther = (crc: number): number => ((crc << 8) & 0xffffff) ^ at(third, crc >>> 16);
const second = third.map(oneFurther);
const first = second.map(oneFurther);

/** The checksum of OpenPGP's armour, 24 bits (RFC 4880, 6.1). Takes three bytes, as long as it is itself, at a time. */
export const crc24 = (bytes: Uint8Array): number => {
  const whole = bytes.length - (bytes.length % 3);
  let crc = start;
  for (let n = 0; n < whole; n += 3) {
    const three = ((bytes[n] as number) << 16) | ((bytes[n + 1] as number) << 8) | (bytes[n + 2] as number);
    const left = crc ^ three;
    crc = at(first, left >>> 16) ^ at(second, (left >>> 8) & 0xff) ^ at(third, left & 0xff);
  }
  for (let n = whole; n < bytes.length; n++) crc = oneFurther(crc ^ ((bytes[n] as number) << 16));
  return crc;
};
