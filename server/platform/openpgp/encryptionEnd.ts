import { type Key, readKey } from "openpgp";

/** More changes of the subkey in use are not followed. */
const maxSubkeys = 20;

const millisecondsOf = (end: Date | number | null): number =>
  end instanceof Date ? end.getTime() : (end ?? 0);

/** Returns when the part of a key that encrypts at a moment ends; null when none does, Infinity without an end. */
const partEnd = async (key: Key, at: Date): Promise<number | null> => {
  const part = await key.getEncryptionKey(undefined, at).catch(() => null);
  if (!part) return null;
  const primary = millisecondsOf(await key.getExpirationTime());
  return "mainKey" in part ? Math.min(primary, millisecondsOf(await part.getExpirationTime(at))) : primary;
};

/**
 * Returns until when mail can be encrypted to a key from now on, in milliseconds since 1970: subkeys that follow each
 * other count together. null without an end; now when the key cannot be used already. Never rejects.
 */
export const encryptionEnd = async (key: Key, now: Date): Promise<number | null> => {
  let end = now.getTime();
  for (let n = 0; n < maxSubkeys; n += 1) {
    const next = await partEnd(key, new Date(end)).catch(() => null);
    if (next === Number.POSITIVE_INFINITY) return null;
    if (next === null || next <= end) return end;
    end = next;
  }
  return end;
};

/** Returns until when mail can be encrypted to a stored key, as `encryptionEnd`; now for one that cannot be read. */
export const storedKeyEnd = async (publicKey: string, now: Date): Promise<number | null> => {
  const key = await readKey({ armoredKey: publicKey }).catch(() => null);
  return key ? encryptionEnd(key, now) : now.getTime();
};
