import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Keys of this installation, 32 bytes each. Whoever has them can sign in as anybody: they never leave the data folder. */
export interface Secrets {
  /** Signs session tokens (JWT, HS256). */
  readonly signing: Uint8Array;
  /** Keys the hashes of codes, tickets, session secrets and confirmation tokens. */
  readonly hashing: Uint8Array;
  /** Seals what the store must be able to read again and nobody else may: authenticator secrets, kept answers. */
  readonly sealing: Uint8Array;
}

const keyBytes = 32;

/** Reads a key, or makes it at the first start, readable by its owner alone (mode 600). */
const key = (file: string): Uint8Array => {
  try {
    const handle = openSync(file, "wx", 0o600);
    const fresh = randomBytes(keyBytes);
    writeSync(handle, `${fresh.toString("base64")}\n`);
    fsyncSync(handle);
    closeSync(handle);
    return fresh;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  const known = Buffer.from(readFileSync(file, "utf8").trim(), "base64");
  if (known.length !== keyBytes)
    throw new Error(`${file} is damaged: it should hold ${keyBytes} bytes in base64.`);
  return known;
};

/** The secrets in `dataDir`, which must exist. */
export const openSecrets = (dataDir: string): Secrets => ({
  signing: key(join(dataDir, "signing.key")),
  hashing: key(join(dataDir, "hashing.key")),
  sealing: key(join(dataDir, "sealing.key")),
});
