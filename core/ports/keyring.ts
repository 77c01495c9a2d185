import type { TaskEither } from "fp-ts/lib/TaskEither.js";

/** A key pair of which this device holds the private half. */
export interface HeldKey {
  /** Upper-case hexadecimal. */
  readonly fingerprint: string;
  /** ASCII-armoured (RFC 9580, 6.2). */
  readonly publicKey: string;
  /** When it came to this device, in milliseconds since 1970. */
  readonly since: number;
  /** Whether its owner has a copy of the private half elsewhere. */
  readonly isBackedUp: boolean;
}

/** What a text that should be a public key says of itself. */
export interface PublicKeyFacts {
  /** Upper-case hexadecimal. */
  readonly fingerprint: string;
  readonly userIds: readonly string[];
  /** In milliseconds since 1970; null when it never does. */
  readonly expires: number | null;
}

/** A file that came with a mail. */
export interface MailAttachment {
  readonly name: string;
  /** As in "image/png". */
  readonly type: string;
  /** How the mail's text refers to it (RFC 2392), without angle brackets; empty where it does not. */
  readonly contentId: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** A mail that can be read. Nothing in it has been made safe to show. */
export interface OpenedMail {
  /** Whether it had to be decrypted. */
  readonly wasEncrypted: boolean;
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly cc: string;
  /** ISO 8601; empty where the mail tells none that can be read. */
  readonly date: string;
  /** null where the mail has none of this kind. */
  readonly text: string | null;
  readonly html: string | null;
  readonly attachments: readonly MailAttachment[];
}

/** Why a keyring would not do it. */
export type KeyringRefusal =
  /** The text holds no key, or one that is damaged. */
  | "not-a-key"
  /** It is a public key where a private one is needed. */
  | "public-key"
  /** It is a private key where a public one is needed. */
  | "private-key"
  /** It cannot be used to read mail: no part of it encrypts. */
  | "cannot-encrypt"
  | "wrong-passphrase"
  /** This device holds no such key, or none that the mail is encrypted to. */
  | "no-such-key"
  /** The mail is damaged, or was changed on its way. */
  | "damaged"
  /** Larger than is read here. */
  | "too-large"
  /** The environment has no safe place for keys, or would not use it. */
  | "unavailable";

/**
 * Where private keys live on a device. Each key belongs to an owner (their address) and is ignored for everybody else.
 * A private half leaves it only protected by a passphrase.
 */
export interface Keyring {
  /** The owner's keys on this device, the oldest first. */
  readonly list: (owner: string) => TaskEither<KeyringRefusal, readonly HeldKey[]>;
  /** Makes a key pair that names nobody (RFC 9580 version 4, Curve25519 in its legacy form) and keeps it. */
  readonly create: (owner: string) => TaskEither<KeyringRefusal, HeldKey>;
  /** The private half, ASCII-armoured and protected by the passphrase. */
  readonly protect: (
    owner: string,
    fingerprint: string,
    passphrase: string,
  ) => TaskEither<KeyringRefusal, string>;
  /** Notes that the owner has such a copy. */
  readonly markBackedUp: (owner: string, fingerprint: string) => TaskEither<KeyringRefusal, void>;
  /** Keeps the key of a copy that `protect`, or any OpenPGP program, has made; a key that is here already stays. */
  readonly import: (
    owner: string,
    armored: string,
    passphrase: string,
  ) => TaskEither<KeyringRefusal, HeldKey>;
  /** Forgets one key; nothing that is encrypted to it can be read here any more. */
  readonly remove: (owner: string, fingerprint: string) => TaskEither<KeyringRefusal, void>;
  /** Every key of one owner belongs to another from now on: they have got another address. */
  readonly rename: (from: string, to: string) => TaskEither<KeyringRefusal, void>;
  /** Forgets every key of everybody, in all tabs. */
  readonly forgetAll: () => TaskEither<KeyringRefusal, void>;
  /** What a text that should be a public key says of itself. */
  readonly examine: (armored: string) => TaskEither<KeyringRefusal, PublicKeyFacts>;
  /** Reads a mail (RFC 5322 bytes), decrypted with the owner's keys where it is encrypted as PGP/MIME or in its text. */
  readonly open: (owner: string, mail: Uint8Array<ArrayBuffer>) => TaskEither<KeyringRefusal, OpenedMail>;
}
