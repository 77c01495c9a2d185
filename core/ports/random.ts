/** Chance. */
export interface Random {
  /** `count` bytes fit for secrets. */
  readonly bytes: (count: number) => Uint8Array;
  /** A number in [0, 1): for jitter, not for secrets. */
  readonly fraction: () => number;
}

/** `count` random bytes in lower-case hexadecimal (two characters a byte). */
export const randomHex = (random: Random, count: number): string =>
  Array.from(random.bytes(count), (byte) => byte.toString(16).padStart(2, "0")).join("");
