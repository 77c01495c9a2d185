import { enums, type Key, readKeys, type Subkey } from "openpgp";
import { encryptionEnd } from "./encryptionEnd.ts";

/** A key that mail can be encrypted to. */
export interface UsableKey {
  /** ASCII-armored, only the public part. */
  readonly publicKey: string;
  /** Upper-case hexadecimal. */
  readonly fingerprint: string;
  /** The end of the time in which mail can be encrypted to it, in milliseconds since 1970; null without an end. */
  readonly expires: number | null;
}

/** The reason why a key cannot be used, as a message for the user. */
export interface UnusableKey {
  readonly problem: string;
}

/** Armored characters: a key with several hundred signatures fits, a key with a photo does not. */
const maxKeyLength = 100_000;
const minRsaBits = 2_048;

const unusable = (problem: string): UnusableKey => ({ problem });

const noKey = unusable(
  "This is not a public key. Paste the whole block, from -----BEGIN PGP PUBLIC KEY BLOCK----- to its end.",
);

const otherBlocks: readonly (readonly [string, UnusableKey])[] = [
  ["PRIVATE KEY", unusable("This is a private key. Keep it to yourself, and paste the public key.")],
  ["MESSAGE", unusable("This is an encrypted message, not a public key.")],
  ["SIGNATURE", unusable("This is a signature, not a public key.")],
];

const errorText = (error: unknown): string => (error instanceof Error ? error.message : "");

const rsaAlgorithms = new Set(["rsaEncryptSign", "rsaEncrypt", "rsaSign"]);

/** True if a part of a key is too weak to encrypt to. */
export const isWeak = (part: Pick<Key, "getAlgorithmInfo">): boolean => {
  const { algorithm, bits = 0 } = part.getAlgorithmInfo();
  return algorithm === "elgamal" || (rsaAlgorithms.has(algorithm) && bits < minRsaBits);
};

/** Keys of these algorithms are unsafe, and their unlimited numbers could make the check take arbitrarily long. */
const unsafeAlgorithms = new Set(["dsa", "elgamal"]);

/** True if a key is of an algorithm whose signatures must not even be checked. */
export const isUnsafe = (key: Pick<Key, "getAlgorithmInfo">): boolean =>
  unsafeAlgorithms.has(key.getAlgorithmInfo().algorithm);

/** True if a subkey says that it encrypts. */
export const isEncryptionSubkey = ({ bindingSignatures }: Subkey): boolean =>
  bindingSignatures.some(
    ({ keyFlags }) =>
      ((keyFlags?.[0] ?? 0) & (enums.keyFlags.encryptCommunication | enums.keyFlags.encryptStorage)) !== 0,
  );

/** Returns why no encryption subkey is usable; null when one is. */
const subkeyProblem = async (key: Key, now: Date): Promise<UnusableKey> => {
  const able = key.subkeys.filter(isEncryptionSubkey);
  if (able.length === 0)
    return unusable(
      "This key can sign but not encrypt. Add an encryption subkey to it, or create a new key.",
    );
  const reasons = await Promise.all(able.map((one) => one.verify(now).then(() => "", errorText)));
  if (reasons.some((reason) => /revoked/i.test(reason)))
    return unusable(
      "The encryption part of this key is revoked. Add a new encryption subkey, then export it again.",
    );
  if (reasons.some((reason) => /expired/i.test(reason)))
    return unusable(
      "The encryption part of this key has expired. Extend it or add a new one, then export the key again.",
    );
  return unusable("The encryption part of this key cannot be used. Create a new key.");
};

const primaryProblem = (error: unknown): UnusableKey => {
  const reason = errorText(error);
  if (/revoked/i.test(reason)) return unusable("This key is revoked. Use another one.");
  if (/expired/i.test(reason))
    return unusable("This key has expired. Extend its validity and export it again, or use another one.");
  if (/future|created|not yet/i.test(reason))
    return unusable("This key is from the future. Check the clock of the device that made it.");
  return unusable("This key has no valid signature of its own. Export it again, or use another one.");
};

const checkKey = async (key: Key, now: Date): Promise<UsableKey | UnusableKey> => {
  if (key.getCreationTime() > now)
    return unusable("This key is from the future. Check the clock of the device that made it.");
  const primary = await key.verifyPrimaryKey(now).then(() => null, primaryProblem);
  if (primary) return primary;
  const encryption = await key.getEncryptionKey(undefined, now).catch(() => null);
  const parts = [key, ...key.subkeys.filter(isEncryptionSubkey)];
  if (parts.some(isWeak))
    return unusable(`This key is too weak: RSA needs at least ${minRsaBits} bits. Create a new key.`);
  if (!encryption) return subkeyProblem(key, now);
  return {
    publicKey: key.toPublic().armor(),
    fingerprint: key.getFingerprint().toUpperCase(),
    expires: await encryptionEnd(key, now),
  };
};

/**
 * Checks whether mail can be encrypted to an armored key: one public key, valid, able to encrypt, not weak,
 * expired or revoked. Never rejects.
 */
export const checkPublicKey = async (armored: string, now: Date): Promise<UsableKey | UnusableKey> => {
  if (armored.length > maxKeyLength)
    return unusable("This key is too large. Export it without photos and other people's signatures.");
  const other = otherBlocks.find(([name]) => armored.includes(`-----BEGIN PGP ${name}`));
  if (other) return other[1];
  if (!armored.includes("-----BEGIN PGP PUBLIC KEY BLOCK-----")) return noKey;
  if (!armored.includes("-----END PGP PUBLIC KEY BLOCK-----"))
    return unusable("The end of this key is missing. Paste the whole block.");
  const keys = await readKeys({ armoredKeys: armored }).catch(() => null);
  if (!keys) return unusable("This key is damaged. Export it again and paste the whole block.");
  const [key, ...more] = keys;
  if (!key) return noKey;
  if (more.length > 0) return unusable(`This block holds ${keys.length} keys. Export the one to use alone.`);
  if (key.isPrivate()) return otherBlocks[0]?.[1] ?? noKey;
  if (isUnsafe(key))
    return unusable("This key is of a kind that is not safe any more (DSA, ElGamal). Create a new key.");
  return checkKey(key, now);
};
