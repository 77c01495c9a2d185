/** Secrets of an installation, the same in each test, so that reverse addresses are. */
export const secrets = { hashing: new Uint8Array(32).fill(1), sealing: new Uint8Array(32).fill(2) };
