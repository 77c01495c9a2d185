import { decryptKey, encryptKey, type PrivateKey, type PublicKey, readKey, readPrivateKey } from "openpgp";
import type { PublicKeyFacts } from "../../core/ports/keyring.ts";
import { KeyringError } from "./keyringError.ts";

/** Returns the fingerprint in upper-case hexadecimal. */
export const fingerprintOf = (key: PublicKey): string => key.getFingerprint().toUpperCase();

/** Exports a private key as ASCII armor, protected by the passphrase. */
export const exportPrivateKey = async (privateKey: PrivateKey, passphrase: string): Promise<string> =>
  (await encryptKey({ privateKey, passphrase })).armor();

const isBlock = (text: string, kind: string): boolean =>
  text.includes(`-----BEGIN PGP ${kind} KEY BLOCK-----`);

const requireDecryptionKey = async (key: PrivateKey): Promise<PrivateKey> => {
  const parts = await key.getDecryptionKeys(undefined, null).catch(() => []);
  if (parts.length === 0) throw new KeyringError("cannot-encrypt");
  return key;
};

/** Imports a private key from ASCII armor and unlocks it; unprotected keys are accepted as they are. */
export const importPrivateKey = async (text: string, passphrase: string): Promise<PrivateKey> => {
  if (!isBlock(text, "PRIVATE")) throw new KeyringError(isBlock(text, "PUBLIC") ? "public-key" : "not-a-key");
  const key = await readPrivateKey({ armoredKey: text }).catch(() => {
    throw new KeyringError("not-a-key");
  });
  if (key.isDecrypted()) return requireDecryptionKey(key);
  const unlocked = await decryptKey({ privateKey: key, passphrase }).catch(() => {
    throw new KeyringError("wrong-passphrase");
  });
  return requireDecryptionKey(unlocked);
};

/** Reads the facts of a public key; fails when mail cannot be encrypted to it. */
export const examinePublicKey = async (text: string): Promise<PublicKeyFacts> => {
  if (isBlock(text, "PRIVATE")) throw new KeyringError("private-key");
  if (!isBlock(text, "PUBLIC")) throw new KeyringError("not-a-key");
  const key = await readKey({ armoredKey: text }).catch(() => {
    throw new KeyringError("not-a-key");
  });
  const encrypting = await key.getEncryptionKey(undefined, null).catch(() => null);
  if (!encrypting) throw new KeyringError("cannot-encrypt");
  const expirations = await Promise.all([
    key.getExpirationTime(),
    "getExpirationTime" in encrypting ? encrypting.getExpirationTime() : null,
  ]);
  const ends = expirations.flatMap((end) => (end instanceof Date ? [end.getTime()] : []));
  return {
    fingerprint: fingerprintOf(key),
    userIds: key.getUserIDs(),
    expires: ends.length === 0 ? null : Math.min(...ends),
  };
};
