const utf8 = new TextDecoder("utf-8", { fatal: true });
const western = new TextDecoder("windows-1252");

/** Header bytes as text: UTF-8 (RFC 6532), and what is not UTF-8 as the junk it most often is. Never throws. */
export const textOf = (bytes: Uint8Array): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    return western.decode(bytes);
  }
};
