import { createSealingKey, type KeyRecord, type KeyRecords, keyDatabaseName } from "./keyRecords.ts";

const version = 1;
const keyStoreName = "keys";
const sealingStoreName = "sealing";
const sealingKeyId = "key";

const requestResult = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const transactionDone = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    transaction.onerror = () => reject(transaction.error);
  });

const open = (factory: IDBFactory): Promise<IDBDatabase> => {
  const request = factory.open(keyDatabaseName, version);
  request.onupgradeneeded = () => {
    request.result
      .createObjectStore(keyStoreName, { keyPath: ["owner", "fingerprint"] })
      .createIndex("owner", "owner");
    request.result.createObjectStore(sealingStoreName);
  };
  return requestResult(request);
};

/** Stores records in IndexedDB; closes the database when another tab deletes it. */
export const createIndexedKeyRecords = (factory: IDBFactory): KeyRecords => {
  let opening: Promise<IDBDatabase> | undefined;
  const clearOpening = (): void => {
    opening = undefined;
  };
  const database = (): Promise<IDBDatabase> => {
    opening ??= open(factory).then((db) => {
      db.onversionchange = () => {
        db.close();
        clearOpening();
      };
      db.onclose = clearOpening;
      return db;
    });
    opening.catch(clearOpening);
    return opening;
  };
  const writeRecords = async (write: (records: IDBObjectStore) => void): Promise<void> => {
    const transaction = (await database()).transaction(keyStoreName, "readwrite", { durability: "strict" });
    write(transaction.objectStore(keyStoreName));
    return transactionDone(transaction);
  };
  /** Stores the sealing key if there is none yet: of two tabs that create one, the first wins. */
  const storedSealingKey = async (made?: CryptoKey): Promise<CryptoKey | undefined> => {
    const store = (await database()).transaction(sealingStoreName, "readwrite").objectStore(sealingStoreName);
    const existing = (await requestResult(store.get(sealingKeyId))) as CryptoKey | undefined;
    if (existing !== undefined || made === undefined) return existing;
    await requestResult(store.add(made, sealingKeyId));
    return made;
  };
  return {
    all: async (owner) => {
      const store = (await database()).transaction(keyStoreName).objectStore(keyStoreName);
      return (await requestResult(store.index("owner").getAll(owner))) as readonly KeyRecord[];
    },
    put: (record) => writeRecords((records) => records.put(record)),
    remove: (owner, fingerprint) => writeRecords((records) => records.delete([owner, fingerprint])),
    sealingKey: async () => {
      const key = (await storedSealingKey()) ?? (await storedSealingKey(await createSealingKey()));
      if (key === undefined) throw new Error("the sealing key was not stored");
      return key;
    },
  };
};
