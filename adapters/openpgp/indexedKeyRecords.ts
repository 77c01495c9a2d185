import { keyDatabase } from "./keyDatabase.ts";
import { type KeyRecord, type KeyRecords, makeSealingKey } from "./keyRecords.ts";

const version = 1;
const keys = "keys";
const sealing = "sealing";
const theOne = "key";

const answered = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const committed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    transaction.onerror = () => reject(transaction.error);
  });

const open = (factory: IDBFactory): Promise<IDBDatabase> => {
  const request = factory.open(keyDatabase, version);
  request.onupgradeneeded = () => {
    request.result
      .createObjectStore(keys, { keyPath: ["owner", "fingerprint"] })
      .createIndex("owner", "owner");
    request.result.createObjectStore(sealing);
  };
  return answered(request);
};

/** Keeps records in IndexedDB; another tab that deletes the database is not held up. */
export const makeIndexedKeyRecords = (factory: IDBFactory): KeyRecords => {
  let opening: Promise<IDBDatabase> | undefined;
  const forget = (): void => {
    opening = undefined;
  };
  const database = (): Promise<IDBDatabase> => {
    opening ??= open(factory).then((db) => {
      db.onversionchange = () => {
        db.close();
        forget();
      };
      db.onclose = forget;
      return db;
    });
    opening.catch(forget);
    return opening;
  };
  const change = async (what: (records: IDBObjectStore) => void): Promise<void> => {
    const transaction = (await database()).transaction(keys, "readwrite", { durability: "strict" });
    what(transaction.objectStore(keys));
    return committed(transaction);
  };
  /** Two tabs may make one at the same moment: the first that is kept counts. */
  const keptSealingKey = async (made?: CryptoKey): Promise<CryptoKey | undefined> => {
    const store = (await database()).transaction(sealing, "readwrite").objectStore(sealing);
    const known = (await answered(store.get(theOne))) as CryptoKey | undefined;
    if (known !== undefined || made === undefined) return known;
    await answered(store.add(made, theOne));
    return made;
  };
  return {
    all: async (owner) => {
      const store = (await database()).transaction(keys).objectStore(keys);
      return (await answered(store.index("owner").getAll(owner))) as readonly KeyRecord[];
    },
    put: (record) => change((records) => records.put(record)),
    remove: (owner, fingerprint) => change((records) => records.delete([owner, fingerprint])),
    sealingKey: async () => {
      const key = (await keptSealingKey()) ?? (await keptSealingKey(await makeSealingKey()));
      if (key === undefined) throw new Error("the sealing key was not kept");
      return key;
    },
  };
};
