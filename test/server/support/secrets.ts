/** Secrets of an installation, the same in each test, so that reverse addresses are. */
export const secrets = {
  signing: new Uint8Array(32).fill(3),
  hashing: new Uint8Array(32).fill(1),
  sealing: new Uint8Array(32).fill(2),
};
