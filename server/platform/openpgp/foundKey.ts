import { config, enums, type Key, readKeys, type User } from "openpgp";
import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import { isEncryptionSubkey, isUnsafe, isWeak } from "./checkPublicKey.ts";
import { encryptionEnd } from "./encryptionEnd.ts";

/** A key that was found for an address, and to which mail can be encrypted. */
export interface FoundKey {
  /** ASCII-armored, without pictures and the signatures of others. */
  readonly publicKey: string;
  /** Upper-case hexadecimal. */
  readonly fingerprint: string;
  /** The user ids that name the address. */
  readonly userIds: readonly string[];
  /** Of the part that encrypts, for people: "RSA 3072", "X25519". */
  readonly algorithm: string;
  /** In milliseconds since 1970. */
  readonly created: number;
  /** The end of the time in which mail can be encrypted to it, in milliseconds since 1970; null without an end. */
  readonly expires: number | null;
}

/** The reason for which what was found cannot be used. */
export type FoundKeyRefusal =
  | "not-a-key"
  | "too-large"
  | "other-address"
  | "expired"
  | "revoked"
  | "cannot-encrypt"
  | "weak"
  | "unusable";

/** The keys of one file: an old, revoked one may stand beside the one in use. */
const maxKeys = 10;
/** Of one key. */
const maxUserIds = 100;
const maxSubkeys = 50;
/** Armored characters, as of keys that users enter. */
const maxKeyLength = 100_000;

/** Signatures with SHA-1 can be forged, and nobody but the key itself vouches for what was found. */
const strict = {
  ...config,
  rejectHashAlgorithms: new Set([...config.rejectHashAlgorithms, enums.hash.sha1]),
};

const refusalOf = (error: unknown): FoundKeyRefusal => {
  const reason = error instanceof Error ? error.message : "";
  if (/revoked/i.test(reason)) return "revoked";
  if (/expired/i.test(reason)) return "expired";
  return /insecure/i.test(reason) ? "weak" : "unusable";
};

const armorStart = "-----BEGIN PGP PUBLIC KEY BLOCK-----";

const readAll = (bytes: Uint8Array): Promise<readonly Key[]> => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isArmored = text.toString("latin1", 0, 1_000).includes(armorStart);
  return isArmored ? readKeys({ armoredKeys: text.toString("latin1") }) : readKeys({ binaryKeys: bytes });
};

const namesAddress = ({ userID }: User, address: string): boolean =>
  userID !== null && isSameMailbox(userID.email, address);

const curveNames: Readonly<Record<string, string>> = {
  curve25519Legacy: "X25519",
  nistP256: "NIST P-256",
  nistP384: "NIST P-384",
  nistP521: "NIST P-521",
};

const algorithmOf = (part: Pick<Key, "getAlgorithmInfo">): string => {
  const { algorithm, bits, curve } = part.getAlgorithmInfo();
  if (bits !== undefined) return `${algorithm.startsWith("rsa") ? "RSA" : algorithm} ${bits}`;
  return curve === undefined ? algorithm.toUpperCase() : (curveNames[curve] ?? curve);
};

/** Returns the user ids of an address that the key has signed itself; why there are none otherwise. */
const validUserIds = async (
  key: Key,
  address: string,
  now: Date,
): Promise<readonly string[] | FoundKeyRefusal> => {
  const named = key.users.filter((user) => namesAddress(user, address));
  if (named.length === 0) return "other-address";
  const problems = await Promise.all(
    named.map((user) => user.verify(now, strict).then(() => null, refusalOf)),
  );
  const valid = named.filter((_, n) => problems[n] === null);
  if (valid.length === 0) return problems.find((problem) => problem !== null) ?? "unusable";
  return valid.flatMap(({ userID }) => userID?.userID ?? []);
};

/** Returns why no part of a key encrypts. */
const partRefusal = async (key: Key, now: Date): Promise<FoundKeyRefusal> => {
  const reasons = await Promise.all(
    key.subkeys.filter(isEncryptionSubkey).map((one) => one.verify(now, strict).then(() => null, refusalOf)),
  );
  return reasons.find((reason) => reason !== null) ?? "cannot-encrypt";
};

const examineKey = async (key: Key, address: string, now: Date): Promise<FoundKey | FoundKeyRefusal> => {
  if (key.isPrivate()) return "not-a-key";
  if (key.users.length > maxUserIds || key.subkeys.length > maxSubkeys) return "too-large";
  if (isUnsafe(key) || [key, ...key.subkeys.filter(isEncryptionSubkey)].some(isWeak)) return "weak";
  if (key.getCreationTime() > now) return "unusable";
  const userIds = await validUserIds(key, address, now);
  if (typeof userIds === "string") return userIds;
  const primary = await key.verifyPrimaryKey(now, undefined, strict).then(() => null, refusalOf);
  if (primary) return primary;
  const part = await key.getEncryptionKey(undefined, now, undefined, strict).catch(() => null);
  if (!part) return partRefusal(key, now);
  key.users = key.users.filter(({ userID }) => userID !== null);
  for (const user of key.users) user.otherCertifications = [];
  const publicKey = key.toPublic().armor();
  if (publicKey.length > maxKeyLength) return "too-large";
  return {
    publicKey,
    fingerprint: key.getFingerprint().toUpperCase(),
    userIds,
    algorithm: algorithmOf(part),
    created: key.getCreationTime().getTime(),
    expires: await encryptionEnd(key, now),
  };
};

/**
 * Reads keys that were found for an address, binary or armored, and returns the first to which mail can be encrypted:
 * valid, not weak, with a user id of the address that it has signed itself. Otherwise why the first one that names the
 * address cannot be used. Never rejects, and belongs into a thread: keys can take arbitrarily long.
 */
export const examineFoundKeys = async (
  bytes: Uint8Array,
  address: string,
  now: Date,
): Promise<FoundKey | FoundKeyRefusal> => {
  const keys = await readAll(bytes).catch(() => []);
  if (keys.length === 0) return "not-a-key";
  if (keys.length > maxKeys) return "too-large";
  let refusal: FoundKeyRefusal | null = null;
  for (const key of keys) {
    const examined = await examineKey(key, address, now).catch(() => "unusable" as const);
    if (typeof examined !== "string") return examined;
    if (refusal === null || refusal === "other-address") refusal = examined;
  }
  return refusal ?? "not-a-key";
};
