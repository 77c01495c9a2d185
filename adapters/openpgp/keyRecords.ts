/** The name of the IndexedDB database of private keys. */
export const keyDatabaseName = "bauta-keys";

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
