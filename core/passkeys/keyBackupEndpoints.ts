import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { refined } from "../api/textCodecs.ts";
import { base64Url } from "./passkeyEndpoints.ts";

/** Longer than the armored private key of any algorithm that browsers make or import here. */
const longestBackup = 100_000;

/** The backup of a private key, which only a passkey opens: its passphrase is a secret that the passkey derives. */
export const KeyBackup = t.type({
  /** The passkey, as its authenticator names it, in base64url. */
  credentialId: base64Url,
  /** Of the key, in upper-case hexadecimal. */
  fingerprint: refined(t.string, (text) => /^[\dA-F]{40,64}$/.test(text), "This is not a fingerprint"),
  /** The locked private key, ASCII-armored (RFC 9580, 6.2). */
  backup: refined(
    t.string,
    (text) => text.startsWith("-----BEGIN PGP PRIVATE KEY BLOCK-----") && text.length <= longestBackup,
    "This is not a locked private key",
  ),
});
export type KeyBackup = t.TypeOf<typeof KeyBackup>;

/** Lists the backups of private keys that the caller's passkeys open. */
export const listKeyBackups = endpoint("GET", "/account/key-backups", {
  answer: t.type({ backups: t.readonlyArray(KeyBackup) }),
});

/** Keeps a backup for one of the caller's passkeys, in place of the one before it; 404 when the caller has no such passkey. */
export const putKeyBackup = endpoint("PUT", "/account/key-backups", {
  needsRecentProof: true,
  body: KeyBackup,
});

/** Deletes the backup that a passkey opens; 404 when the caller has no such passkey. */
export const deleteKeyBackup = endpoint("DELETE", "/account/passkeys/:id/key-backup", {
  params: t.type({ id: t.string }),
});
