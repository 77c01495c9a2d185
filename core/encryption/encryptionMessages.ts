import { type FallbackMessages, type Problem, problemOf } from "../api/errorMessages.ts";
import { invalid, unavailable } from "../kernel/failure.ts";
import type { KeyringRefusal } from "../ports/keyring.ts";

/** The message when the server does not support encryption (D12). */
export const encryptionNotOffered = "Email encryption feature is not yet implemented";

/** The messages of failures for which the server sends none (KE1, KE2). */
export const failureMessages = {
  status: { page: "Failed to get encryption key status" },
  keys: { page: "Failed to get encryption keys" },
  setUp: { page: "Failed to set up encryption keys" },
  remove: { page: "Failed to switch encryption off" },
  publish: { page: "Failed to change who can find your key" },
} as const satisfies Readonly<Record<string, FallbackMessages>>;

export const setUpDone = "Encryption keys set up successfully";
export const setUpUncertain = "Encryption setup may have succeeded. Please check status.";
export const keyringNotLoaded =
  "The part of the app that keeps keys could not be loaded. Check your connection, then try again.";
/** The message beside the tick box that confirms the backup. */
export const saveFirst = "Save the backup first, then tick this box.";
export const generationFailed = "Failed to generate encryption keys";

const refusalMessages: Readonly<Record<KeyringRefusal, string>> = {
  "not-a-key": "This is not a key. Paste the whole block, from -----BEGIN PGP to its end.",
  "public-key": "This is a public key. The backup starts with -----BEGIN PGP PRIVATE KEY BLOCK-----.",
  "private-key": "This is a private key. Keep it to yourself, and paste the public key.",
  "cannot-encrypt": "Mail cannot be encrypted to this key. Use one with an encryption subkey.",
  "wrong-passphrase": "This passphrase does not open the backup. Check for capital letters and spaces.",
  "no-such-key":
    "This device does not hold the key that this email is encrypted to. Import its backup first.",
  damaged: "This email is damaged or was changed on its way, so it cannot be opened.",
  "too-large": "This email is too large to be opened here. Use a mail program.",
  "not-loaded": keyringNotLoaded,
  unavailable:
    "This browser cannot keep keys here. Open this site over https, outside of a private window, then try again.",
};

/** True if a refusal has nothing to do with what the user entered. */
export const isOfDevice = (refusal: KeyringRefusal): boolean =>
  refusal === "unavailable" || refusal === "not-loaded";

/** Converts a refusal of the keyring to a problem, beside a field if there is one. */
export const refusalProblem = (refusal: KeyringRefusal, field?: string): Problem => {
  const message = refusalMessages[refusal];
  if (isOfDevice(refusal) || field === undefined)
    return { message, fields: [], failure: unavailable(refusal) };
  const place = refusal === "wrong-passphrase" ? "passphrase" : field;
  return problemOf({})(invalid([{ field: place, message }]));
};

export const fieldProblem = (field: string, message: string): Problem =>
  problemOf({})(invalid([{ field, message }]));
