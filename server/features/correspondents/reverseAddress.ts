import type { Random } from "../../../core/ports/random.ts";
import { isReverseAddress, reversePrefix } from "../../delivery/serviceAddresses.ts";

const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
/** Random bytes in a reverse address: 160 bits cannot be guessed. */
const chanceBytes = 20;

/** Base 32 (RFC 4648, 6) in lower case, without padding. */
const toBase32 = (bytes: Uint8Array): string => {
  let text = "";
  let value = 0;
  let bits = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(value >>> bits) & 31] ?? "";
      value &= (1 << bits) - 1;
    }
  }
  return text;
};

/** Returns the local part of a new reverse address: 35 octets. */
export const newReverseLocalPart = (random: Random): string =>
  `${reversePrefix}${toBase32(random.bytes(chanceBytes))}`;

/** Of the form of a reverse address, so that no mask has this name; nobody is behind it, as it says to whoever reads it. */
const unanswerable = `${reversePrefix}noaddressinthismailcanbeanswered`;

/** Returns the address that forwarded mail has where nobody can be answered; mail to it is refused with the reason. */
export const unanswerableAddress = (maskDomain: string): string => `${unanswerable}@${maskDomain}`;

/** True if a local part is that of the address to which no mail can go. */
export const isUnanswerable = (localPart: string): boolean => localPart.toLowerCase() === unanswerable;

/** Returns a local part in its stored form; null when it does not have the form of a reverse address. */
export const parseReverseLocalPart = (localPart: string): string | null => {
  const lower = localPart.toLowerCase();
  return isReverseAddress(lower) ? lower : null;
};
