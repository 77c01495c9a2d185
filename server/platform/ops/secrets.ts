import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { Random } from "../../../core/ports/random.ts";
import { errorCode } from "../errors/errorCode.ts";

/** The installation's keys, 32 bytes each. They grant access to every account and must not leave the data folder. */
export interface Secrets {
  /** Signs session tokens (JWT, HS256). */
  readonly signing: Uint8Array;
  /** Keys the hashes of codes, tickets, session secrets and confirmation tokens. */
  readonly hashing: Uint8Array;
  /** Encrypts stored secrets that the server must read again, such as authenticator secrets and recorded answers. */
  readonly sealing: Uint8Array;
}

const keyBytes = 32;

/**
 * Created at the first start with mode 600. The file appears with its content, because processes that share the
 * folder may start at the same time.
 */
const readOrCreateKey = (file: string): Uint8Array => {
  if (!existsSync(file)) {
    const created = `${file}.${process.pid}.new`;
    const handle = openSync(created, "w", 0o600);
    writeSync(handle, `${randomBytes(keyBytes).toString("base64")}\n`);
    fsyncSync(handle);
    closeSync(handle);
    try {
      linkSync(created, file);
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    } finally {
      unlinkSync(created);
    }
  }
  const existing = Buffer.from(readFileSync(file, "utf8").trim(), "base64");
  if (existing.length !== keyBytes)
    throw new Error(`${file} is damaged; expected ${keyBytes} bytes in base64.`);
  return existing;
};

/** True if a folder has any of the keys, so that it belongs to an installation. */
export const hasSecrets = (dataDir: string): boolean =>
  ["signing.key", "hashing.key", "sealing.key"].some((name) => existsSync(join(dataDir, name)));

/** Reads or creates the keys in `dataDir`, which must exist. Throws when a key file is damaged. */
export const openSecrets = (dataDir: string): Secrets => ({
  signing: readOrCreateKey(join(dataDir, "signing.key")),
  hashing: readOrCreateKey(join(dataDir, "hashing.key")),
  sealing: readOrCreateKey(join(dataDir, "sealing.key")),
});

const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** Encryption of stored text with the key of this installation (AES-256-GCM). */
export interface Seal {
  /** Encrypts text. `context` names its purpose and owner; decryption needs the same context. */
  readonly seal: (text: string, context: string) => string;
  /** Decrypts text. Throws when the key or the context differs, or the text is damaged. */
  readonly open: (sealed: string, context: string) => string;
  /** As `seal`, for bytes; the result is 28 bytes longer. */
  readonly sealBytes: (bytes: Uint8Array, context: string) => Buffer;
  /** As `open`, for bytes. */
  readonly openBytes: (sealed: Uint8Array, context: string) => Buffer;
}

export const createSeal = (key: Uint8Array, random: Random): Seal => {
  const sealBytes = (content: Uint8Array, context: string): Buffer => {
    const nonce = random.bytes(nonceBytes);
    const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(context));
    const body = [sealing.update(content), sealing.final()];
    return Buffer.concat([nonce, sealing.getAuthTag(), ...body]);
  };
  const openBytes = (sealed: Uint8Array, context: string): Buffer => {
    const nonce = sealed.subarray(0, nonceBytes);
    const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
    const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
      .setAAD(Buffer.from(context))
      .setAuthTag(tag);
    return Buffer.concat([opening.update(sealed.subarray(nonceBytes + tagBytes)), opening.final()]);
  };
  return {
    sealBytes,
    openBytes,
    seal: (text, context) => sealBytes(Buffer.from(text, "utf8"), context).toString("base64url"),
    open: (sealed, context) => openBytes(Buffer.from(sealed, "base64url"), context).toString("utf8"),
  };
};
