import type { DeviceKey } from "../ports/keyring.ts";

/** The state of encryption as it is shown. */
export type EncryptionState =
  | ({ readonly at: "loading" } & KnownFromAccount)
  /** The server's status could not be loaded. */
  | ({ readonly at: "unknown"; readonly message: string } & KnownFromAccount)
  /** The server does not support encryption (D12). */
  | { readonly at: "not-offered" }
  /** Encryption is off. `spare`: a backed-up key on this device that could be used. */
  | {
      readonly at: "off";
      readonly spare: DeviceKey | null;
      readonly canHoldKeys: boolean;
      /** The code that keeps keys could not be loaded, so that nothing is known about this device. */
      readonly isKeyringMissing?: true;
    }
  /** A key is being generated; `percent` from 0 to 100 (KE1). */
  | { readonly at: "making"; readonly percent: number }
  /** A key was generated and is not used yet: it must be backed up first. */
  | { readonly at: "made"; readonly key: DeviceKey; readonly replaces: boolean }
  | ({ readonly at: "on" } & KeyInUse);

/** The knowledge about encryption while the status of the keys is unknown. */
interface KnownFromAccount {
  /** The account says that encryption is set up. */
  readonly isConfigured?: true;
}

/** The key that mail is encrypted to. */
export interface KeyInUse {
  /** Upper-case hexadecimal; null while only the server knows it. */
  readonly fingerprint: string | null;
  /** The key pair on this device; null when this device cannot open the mail. */
  readonly key: DeviceKey | null;
  /** The number of other private keys on this device, which open older mail. */
  readonly olderKeys: number;
  /** True if the server failed while saving the key and has not confirmed it since (KE2). */
  readonly isAssumed: boolean;
  /** The expiration time in milliseconds since 1970; null when the key does not expire or the time is unknown. */
  readonly expires: number | null;
  readonly hasExpired: boolean;
  readonly canHoldKeys: boolean;
  /** True if senders can look up the key by the address of a mask; null while unknown. */
  readonly isPublished: boolean | null;
}

/** The encryption status on the server. */
export type ServerStatus =
  | { readonly kind: "not-asked" | "not-offered" | "off" }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "on"; readonly fingerprint: string | null; readonly isAssumed: boolean };

/** Everything known about the user's encryption. */
export interface EncryptionSnapshot {
  readonly serverStatus: ServerStatus;
  /** True if the account says that encryption is set up. */
  readonly isConfigured: boolean;
  /** The keys on this device; null while unknown. */
  readonly deviceKeys: readonly DeviceKey[] | null;
  readonly canHoldKeys: boolean;
  readonly isKeyringMissing: boolean;
  /** The progress of key generation; null while no key is generated. */
  readonly percent: number | null;
  readonly expires: number | null;
  readonly isPublished: boolean | null;
}

export const emptySnapshot: EncryptionSnapshot = {
  serverStatus: { kind: "not-asked" },
  isConfigured: false,
  deviceKeys: null,
  canHoldKeys: true,
  isKeyringMissing: false,
  percent: null,
  expires: null,
  isPublished: null,
};

/** Derives the shown state at a time (milliseconds since 1970). */
export const toEncryptionState = (
  {
    serverStatus,
    isConfigured,
    deviceKeys,
    canHoldKeys,
    isKeyringMissing,
    percent,
    expires,
    isPublished,
  }: EncryptionSnapshot,
  now: number,
): EncryptionState => {
  if (serverStatus.kind === "not-offered") return { at: "not-offered" };
  if (percent !== null) return { at: "making", percent };
  const known: KnownFromAccount = isConfigured ? { isConfigured } : {};
  if (serverStatus.kind === "failed") return { at: "unknown", message: serverStatus.message, ...known };
  if (serverStatus.kind === "not-asked" || deviceKeys === null) return { at: "loading", ...known };
  const inUse = serverStatus.kind === "on" ? serverStatus.fingerprint : null;
  const unusedKey = deviceKeys.findLast((key) => !key.isBackedUp && key.fingerprint !== inUse);
  if (unusedKey) return { at: "made", key: unusedKey, replaces: serverStatus.kind === "on" };
  if (serverStatus.kind !== "on")
    return {
      at: "off",
      spare: deviceKeys.findLast((key) => key.isBackedUp) ?? null,
      canHoldKeys,
      ...(isKeyringMissing && { isKeyringMissing }),
    };
  const key = deviceKeys.find(({ fingerprint }) => fingerprint === inUse) ?? null;
  return {
    at: "on",
    fingerprint: inUse,
    key,
    olderKeys: deviceKeys.length - (key === null ? 0 : 1),
    isAssumed: serverStatus.isAssumed,
    expires,
    hasExpired: expires !== null && expires <= now,
    canHoldKeys,
    isPublished,
  };
};
