import { type DBSchema, type IDBPDatabase, openDB } from "idb";

/** An encrypted private key with its public facts. */
export interface KeyRecord {
  readonly owner: string;
  readonly fingerprint: string;
  readonly publicKey: string;
  readonly since: number;
  readonly isBackedUp: boolean;
  /** The initialization vector of AES-GCM, unique for each record. */
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly sealed: ArrayBuffer;
}

/** The storage of key records and of the key that encrypts them. */
export interface KeyRecords {
  readonly all: (owner: string) => Promise<readonly KeyRecord[]>;
  readonly put: (record: KeyRecord) => Promise<void>;
  readonly remove: (owner: string, fingerprint: string) => Promise<void>;
  /** Returns always the same key, which cannot be exported. */
  readonly sealingKey: () => Promise<CryptoKey>;
}

/** Creates an AES-GCM key that scripts cannot export. */
export const createSealingKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);

interface KeyDatabase extends DBSchema {
  keys: {
    key: [owner: string, fingerprint: string];
    value: KeyRecord;
    indexes: { owner: string };
  };
  sealing: { key: string; value: CryptoKey };
}

const version = 1;
const sealingKeyId = "key";
const strict = { durability: "strict" } as const;

/** Stores records in a database of IndexedDB; closes it when another tab deletes it. */
export const createIndexedKeyRecords = (name: string): KeyRecords => {
  let opening: Promise<IDBPDatabase<KeyDatabase>> | undefined;
  const clearOpening = (): void => {
    opening = undefined;
  };
  const open = (): Promise<IDBPDatabase<KeyDatabase>> =>
    openDB<KeyDatabase>(name, version, {
      upgrade: (database) => {
        database
          .createObjectStore("keys", { keyPath: ["owner", "fingerprint"] })
          .createIndex("owner", "owner");
        database.createObjectStore("sealing");
      },
      blocking: () => {
        void opening?.then((database) => database.close());
        clearOpening();
      },
      terminated: clearOpening,
    });
  const database = (): Promise<IDBPDatabase<KeyDatabase>> => {
    opening ??= open();
    opening.catch(clearOpening);
    return opening;
  };
  return {
    all: async (owner) => (await database()).getAllFromIndex("keys", "owner", owner),
    put: async (record) => {
      const { store, done } = (await database()).transaction("keys", "readwrite", strict);
      await Promise.all([store.put(record), done]);
    },
    remove: async (owner, fingerprint) => {
      const { store, done } = (await database()).transaction("keys", "readwrite", strict);
      await Promise.all([store.delete([owner, fingerprint]), done]);
    },
    sealingKey: async () => {
      const existing = await (await database()).get("sealing", sealingKeyId);
      if (existing !== undefined) return existing;
      const created = await createSealingKey();
      // Of two tabs that create a key, the first wins.
      const { store, done } = (await database()).transaction("sealing", "readwrite", strict);
      const first = await store.get(sealingKeyId);
      if (first === undefined) await store.add(created, sealingKeyId);
      await done;
      return first ?? created;
    },
  };
};
