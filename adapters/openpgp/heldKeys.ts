import { type PrivateKey, readPrivateKey } from "openpgp";
import type { HeldKey } from "../../core/ports/keyring.ts";
import { fingerprintOf } from "./armoredKeys.ts";
import type { KeyRecord, KeyRecords } from "./keyRecords.ts";
import { Refused } from "./refused.ts";

/** An owner's private keys, at rest and unlocked. */
export interface HeldKeys {
  readonly list: (owner: string) => Promise<readonly HeldKey[]>;
  /** Keeps a private key that is not protected; one that is here already stays, and counts as backed up if either does. */
  readonly keep: (owner: string, key: PrivateKey, isBackedUp: boolean) => Promise<HeldKey>;
  readonly unlocked: (owner: string, fingerprint: string) => Promise<PrivateKey>;
  readonly allUnlocked: (owner: string) => Promise<readonly PrivateKey[]>;
  readonly markBackedUp: (owner: string, fingerprint: string) => Promise<void>;
  readonly remove: (owner: string, fingerprint: string) => Promise<void>;
  /** A key that the new owner has already stays as it is there. */
  readonly rename: (from: string, to: string) => Promise<void>;
}

const ivBytes = 12;

const heldOf = ({ fingerprint, publicKey, since, isBackedUp }: KeyRecord): HeldKey => ({
  fingerprint,
  publicKey,
  since,
  isBackedUp,
});

/** A record counts for its owner and its key alone: moved elsewhere it does not open. */
const placeOf = (owner: string, fingerprint: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify([owner, fingerprint]));

export const makeHeldKeys = (records: KeyRecords): HeldKeys => {
  const find = async (owner: string, fingerprint: string): Promise<KeyRecord | undefined> =>
    (await records.all(owner)).find((record) => record.fingerprint === fingerprint);

  const opened = async ({ owner, fingerprint, iv, sealed }: KeyRecord): Promise<PrivateKey> => {
    const algorithm = { name: "AES-GCM", iv, additionalData: placeOf(owner, fingerprint) };
    const bytes = await crypto.subtle.decrypt(algorithm, await records.sealingKey(), sealed);
    return readPrivateKey({ binaryKey: new Uint8Array(bytes) });
  };
  const seal = async (owner: string, key: PrivateKey): Promise<Pick<KeyRecord, "iv" | "sealed">> => {
    const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
    const algorithm = { name: "AES-GCM", iv, additionalData: placeOf(owner, fingerprintOf(key)) };
    const bytes = Uint8Array.from(key.write());
    return { iv, sealed: await crypto.subtle.encrypt(algorithm, await records.sealingKey(), bytes) };
  };

  return {
    list: async (owner) =>
      (await records.all(owner)).map(heldOf).toSorted((one, other) => one.since - other.since),
    keep: async (owner, key, isBackedUp) => {
      const fingerprint = fingerprintOf(key);
      const before = await find(owner, fingerprint);
      const record: KeyRecord = {
        owner,
        fingerprint,
        publicKey: key.toPublic().armor(),
        since: before?.since ?? Date.now(),
        isBackedUp: isBackedUp || before?.isBackedUp === true,
        ...(await seal(owner, key)),
      };
      await records.put(record);
      return heldOf(record);
    },
    unlocked: async (owner, fingerprint) => {
      const record = await find(owner, fingerprint);
      if (!record) throw new Refused("no-such-key");
      return opened(record);
    },
    allUnlocked: async (owner) => Promise.all((await records.all(owner)).map(opened)),
    markBackedUp: async (owner, fingerprint) => {
      const record = await find(owner, fingerprint);
      if (!record) throw new Refused("no-such-key");
      await records.put({ ...record, isBackedUp: true });
    },
    remove: records.remove,
    rename: async (from, to) => {
      for (const record of await records.all(from)) {
        const { fingerprint } = record;
        if ((await find(to, fingerprint)) === undefined)
          await records.put({ ...record, owner: to, ...(await seal(to, await opened(record))) });
        await records.remove(from, fingerprint);
      }
    },
  };
};
