const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Returns the ASCII text of base64url (RFC 4648, 5); other characters are passed over. */
const decodeBase64Url = (text: string): string => {
  const bits = [...text]
    .map((character) => alphabet.indexOf(character))
    .filter((value) => value >= 0)
    .map((value) => value.toString(2).padStart(6, "0"))
    .join("");
  return (bits.match(/.{8}/g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join("");
};

const sidPattern = /"sid"\s*:\s*"([\w-]{1,100})"/;

/** Returns the id of a token's session, its claim `sid`, which is no secret; null where the token has none. */
export const sessionIdOf = (token: string | null): string | null =>
  sidPattern.exec(decodeBase64Url(token?.split(".")[1] ?? ""))?.[1] ?? null;
