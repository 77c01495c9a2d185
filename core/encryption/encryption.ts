import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { firstValueFrom, interval, type Subscription, takeWhile, timer } from "rxjs";
import type { Problem } from "../api/errorMessages.ts";
import type { DownloadableFile } from "../kernel/downloadableFile.ts";
import type { State } from "../kernel/state.ts";
import { chainResult, deferTask, mapResult, onEnd } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";
import type { DeviceKey, Keyring, KeyringRefusal, OpenedMail, PublicKeyFacts } from "../ports/keyring.ts";
import { fieldProblem, generationFailed, refusalProblem, saveFirst } from "./encryptionMessages.ts";
import type { EncryptionState } from "./encryptionState.ts";
import { createEncryptionStore, type EncryptionStoreDeps, type UseCase } from "./encryptionStore.ts";
import { strengthOf } from "./passphrase.ts";
import { createServerKey, type ServerKeyDeps } from "./serverKey.ts";

interface PassphraseDraft {
  readonly passphrase: string;
  /** The repeated passphrase: a typing error would make the backup unusable. */
  readonly again: string;
}

const passphraseProblem = ({ passphrase, again }: PassphraseDraft): Problem | null => {
  if (passphrase === "") return fieldProblem("passphrase", "Choose a passphrase.");
  if (strengthOf(passphrase) === "too-weak")
    return fieldProblem(
      "passphrase",
      "This is too easy to guess. Use four or more words that do not belong together.",
    );
  if (again !== passphrase)
    return fieldProblem("again", "This is not the same passphrase. Type it once more.");
  return null;
};

/** The last 8 characters, which people use to tell keys apart. */
const shortFingerprint = (fingerprint: string): string => fingerprint.slice(-8);

const backupFile = (brand: string, fingerprint: string, armored: string): DownloadableFile => ({
  name: `${brand.toLowerCase()}-private-key-${shortFingerprint(fingerprint)}.asc`,
  type: "application/pgp-keys",
  content: armored,
});

/** The progress bar rises by this step at this interval up to this maximum (KE1). */
const stepPercent = 5;
const stepEachMs = 150;
const highestPercent = 95;
/** How long the full progress bar is shown. */
const doneAfterMs = 500;

/**
 * Runs `make` and reports its progress: 5 % every 150 ms up to 95 %, then 100 % on success for 0.5 s (KE1). A failure
 * ends it immediately.
 */
const withProgress = <F, A>(
  make: TE.TaskEither<F, A>,
  clock: Clock,
  show: (percent: number) => void,
): TE.TaskEither<F, A> =>
  deferTask(() => {
    show(0);
    let percent = 0;
    const progress = interval(stepEachMs, clock.scheduler)
      .pipe(takeWhile(() => percent < highestPercent))
      .subscribe(() => {
        percent += stepPercent;
        show(percent);
      });
    const finish = (outcome: E.Either<F, A>): TE.TaskEither<F, A> => {
      progress.unsubscribe();
      if (E.isLeft(outcome)) return TE.fromEither(outcome);
      show(100);
      return pipe(
        () => firstValueFrom(timer(doneAfterMs, clock.scheduler)),
        mapResult(() => outcome),
      );
    };
    return pipe(make, chainResult(finish));
  });

/** End-to-end encryption of forwarded mail to the user's own key (KE1, D40). */
export interface Encryption {
  readonly state$: State<EncryptionState>;
  /** Loads the status from the server and the keys from the device. */
  readonly refresh: () => UseCase<void>;
  /** Loads what an earlier attempt could not load, such as the keys while the code of the keyring was missing. */
  readonly refreshMissing: () => UseCase<void>;
  /** Generates a key on this device (KE1). It is not used before its backup is saved. */
  readonly generate: () => UseCase<void>;
  /** Deletes a generated key that is not used yet. */
  readonly discard: () => UseCase<void>;
  /** Creates a backup file of the generated key or the key in use, protected by the passphrase. */
  readonly backUp: (draft: PassphraseDraft) => UseCase<DownloadableFile>;
  /** Encrypts mail to the generated key from now on; the user confirms that the backup is saved. */
  readonly turnOn: () => UseCase<void>;
  /** Encrypts mail to the backed-up key on this device from now on. */
  readonly enableSpareKey: () => UseCase<void>;
  readonly examine: (publicKey: string) => UseCase<PublicKeyFacts>;
  /** Encrypts mail to a public key from elsewhere from now on. */
  readonly setPublicKey: (publicKey: string) => UseCase<void>;
  /** Imports a private key from its backup; it may be an older key. */
  readonly importBackup: (backup: string, passphrase: string) => UseCase<DeviceKey>;
  /** Turns encryption off. Private keys stay on this device to open older mail. */
  readonly turnOff: () => UseCase<void>;
  /** Sets whether senders can look up the key in use by the address of a mask. */
  readonly publish: (isPublished: boolean) => UseCase<void>;
  /** Deletes every private key of the user from this device. */
  readonly forgetKeys: () => UseCase<void>;
  /** Reads a mail (RFC 5322 bytes); decrypts an encrypted one with the keys of this device. */
  readonly open: (mail: Uint8Array<ArrayBuffer>) => UseCase<OpenedMail>;
}

export interface EncryptionDeps extends EncryptionStoreDeps, ServerKeyDeps {
  readonly keyring: Keyring;
  readonly configuration: { readonly brand: string };
}

const backupNotSaved = fieldProblem("saved", saveFirst);
const toProblemAt =
  (field?: string) =>
  (refusal: KeyringRefusal): Problem =>
    refusalProblem(refusal, field);

const toGenerationProblem = (refusal: KeyringRefusal): Problem => {
  const problem = refusalProblem(refusal);
  return refusal === "unavailable" ? problem : { ...problem, message: generationFailed };
};

export const createEncryption = (
  deps: EncryptionDeps,
): Encryption & { readonly start: () => Subscription } => {
  const { clock, keyring } = deps;
  const store = createEncryptionStore(deps);
  const serverKey = createServerKey(deps, store);
  const { snapshot$, state$, update, asOwner, exclusively, loadDeviceKeys } = store;
  /** The fingerprint of the last key that was backed up since the page was opened. */
  let backedUpKey: string | null = null;

  const keyToBackUp = (): DeviceKey | null => {
    const { value } = state$;
    return value.at === "made" || value.at === "on" ? value.key : null;
  };

  return {
    state$,
    refresh: store.refresh,
    refreshMissing: () => {
      const { canHoldKeys, serverStatus } = snapshot$.value;
      return canHoldKeys && serverStatus.kind !== "failed" ? TE.right(undefined) : store.refresh();
    },
    generate: () =>
      exclusively((email, isCurrent) => {
        const show = (percent: number): void => {
          if (isCurrent()) update({ percent });
        };
        return pipe(
          withProgress(keyring.create(email), clock, show),
          TE.mapLeft(toGenerationProblem),
          TE.chain(() => loadDeviceKeys(email, isCurrent)),
          onEnd(() => {
            if (isCurrent()) update({ percent: null });
          }),
        );
      }),
    discard: () =>
      exclusively((email, isCurrent) => {
        const { value } = state$;
        if (value.at !== "made") return TE.right(undefined);
        return pipe(
          keyring.remove(email, value.key.fingerprint),
          TE.mapLeft(toProblemAt()),
          TE.chain(() => loadDeviceKeys(email, isCurrent)),
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
          TE.bimap(toProblemAt(), (armored) => {
            backedUpKey = key.fingerprint;
            return backupFile(deps.configuration.brand, key.fingerprint, armored);
          }),
        );
      }),
    turnOn: () =>
      exclusively((email, isCurrent) => {
        const { value } = state$;
        if (value.at !== "made" || backedUpKey !== value.key.fingerprint) return TE.left(backupNotSaved);
        return serverKey.setDeviceKey(email, value.key, isCurrent);
      }),
    enableSpareKey: () =>
      exclusively((email, isCurrent) => {
        const { value } = state$;
        return value.at === "off" && value.spare !== null
          ? serverKey.setDeviceKey(email, value.spare, isCurrent)
          : TE.left(refusalProblem("no-such-key"));
      }),
    examine: (publicKey) => pipe(keyring.examine(publicKey), TE.mapLeft(toProblemAt("publicKey"))),
    setPublicKey: (publicKey) =>
      exclusively((email, isCurrent) =>
        pipe(
          keyring.examine(publicKey),
          TE.mapLeft(toProblemAt("publicKey")),
          TE.chain(({ fingerprint }) => serverKey.setPublicKey(publicKey, fingerprint, isCurrent)),
          TE.chain(() => loadDeviceKeys(email, isCurrent)),
        ),
      ),
    importBackup: (backup, passphrase) =>
      exclusively((email, isCurrent) =>
        pipe(
          keyring.import(email, backup, passphrase),
          TE.mapLeft(toProblemAt("backup")),
          TE.chainFirst(() => loadDeviceKeys(email, isCurrent)),
        ),
      ),
    turnOff: () =>
      exclusively((email, isCurrent) =>
        pipe(
          serverKey.removeKey(isCurrent),
          TE.chain(() => loadDeviceKeys(email, isCurrent)),
        ),
      ),
    publish: (isPublished) => exclusively((_, isCurrent) => serverKey.publish(isPublished, isCurrent)),
    forgetKeys: () =>
      exclusively((email, isCurrent) =>
        pipe(
          snapshot$.value.deviceKeys ?? [],
          TE.traverseSeqArray((key) => keyring.remove(email, key.fingerprint)),
          TE.mapLeft(toProblemAt()),
          TE.chain(() => loadDeviceKeys(email, isCurrent)),
        ),
      ),
    open: (mail) => asOwner((email) => pipe(keyring.open(email, mail), TE.mapLeft(toProblemAt("mail")))),
    start: store.start,
  };
};
