import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Observable, Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import type { EncryptionState } from "../encryption/encryptionState.ts";
import { type Failure, refused } from "../kernel/failure.ts";
import { createOwner, followUser } from "../kernel/owner.ts";
import type { State } from "../kernel/state.ts";
import { deferTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { Authenticator } from "../ports/authenticator.ts";
import type { Keyring } from "../ports/keyring.ts";
import { proofByPasskey } from "./accountProof.ts";
import { deleteKeyBackup, listKeyBackups, putKeyBackup } from "./keyBackupEndpoints.ts";
import type { PasskeyAnswer } from "./usedPasskey.ts";

/** The part of the keys on the device that this needs. */
interface Keys {
  readonly state$: State<EncryptionState>;
  readonly importBackup: (backup: string, passphrase: string) => TE.TaskEither<Problem, unknown>;
}

/**
 * Backups of the private key that passkeys open, beside the one with a passphrase: a new device reads encrypted mail after one
 * touch. The passphrase is a secret that the passkey derives in the browser; the server keeps the locked key alone.
 */
export interface KeyBackups {
  /** Locks the key in use with a passkey that the user chooses; succeeds with false when they close the browser's dialog. */
  readonly make: (keys: Keys) => TE.TaskEither<Problem, boolean>;
  /** Opens the key with a passkey that the user chooses, and keeps it on this device; false as above. */
  readonly open: (keys: Keys) => TE.TaskEither<Problem, boolean>;
  /** Opens the key with the passkey that has just signed in; false where it opens none, or the device has the key. */
  readonly openAfterSignIn: (keys: Keys, answer: PasskeyAnswer) => TE.TaskEither<Problem, boolean>;
  /** Deletes the backup that a passkey opens. */
  readonly remove: (passkeyId: string) => TE.TaskEither<Problem, void>;
}

export interface KeyBackupsDeps {
  readonly call: Call;
  readonly authenticator: Authenticator;
  readonly keyring: Pick<Keyring, "protect">;
  readonly toast: ShowToast;
  readonly user$: Observable<{ readonly email: string } | null>;
}

const toMakeProblem = problemOf({ page: "Failed to keep a backup for this passkey" });
const toOpenProblem = problemOf({ page: "This passkey could not open your key" });
const toRemoveProblem = problemOf({ page: "Failed to delete the backup" });

const derivesNone = refused(
  400,
  "This passkey cannot open keys: its device or browser derives no secrets. Use another passkey, or the backup with its passphrase.",
);
const opensNone = refused(
  404,
  "No backup of your key is kept for this passkey. Use another one, or import the backup with its passphrase.",
);
const noKey = refused(409, "The key that your mail is encrypted to is not on this device.");

/** Creates the backups; nothing is asked for until they are used. */
export const createKeyBackups = ({
  call,
  authenticator,
  keyring,
  toast,
  user$,
}: KeyBackupsDeps): KeyBackups & { readonly start: () => Subscription } => {
  const owner = createOwner();

  /** Has a passkey derive its secret, and runs `work` with it. */
  const withPasskey = (
    toProblem: (failure: Failure) => Problem,
    work: (passkey: { readonly id: string; readonly secret: string }) => TE.TaskEither<Problem, void>,
  ): TE.TaskEither<Problem, boolean> =>
    pipe(
      proofByPasskey({ call, authenticator }),
      TE.mapLeft(toProblem),
      TE.chain((answer): TE.TaskEither<Problem, boolean> => {
        if (answer === null) return TE.right(false);
        if (answer.secret === null) return TE.left(toProblem(derivesNone));
        return pipe(
          work({ id: answer.used.id, secret: answer.secret }),
          TE.map(() => true),
        );
      }),
    );

  const lock = (
    { state$ }: Keys,
    { id, secret }: { readonly id: string; readonly secret: string },
  ): TE.TaskEither<Problem, void> =>
    deferTask((): TE.TaskEither<Problem, void> => {
      const email = owner.current();
      const { value: state } = state$;
      const key = state.at === "on" ? state.key : null;
      if (email === null || key === null) return TE.left(toMakeProblem(noKey));
      const { fingerprint } = key;
      return pipe(
        keyring.protect(email, fingerprint, secret),
        TE.mapLeft(() => toMakeProblem(noKey)),
        TE.chain((backup) =>
          pipe(
            call(putKeyBackup)({ body: { credentialId: id, fingerprint, backup } }),
            TE.mapLeft(toMakeProblem),
          ),
        ),
      );
    });

  /** Opens the backup of a passkey; succeeds with false where there is none. */
  const unlock = (
    { importBackup }: Keys,
    { id, secret }: { readonly id: string; readonly secret: string },
  ): TE.TaskEither<Problem, boolean> =>
    pipe(
      call(listKeyBackups)(),
      TE.mapLeft(toOpenProblem),
      TE.chain(({ backups }): TE.TaskEither<Problem, boolean> => {
        const found = backups.find(({ credentialId }) => credentialId === id);
        if (found === undefined) return TE.right(false);
        return pipe(
          importBackup(found.backup, secret),
          TE.bimap(
            ({ failure }) => toOpenProblem(failure.kind === "invalid" ? opensNone : failure),
            () => {
              toast("success", "This device can open your mail now");
              return true;
            },
          ),
        );
      }),
    );

  return {
    make: (keys) => withPasskey(toMakeProblem, (passkey) => lock(keys, passkey)),
    open: (keys) =>
      withPasskey(toOpenProblem, (passkey) =>
        pipe(
          unlock(keys, passkey),
          TE.chainEitherK((isOpen) => (isOpen ? E.right(undefined) : E.left(toOpenProblem(opensNone)))),
        ),
      ),
    openAfterSignIn: (keys, { used, secret }) =>
      deferTask((): TE.TaskEither<Problem, boolean> => {
        const { value: state } = keys.state$;
        const isNeeded = state.at === "on" && state.key === null && state.canHoldKeys;
        return isNeeded && secret !== null ? unlock(keys, { id: used.id, secret }) : TE.right(false);
      }),
    remove: (passkeyId) =>
      pipe(call(deleteKeyBackup)({ params: { id: passkeyId } }), TE.mapLeft(toRemoveProblem)),
    start: () => followUser(owner, user$, () => {}),
  };
};
