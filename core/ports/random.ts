/** The source of randomness. */
export interface Random {
  /** Returns `count` cryptographically secure bytes. */
  readonly bytes: (count: number) => Uint8Array;
  /** Returns a number in [0, 1) for jitter, not for secrets. */
  readonly fraction: () => number;
}

/** Returns `count` random bytes in lower-case hexadecimal. */
export const randomHex = (random: Random, count: number): string =>
  Array.from(random.bytes(count), (byte) => byte.toString(16).padStart(2, "0")).join("");
