/** A private key as it rests: sealed, with what may be known of it without opening it. */
export interface KeyRecord {
  readonly owner: string;
  readonly fingerprint: string;
  readonly publicKey: string;
  readonly since: number;
  readonly isBackedUp: boolean;
  /** Of AES-GCM, new for each record. */
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly sealed: ArrayBuffer;
}

/** Where records rest, and the key that seals them. */
export interface KeyRecords {
  readonly all: (owner: string) => Promise<readonly KeyRecord[]>;
  readonly put: (record: KeyRecord) => Promise<void>;
  readonly remove: (owner: string, fingerprint: string) => Promise<void>;
  /** The same at each call; it cannot be taken out of the environment. */
  readonly sealingKey: () => Promise<CryptoKey>;
}

/** An AES-GCM key that no script can read. */
export const makeSealingKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
