import {
  decryptKey,
  encryptKey,
  generateKey,
  type PrivateKey,
  type PublicKey,
  readKey,
  readPrivateKey,
} from "openpgp";
import type { PublicKeyFacts } from "../../core/ports/keyring.ts";
import { Refused } from "./refused.ts";

/** A key that named an address would tell everybody who looks it up whose masks these are. */
const nobody = { name: "Mask owner" };

/** Upper-case hexadecimal. */
export const fingerprintOf = (key: PublicKey): string => key.getFingerprint().toUpperCase();

/** Of all that programs make, this is what gpg, sq and the others can read mail with. */
export const makeKey = async (): Promise<PrivateKey> => {
  const { privateKey } = await generateKey({
    type: "ecc",
    curve: "curve25519Legacy",
    userIDs: [nobody],
    format: "object",
  });
  return privateKey;
};

/** The private key as text that only the passphrase opens. */
export const protectedCopy = async (privateKey: PrivateKey, passphrase: string): Promise<string> =>
  (await encryptKey({ privateKey, passphrase })).armor();

const isBlock = (text: string, kind: string): boolean =>
  text.includes(`-----BEGIN PGP ${kind} KEY BLOCK-----`);

const ableToOpen = async (key: PrivateKey): Promise<PrivateKey> => {
  const parts = await key.getDecryptionKeys(undefined, null).catch(() => []);
  if (parts.length === 0) throw new Refused("cannot-encrypt");
  return key;
};

/** The key of a protected copy, unlocked; one that is not protected is taken as it is. */
export const unlockedCopy = async (text: string, passphrase: string): Promise<PrivateKey> => {
  if (!isBlock(text, "PRIVATE")) throw new Refused(isBlock(text, "PUBLIC") ? "public-key" : "not-a-key");
  const key = await readPrivateKey({ armoredKey: text }).catch(() => {
    throw new Refused("not-a-key");
  });
  if (key.isDecrypted()) return ableToOpen(key);
  const unlocked = await decryptKey({ privateKey: key, passphrase }).catch(() => {
    throw new Refused("wrong-passphrase");
  });
  return ableToOpen(unlocked);
};

/** What a public key says of itself. */
export const examinePublicKey = async (text: string): Promise<PublicKeyFacts> => {
  if (isBlock(text, "PRIVATE")) throw new Refused("private-key");
  if (!isBlock(text, "PUBLIC")) throw new Refused("not-a-key");
  const key = await readKey({ armoredKey: text }).catch(() => {
    throw new Refused("not-a-key");
  });
  const encrypting = await key.getEncryptionKey(undefined, null).catch(() => null);
  if (!encrypting) throw new Refused("cannot-encrypt");
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
