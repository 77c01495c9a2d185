import { createHash } from "node:crypto";

const alphabet = "ybndrfg8ejkmcpqxot1uwisza345h769";

/** Encodes bytes in z-base-32; their number of bits must be divisible by 5. */
const zBase32 = (bytes: Uint8Array): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)] ?? "").join("");
};

/** Returns the name of a local part in a Web Key Directory (draft-koch-openpgp-webkey-service, 3.1). */
export const webKeyName = (localPart: string): string =>
  zBase32(
    createHash("sha1")
      .update(localPart.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()))
      .digest(),
  );
