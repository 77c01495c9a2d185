import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Subscription } from "rxjs";
import type { FileToKeep } from "../kernel/fileToKeep.ts";
import type { State } from "../kernel/state.ts";
import type { HeldKey, Keyring, KeyringRefusal, OpenedMail, PublicKeyFacts } from "../ports/keyring.ts";
import type { Problem } from "../sentences/problem.ts";
import { backupFile, type PassphraseDraft, passphraseProblem } from "./backup.ts";
import { fieldProblem, generationFailed, refusalProblem, saveFirst } from "./encryptionSentences.ts";
import type { EncryptionState } from "./encryptionState.ts";
import { withProgress } from "./generation.ts";
import { type KeyInUseNeeds, makeKeyInUse } from "./keyInUse.ts";
import { type Deed, type KnownKeysNeeds, makeKnownKeys } from "./knownKeys.ts";

/** Mail encrypted to a key of the user's own (KE1, D40). */
export interface Encryption {
  readonly state$: State<EncryptionState>;
  /** Asks the server and the device. */
  readonly refresh: () => Deed<void>;
  /** Makes a key on this device (KE1). Nothing uses it before its backup is saved. */
  readonly generate: () => Deed<void>;
  /** Throws away a key that was made and is not used. */
  readonly discard: () => Deed<void>;
  /** The copy of the key that was made, or of the one in use, protected by the passphrase. */
  readonly backUp: (draft: PassphraseDraft) => Deed<FileToKeep>;
  /** The user says that the backup is saved: from now on mail is encrypted to the key that was made. */
  readonly turnOn: () => Deed<void>;
  /** From now on mail is encrypted to the key that was on this device already. */
  readonly takeSpare: () => Deed<void>;
  /** What a pasted public key says of itself. */
  readonly examine: (publicKey: string) => Deed<PublicKeyFacts>;
  /** From now on mail is encrypted to a key that was made elsewhere. */
  readonly takePublicKey: (publicKey: string) => Deed<void>;
  /** Brings a private key to this device from its backup; it may be an older one. */
  readonly importBackup: (backup: string, passphrase: string) => Deed<HeldKey>;
  /** From now on mail comes as it is. Private keys stay on this device: older mail can still be opened. */
  readonly turnOff: () => Deed<void>;
  /** Whether senders can ask for the key in use by the address of a mask. */
  readonly publish: (isPublished: boolean) => Deed<void>;
  /** Deletes every private key of the user from this device. */
  readonly forgetKeys: () => Deed<void>;
  /** Reads a mail (RFC 5322 bytes), decrypted with the keys of this device where it is encrypted. */
  readonly open: (mail: Uint8Array<ArrayBuffer>) => Deed<OpenedMail>;
}

export interface EncryptionNeeds extends KnownKeysNeeds, KeyInUseNeeds {
  readonly keyring: Keyring;
  readonly configuration: { readonly brand: string };
}

const notSaved = fieldProblem("saved", saveFirst);
const refusedAt =
  (field?: string) =>
  (refusal: KeyringRefusal): Problem =>
    refusalProblem(refusal, field);

const notMade = (refusal: KeyringRefusal): Problem => {
  const problem = refusalProblem(refusal);
  return refusal === "unavailable" ? problem : { ...problem, sentence: generationFailed };
};

export const makeEncryption = (
  needs: EncryptionNeeds,
): Encryption & { readonly start: () => Subscription } => {
  const { clock, keyring } = needs;
  const keys = makeKnownKeys(needs);
  const keyInUse = makeKeyInUse(needs, keys);
  const { known$, state$, know, asOwner, once, look } = keys;
  /** The key that a backup was made of since the page was opened. */
  let protectedKey: string | null = null;

  const keyToBackUp = (): HeldKey | null => {
    const { value } = state$;
    return value.at === "made" || value.at === "on" ? value.key : null;
  };

  return {
    state$,
    refresh: keys.refresh,
    generate: () =>
      once((email, isStill) => {
        const show = (percent: number): void => {
          if (isStill()) know({ percent });
        };
        return pipe(
          withProgress(keyring.create(email), clock, show),
          TE.mapLeft(notMade),
          TE.chain(() => look(email, isStill)),
          (task) => () =>
            task().finally(() => {
              if (isStill()) know({ percent: null });
            }),
        );
      }),
    discard: () =>
      once((email, isStill) => {
        const { value } = state$;
        if (value.at !== "made") return TE.right(undefined);
        return pipe(
          keyring.remove(email, value.key.fingerprint),
          TE.mapLeft(refusedAt()),
          TE.chain(() => look(email, isStill)),
        );
      }),
    backUp: (draft) =>
      asOwner((email) => {
        const key = keyToBackUp();
        const problem = passphraseProblem(draft);
        if (problem !== null) return TE.left(problem);
        if (key === null) return TE.left(refusalProblem("no-such-key"));
        return pipe(
          keyring.protect(email, key.fingerprint, draft.passphrase),
          TE.bimap(refusedAt(), (armored) => {
            protectedKey = key.fingerprint;
            return backupFile(needs.configuration.brand, key.fingerprint, armored);
          }),
        );
      }),
    turnOn: () =>
      once((email, isStill) => {
        const { value } = state$;
        if (value.at !== "made" || protectedKey !== value.key.fingerprint) return TE.left(notSaved);
        return keyInUse.encryptToHeld(email, value.key, isStill);
      }),
    takeSpare: () =>
      once((email, isStill) => {
        const { value } = state$;
        return value.at === "off" && value.spare !== null
          ? keyInUse.encryptToHeld(email, value.spare, isStill)
          : TE.left(refusalProblem("no-such-key"));
      }),
    examine: (publicKey) => pipe(keyring.examine(publicKey), TE.mapLeft(refusedAt("publicKey"))),
    takePublicKey: (publicKey) =>
      once((email, isStill) =>
        pipe(
          keyring.examine(publicKey),
          TE.mapLeft(refusedAt("publicKey")),
          TE.chain(({ fingerprint }) => keyInUse.encryptTo(publicKey, fingerprint, isStill)),
          TE.chain(() => look(email, isStill)),
        ),
      ),
    importBackup: (backup, passphrase) =>
      once((email, isStill) =>
        pipe(
          keyring.import(email, backup, passphrase),
          TE.mapLeft(refusedAt("backup")),
          TE.chainFirst(() => look(email, isStill)),
        ),
      ),
    turnOff: () =>
      once((email, isStill) =>
        pipe(
          keyInUse.encryptNothing(isStill),
          TE.chain(() => look(email, isStill)),
        ),
      ),
    publish: (isPublished) => once((_, isStill) => keyInUse.publish(isPublished, isStill)),
    forgetKeys: () =>
      once((email, isStill) =>
        pipe(
          known$.value.held ?? [],
          TE.traverseSeqArray((key) => keyring.remove(email, key.fingerprint)),
          TE.mapLeft(refusedAt()),
          TE.chain(() => look(email, isStill)),
        ),
      ),
    open: (mail) => asOwner((email) => pipe(keyring.open(email, mail), TE.mapLeft(refusedAt("mail")))),
    start: keys.start,
  };
};
