import { enums, type Key, readKeys, type Subkey } from "openpgp";

/** A key that mail can be encrypted to. */
export interface UsableKey {
  /** ASCII-armoured, the public part alone. */
  readonly publicKey: string;
  /** Upper-case hexadecimal. */
  readonly fingerprint: string;
}

/** What is wrong with a key, and what to do about it. */
export interface UnusableKey {
  readonly problem: string;
}

/** Armoured characters: a key with some hundred signatures on it has that many, one with a photo has more. */
const longestKey = 100_000;
const fewestRsaBits = 2_048;

const wrong = (problem: string): UnusableKey => ({ problem });

const noKey = wrong(
  "This is not a public key. Paste the whole block, from -----BEGIN PGP PUBLIC KEY BLOCK----- to its end.",
);

const blocks: readonly (readonly [string, UnusableKey])[] = [
  ["PRIVATE KEY", wrong("This is a private key. Keep it to yourself, and give us the public one.")],
  ["MESSAGE", wrong("This is an encrypted message, not a public key.")],
  ["SIGNATURE", wrong("This is a signature, not a public key.")],
];

const namesOf = (error: unknown): string => (error instanceof Error ? error.message : "");

const rsa = new Set(["rsaEncryptSign", "rsaEncrypt", "rsaSign"]);

const isWeak = ({ algorithm, bits = 0 }: { readonly algorithm: string; readonly bits?: number }): boolean =>
  algorithm === "elgamal" || (rsa.has(algorithm) && bits < fewestRsaBits);

/** Looking at these takes as long as whoever made the key wants (their numbers have no limit), and nobody should use them any more. */
const outdated = new Set(["dsa", "elgamal"]);

const encrypts = ({ bindingSignatures }: Subkey): boolean =>
  bindingSignatures.some(
    ({ keyFlags }) =>
      ((keyFlags?.[0] ?? 0) & (enums.keyFlags.encryptCommunication | enums.keyFlags.encryptStorage)) !== 0,
  );

/** Why none of the subkeys that encrypt can be used now. */
const subkeyProblem = async (key: Key, now: Date): Promise<UnusableKey> => {
  const able = key.subkeys.filter(encrypts);
  if (able.length === 0)
    return wrong("This key can sign but not encrypt. Add an encryption subkey to it, or make a new key.");
  const reasons = await Promise.all(able.map((one) => one.verify(now).then(() => "", namesOf)));
  if (reasons.some((reason) => /revoked/i.test(reason)))
    return wrong(
      "The encryption part of this key is revoked. Add a new encryption subkey, then export it again.",
    );
  if (reasons.some((reason) => /expired/i.test(reason)))
    return wrong(
      "The encryption part of this key has expired. Extend it or add a new one, then export the key again.",
    );
  return wrong("The encryption part of this key cannot be used. Make a new key.");
};

const primaryProblem = (error: unknown): UnusableKey => {
  const reason = namesOf(error);
  if (/revoked/i.test(reason)) return wrong("This key is revoked. Use another one.");
  if (/expired/i.test(reason))
    return wrong("This key has expired. Extend its validity and export it again, or use another one.");
  if (/future|created|not yet/i.test(reason))
    return wrong("This key is from the future. Check the clock of the device that made it.");
  return wrong("This key has no valid signature of its own. Export it again, or use another one.");
};

const usable = async (key: Key, now: Date): Promise<UsableKey | UnusableKey> => {
  if (key.getCreationTime() > now)
    return wrong("This key is from the future. Check the clock of the device that made it.");
  const primary = await key.verifyPrimaryKey(now).then(() => null, primaryProblem);
  if (primary) return primary;
  const encryption = await key.getEncryptionKey(undefined, now).catch(() => null);
  const parts = [key, ...key.subkeys.filter(encrypts)];
  if (parts.some((part) => isWeak(part.getAlgorithmInfo())))
    return wrong(`This key is too weak: RSA needs at least ${fewestRsaBits} bits. Make a new key.`);
  if (!encryption) return subkeyProblem(key, now);
  return { publicKey: key.toPublic().armor(), fingerprint: key.getFingerprint().toUpperCase() };
};

/**
 * Looks whether mail can be encrypted to an ASCII-armoured public key at a moment: one key, public, sound, neither
 * expired nor revoked, able to encrypt and not weak. Never rejects.
 */
export const checkPublicKey = async (armored: string, now: Date): Promise<UsableKey | UnusableKey> => {
  if (armored.length > longestKey)
    return wrong("This key is too large. Export it without photos and other people's signatures.");
  const other = blocks.find(([name]) => armored.includes(`-----BEGIN PGP ${name}`));
  if (other) return other[1];
  if (!armored.includes("-----BEGIN PGP PUBLIC KEY BLOCK-----")) return noKey;
  if (!armored.includes("-----END PGP PUBLIC KEY BLOCK-----"))
    return wrong("The end of this key is missing. Paste the whole block.");
  const keys = await readKeys({ armoredKeys: armored }).catch(() => null);
  if (!keys) return wrong("This key is damaged. Export it again and paste the whole block.");
  const [key, ...more] = keys;
  if (!key) return noKey;
  if (more.length > 0) return wrong(`This block holds ${keys.length} keys. Export the one to use alone.`);
  if (key.isPrivate()) return blocks[0]?.[1] ?? noKey;
  if (outdated.has(key.getAlgorithmInfo().algorithm))
    return wrong("This key is of a kind that is not safe any more (DSA, ElGamal). Make a new key.");
  return usable(key, now);
};
