import type { Random } from "../../core/ports/random.ts";
import { type RecoveryCode, recoveryAlphabet, recoveryHalf } from "../../core/session/recoveryCode.ts";

/** How many are given out at once. */
const count = 10;

const newCode = (random: Random): RecoveryCode => {
  const drawn = [...random.bytes(2 * recoveryHalf)].map((byte) => recoveryAlphabet[byte & 31]).join("");
  return `${drawn.slice(0, recoveryHalf)}-${drawn.slice(recoveryHalf)}`;
};

/** Ten new codes of 50 random bits each, no two the same. */
export const newRecoveryCodes = (random: Random): readonly RecoveryCode[] => {
  const codes = new Set<RecoveryCode>();
  while (codes.size < count) codes.add(newCode(random));
  return [...codes];
};
