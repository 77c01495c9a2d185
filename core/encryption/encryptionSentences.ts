import { invalid, unavailable } from "../kernel/failure.ts";
import type { KeyringRefusal } from "../ports/keyring.ts";
import type { Fallbacks } from "../sentences/operations.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";

/** What is said when the server gave no sentence of its own (KE1, KE2). */
export const said = {
  status: { here: "Failed to get encryption key status" },
  keys: { here: "Failed to get encryption keys" },
  setUp: { here: "Failed to set up encryption keys" },
  remove: { here: "Failed to turn encryption off" },
  publish: { here: "Failed to change who can find your key" },
} as const satisfies Readonly<Record<string, Fallbacks>>;

export const setUpDone = "Encryption keys set up successfully";
export const setUpUncertain = "Encryption setup may have succeeded. Please check status.";
/** What is said beside the tick that a backup is saved, when it is not. */
export const saveFirst = "Save the backup first, then tick this box.";
export const generationFailed = "Failed to generate encryption keys";

const sentences: Readonly<Record<KeyringRefusal, string>> = {
  "not-a-key": "This is not a key. Paste the whole block, from -----BEGIN PGP to its end.",
  "public-key": "This is a public key. The backup starts with -----BEGIN PGP PRIVATE KEY BLOCK-----.",
  "private-key": "This is a private key. Keep it to yourself, and give us the public one.",
  "cannot-encrypt": "Mail cannot be encrypted to this key. Use one with an encryption subkey.",
  "wrong-passphrase": "This passphrase does not open the backup. Check for capital letters and spaces.",
  "no-such-key": "This device does not hold the key that this mail is encrypted to. Import its backup first.",
  damaged: "This mail is damaged or was changed on its way, so it cannot be opened.",
  "too-large": "This mail is too large to be opened here. Use a mail program.",
  unavailable:
    "This browser cannot keep keys here. Open this site over https, outside of a private window, then try again.",
};

/** A refusal of the keyring as the user meets it: beside a field where it has one. */
export const refusalProblem = (refusal: KeyringRefusal, field?: string): Problem => {
  const message = sentences[refusal];
  if (refusal === "unavailable" || field === undefined)
    return { sentence: message, fields: [], failure: unavailable(refusal) };
  const place = refusal === "wrong-passphrase" ? "passphrase" : field;
  return problemOf({})(invalid([{ field: place, message }]));
};

export const fieldProblem = (field: string, message: string): Problem =>
  problemOf({})(invalid([{ field, message }]));
