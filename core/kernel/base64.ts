const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The value of a letter by its code; none for other characters. */
const values: readonly (number | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const value = letters.indexOf(String.fromCharCode(code));
  return value < 0 ? undefined : value;
});

/** Returns the bytes of a text in base 64 (RFC 4648, 4); letters that it does not have are ignored. */
export const decodeBase64 = (text: string): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let length = 0;
  let buffer = 0;
  let bits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const value = values[text.charCodeAt(at)];
    if (value === undefined) continue;
    buffer = ((buffer << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length] = (buffer >> bits) & 0xff;
    length += 1;
  }
  return bytes.slice(0, length);
};
