import { type PrivateKey, readPrivateKey } from "openpgp";
import type { DeviceKey } from "../../core/ports/keyring.ts";
import { fingerprintOf } from "./armoredKeys.ts";
import type { KeyRecord, KeyRecords } from "./keyRecords.ts";
import { KeyringError } from "./keyringError.ts";

/** The private keys of owners, stored encrypted. */
export interface PrivateKeyStore {
  readonly list: (owner: string) => Promise<readonly DeviceKey[]>;
  /** Stores an unlocked private key; a stored one stays backed up if it was. */
  readonly add: (owner: string, key: PrivateKey, isBackedUp: boolean) => Promise<DeviceKey>;
  readonly unlocked: (owner: string, fingerprint: string) => Promise<PrivateKey>;
  readonly allUnlocked: (owner: string) => Promise<readonly PrivateKey[]>;
  readonly markBackedUp: (owner: string, fingerprint: string) => Promise<void>;
  readonly remove: (owner: string, fingerprint: string) => Promise<void>;
  /** Moves all keys to another owner; a key that this owner already has stays unchanged. */
  readonly rename: (from: string, to: string) => Promise<void>;
}

const ivBytes = 12;

const toDeviceKey = ({ fingerprint, publicKey, since, isBackedUp }: KeyRecord): DeviceKey => ({
  fingerprint,
  publicKey,
  since,
  isBackedUp,
});

/** The authenticated data of a record: it does not decrypt for another owner or key. */
const additionalDataOf = (owner: string, fingerprint: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify([owner, fingerprint]));

export const createPrivateKeyStore = (records: KeyRecords): PrivateKeyStore => {
  const find = async (owner: string, fingerprint: string): Promise<KeyRecord | undefined> =>
    (await records.all(owner)).find((record) => record.fingerprint === fingerprint);

  const decryptRecord = async ({ owner, fingerprint, iv, sealed }: KeyRecord): Promise<PrivateKey> => {
    const algorithm = { name: "AES-GCM", iv, additionalData: additionalDataOf(owner, fingerprint) };
    const bytes = await crypto.subtle.decrypt(algorithm, await records.sealingKey(), sealed);
    return readPrivateKey({ binaryKey: new Uint8Array(bytes) });
  };
  const encryptKey = async (owner: string, key: PrivateKey): Promise<Pick<KeyRecord, "iv" | "sealed">> => {
    const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
    const algorithm = { name: "AES-GCM", iv, additionalData: additionalDataOf(owner, fingerprintOf(key)) };
    const bytes = Uint8Array.from(key.write());
    return { iv, sealed: await crypto.subtle.encrypt(algorithm, await records.sealingKey(), bytes) };
  };

  return {
    list: async (owner) =>
      (await records.all(owner)).map(toDeviceKey).toSorted((one, other) => one.since - other.since),
    add: async (owner, key, isBackedUp) => {
      const fingerprint = fingerprintOf(key);
      const existing = await find(owner, fingerprint);
      const record: KeyRecord = {
        owner,
        fingerprint,
        publicKey: key.toPublic().armor(),
        since: existing?.since ?? Date.now(),
        isBackedUp: isBackedUp || existing?.isBackedUp === true,
        ...(await encryptKey(owner, key)),
      };
      await records.put(record);
      return toDeviceKey(record);
    },
    unlocked: async (owner, fingerprint) => {
      const record = await find(owner, fingerprint);
      if (!record) throw new KeyringError("no-such-key");
      return decryptRecord(record);
    },
    allUnlocked: async (owner) => Promise.all((await records.all(owner)).map(decryptRecord)),
    markBackedUp: async (owner, fingerprint) => {
      const record = await find(owner, fingerprint);
      if (!record) throw new KeyringError("no-such-key");
      await records.put({ ...record, isBackedUp: true });
    },
    remove: records.remove,
    rename: async (from, to) => {
      for (const record of await records.all(from)) {
        const { fingerprint } = record;
        if ((await find(to, fingerprint)) === undefined)
          await records.put({ ...record, owner: to, ...(await encryptKey(to, await decryptRecord(record))) });
        await records.remove(from, fingerprint);
      }
    },
  };
};
