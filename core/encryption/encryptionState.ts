import type { HeldKey } from "../ports/keyring.ts";

/** Whether mail is encrypted, and what this device has to do with it. */
export type EncryptionState =
  | { readonly at: "loading" }
  /** The server did not tell. */
  | { readonly at: "unknown"; readonly sentence: string }
  /** The server has no encryption (D12). */
  | { readonly at: "not-offered" }
  /** Mail comes as it is. `spare`: a backed-up key on this device that could be used. */
  | { readonly at: "off"; readonly spare: HeldKey | null; readonly canHoldKeys: boolean }
  /** A key is being made; `percent` from 0 to 100 (KE1). */
  | { readonly at: "making"; readonly percent: number }
  /** A key was made and nothing uses it yet: its backup comes first. */
  | { readonly at: "made"; readonly key: HeldKey; readonly replaces: boolean }
  | ({ readonly at: "on" } & UseOfKey);

/** The key that mail is encrypted to. */
export interface UseOfKey {
  /** Upper-case hexadecimal; null while only the server knows it. */
  readonly fingerprint: string | null;
  /** Present where this device can open the mail. */
  readonly key: HeldKey | null;
  /** How many other private keys this device holds: they still open older mail. */
  readonly olderKeys: number;
  /** The server failed while it took the key, and has not said since whether it did (KE2). */
  readonly isAssumed: boolean;
  /** When it ends, in milliseconds since 1970; null when it never does, or that is not known. */
  readonly expires: number | null;
  readonly hasExpired: boolean;
  readonly canHoldKeys: boolean;
  /** Whether senders can ask for the key by the address of a mask; null while that is not known. */
  readonly isPublished: boolean | null;
}

/** What the server told. */
export type ToldStatus =
  | { readonly kind: "not-asked" | "not-offered" | "off" }
  | { readonly kind: "failed"; readonly sentence: string }
  | { readonly kind: "on"; readonly fingerprint: string | null; readonly isAssumed: boolean };

/** All that is known of somebody's encryption. */
export interface Knowledge {
  readonly told: ToldStatus;
  /** null while that is not known. */
  readonly held: readonly HeldKey[] | null;
  readonly canHoldKeys: boolean;
  /** How far the making of a key has come; null while none is made. */
  readonly percent: number | null;
  /** When the key in use ends. */
  readonly expires: number | null;
  /** Whether senders can ask for the key in use. */
  readonly isPublished: boolean | null;
}

export const nothingKnown: Knowledge = {
  told: { kind: "not-asked" },
  held: null,
  canHoldKeys: true,
  percent: null,
  expires: null,
  isPublished: null,
};

/** What follows from what is known at a moment (milliseconds since 1970). */
export const stateOf = (
  { told, held, canHoldKeys, percent, expires, isPublished }: Knowledge,
  now: number,
): EncryptionState => {
  if (told.kind === "not-offered") return { at: "not-offered" };
  if (percent !== null) return { at: "making", percent };
  if (told.kind === "failed") return { at: "unknown", sentence: told.sentence };
  if (told.kind === "not-asked" || held === null) return { at: "loading" };
  const inUse = told.kind === "on" ? told.fingerprint : null;
  const fresh = held.findLast((key) => !key.isBackedUp && key.fingerprint !== inUse);
  if (fresh) return { at: "made", key: fresh, replaces: told.kind === "on" };
  if (told.kind !== "on")
    return { at: "off", spare: held.findLast((key) => key.isBackedUp) ?? null, canHoldKeys };
  const key = held.find(({ fingerprint }) => fingerprint === inUse) ?? null;
  return {
    at: "on",
    fingerprint: inUse,
    key,
    olderKeys: held.length - (key === null ? 0 : 1),
    isAssumed: told.isAssumed,
    expires,
    hasExpired: expires !== null && expires <= now,
    canHoldKeys,
    isPublished,
  };
};
