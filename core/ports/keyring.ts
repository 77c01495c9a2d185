import type { TaskEither } from "fp-ts/lib/TaskEither.js";

/** A key pair whose private key is stored on this device. */
export interface DeviceKey {
  /** Upper-case hexadecimal. */
  readonly fingerprint: string;
  /** ASCII-armored (RFC 9580, 6.2). */
  readonly publicKey: string;
  /** The time at which the key was added to this device, in milliseconds since 1970. */
  readonly since: number;
  readonly isBackedUp: boolean;
}

/** The properties of a public key. */
export interface PublicKeyFacts {
  /** Upper-case hexadecimal. */
  readonly fingerprint: string;
  readonly userIds: readonly string[];
  /** In milliseconds since 1970; null when the key never expires. */
  readonly expires: number | null;
}

/** An attachment of a mail. */
export interface MailAttachment {
  readonly name: string;
  /** The media type, as in "image/png". */
  readonly type: string;
  /** The Content-ID by which the mail's text refers to it (RFC 2392), without angle brackets; empty if there is none. */
  readonly contentId: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** A parsed and decrypted mail. Its content is not sanitized. */
export interface OpenedMail {
  readonly wasEncrypted: boolean;
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly cc: string;
  /** ISO 8601; empty when the mail has no valid date. */
  readonly date: string;
  /** With its angle brackets; empty when the mail has none. */
  readonly messageId: string;
  /** null when the mail has no plain text part; likewise `html`. */
  readonly text: string | null;
  readonly html: string | null;
  readonly attachments: readonly MailAttachment[];
}

/** The reason for which a keyring operation failed. */
export type KeyringRefusal =
  /** The text contains no key, or a damaged one. */
  | "not-a-key"
  /** The text is a public key, but a private key is needed. */
  | "public-key"
  /** The text is a private key, but a public key is needed. */
  | "private-key"
  /** The key has no subkey that can encrypt. */
  | "cannot-encrypt"
  | "wrong-passphrase"
  /** The key is not on this device, or the mail is encrypted to other keys. */
  | "no-such-key"
  /** The mail is damaged or was modified in transit. */
  | "damaged"
  | "too-large"
  /** The code that keeps keys could not be loaded, or has stopped. */
  | "not-loaded"
  /** The environment has no key storage, or refuses access to it. */
  | "unavailable";

/**
 * The private keys on a device. Each key belongs to an owner, identified by address, and other users cannot use it. A
 * private key leaves the keyring only when it is protected by a passphrase.
 */
export interface Keyring {
  /** Lists the owner's keys on this device, the oldest first. */
  readonly list: (owner: string) => TaskEither<KeyringRefusal, readonly DeviceKey[]>;
  /** Generates and stores a key pair without a user ID (RFC 9580 version 4, legacy Curve25519). */
  readonly create: (owner: string) => TaskEither<KeyringRefusal, DeviceKey>;
  /** Exports the private key, ASCII-armored and protected by the passphrase. */
  readonly protect: (
    owner: string,
    fingerprint: string,
    passphrase: string,
  ) => TaskEither<KeyringRefusal, string>;
  readonly markBackedUp: (owner: string, fingerprint: string) => TaskEither<KeyringRefusal, void>;
  /** Imports a private key that `protect` or another OpenPGP program has exported; a key that is already stored stays. */
  readonly import: (
    owner: string,
    armored: string,
    passphrase: string,
  ) => TaskEither<KeyringRefusal, DeviceKey>;
  /** Deletes a key; this device can then no longer decrypt mail that is encrypted to it. */
  readonly remove: (owner: string, fingerprint: string) => TaskEither<KeyringRefusal, void>;
  /** Moves all keys of an owner to the owner's new address. */
  readonly rename: (from: string, to: string) => TaskEither<KeyringRefusal, void>;
  /** Deletes all keys of all owners, in all tabs. */
  readonly forgetAll: () => TaskEither<KeyringRefusal, void>;
  readonly examine: (armored: string) => TaskEither<KeyringRefusal, PublicKeyFacts>;
  /** Parses a mail (RFC 5322 bytes) and decrypts it with the owner's keys if it is PGP/MIME or inline PGP. */
  readonly open: (owner: string, mail: Uint8Array<ArrayBuffer>) => TaskEither<KeyringRefusal, OpenedMail>;
  /**
   * Decrypts texts, each an OpenPGP message in base 64, with the owner's keys; null for one that is damaged or encrypted to
   * other keys.
   */
  readonly decrypt: (
    owner: string,
    messages: readonly string[],
  ) => TaskEither<KeyringRefusal, readonly (string | null)[]>;
  /** Decrypts an OpenPGP message in base 64 with the owner's keys and returns its bytes. */
  readonly decryptBytes: (
    owner: string,
    message: string,
  ) => TaskEither<KeyringRefusal, Uint8Array<ArrayBuffer>>;
}
