import type { Random } from "../../core/ports/random.ts";
import type { OneTimeCode } from "../../core/session/oneTimeCode.ts";

const secretBytes = 32;

/** A new secret for a cookie, a ticket or a link: 256 random bits as 43 characters that are safe in addresses. */
export const newSecret = (random: Random): string =>
  Buffer.from(random.bytes(secretBytes)).toString("base64url");

/** 000001 to 999999: 000000 is what the existence probe sends, and never a code (D35). */
const codes = 999_999;
const range = 2 ** 32;
const fair = range - (range % codes);

/** A new six-digit code, each as likely as any other: what would favour some of them is drawn again. */
export const newCode = (random: Random): OneTimeCode => {
  for (;;) {
    const drawn = Buffer.from(random.bytes(4)).readUInt32BE();
    if (drawn < fair) return String((drawn % codes) + 1).padStart(6, "0");
  }
};
