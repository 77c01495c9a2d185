import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Subscription } from "rxjs";
import type { Problem } from "../api/errorMessages.ts";
import type { DownloadableFile } from "../kernel/downloadableFile.ts";
import type { State } from "../kernel/state.ts";
import { deferTask } from "../kernel/task.ts";
import type { DeviceKey, Keyring, KeyringRefusal, OpenedMail, PublicKeyFacts } from "../ports/keyring.ts";
import type { FollowsTopics } from "../realtime/clientMessages.ts";
import { fieldProblem, refusalProblem, saveFirst } from "./encryptionMessages.ts";
import type { EncryptionState } from "./encryptionState.ts";
import { EncryptionStore, type EncryptionStoreDeps, type UseCase } from "./encryptionStore.ts";
import { createKeyGeneration } from "./generateKey.ts";
import { KeyBackup, type PassphraseDraft } from "./keyBackup.ts";
import { createServerKey, type ServerKeyDeps } from "./serverKey.ts";

/** End-to-end encryption of forwarded mail to the user's own key (KE1, D40). */
export interface Encryption {
  readonly state$: State<EncryptionState>;
  /** Loads the status from the server and the keys from the device. */
  readonly refresh: () => UseCase<void>;
  /** Loads what an earlier attempt could not load, such as the keys while the code of the keyring was missing. */
  readonly refreshMissing: () => UseCase<void>;
  /** Generates a key on this device (KE1). It is not used before its backup is saved. */
  readonly generate: () => UseCase<void>;
  /** Deletes a generated key that is not used yet, unless its backup is saved: the server may have it then. */
  readonly discard: () => UseCase<void>;
  /**
   * Leaves the set-up: a generated key that is not backed up is deleted, and one that is being generated as soon as it
   * exists. The server has neither. A key whose backup is saved stays, because the server may have it already.
   */
  readonly postpone: () => UseCase<void>;
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
  /** Switches encryption off. Private keys stay on this device to open older mail. */
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

const discardUnused = (keyring: Keyring, store: EncryptionStore): UseCase<void> =>
  store.exclusively((email, isCurrent) => {
    const { value } = store.state$;
    if (value.at !== "made") return TE.right(undefined);
    const { fingerprint } = value.key;
    return pipe(
      keyring.list(email),
      TE.map((keys) => keys.some((key) => key.fingerprint === fingerprint && !key.isBackedUp)),
      // A key with a backup may be in use: the answer of the server can have been lost.
      TE.chain((isUnused) => (isUnused ? keyring.remove(email, fingerprint) : TE.right(undefined))),
      TE.mapLeft(toProblemAt()),
      TE.chain(() => store.loadDeviceKeys(email, isCurrent)),
    );
  });

const forgetAll = (keyring: Keyring, store: EncryptionStore): UseCase<void> =>
  store.exclusively((email, isCurrent) =>
    pipe(
      store.snapshot$.value.deviceKeys ?? [],
      TE.traverseSeqArray((key) => keyring.remove(email, key.fingerprint)),
      TE.mapLeft(toProblemAt()),
      TE.chain(() => store.loadDeviceKeys(email, isCurrent)),
    ),
  );

export const createEncryption = (
  deps: EncryptionDeps,
): Encryption & FollowsTopics & { readonly start: () => Subscription } => {
  const { keyring } = deps;
  const store = new EncryptionStore(deps);
  const serverKey = createServerKey(deps, store);
  const backup = new KeyBackup(keyring, deps.configuration.brand);
  const { snapshot$, state$ } = store;

  const keyToBackUp = (): DeviceKey | null => {
    const { value } = state$;
    return value.at === "made" || value.at === "on" ? value.key : null;
  };

  const generation = createKeyGeneration(deps, store);
  const discard = (): UseCase<void> => discardUnused(keyring, store);

  return {
    topics: [{ resource: "keys" }],
    state$,
    refresh: () => store.refresh(),
    refreshMissing: () => {
      const { canHoldKeys, serverStatus } = snapshot$.value;
      return canHoldKeys && serverStatus.kind !== "failed" ? TE.right(undefined) : store.refresh();
    },
    generate: generation.generate,
    discard,
    postpone: () =>
      deferTask(() => {
        if (state$.value.at !== "making")
          return pipe(
            discard(),
            TE.orElse((problem) =>
              problem.failure.kind === "busy" ? TE.right(undefined) : TE.left(problem),
            ),
          );
        generation.cancel();
        return TE.right(undefined);
      }),
    backUp: (draft) => store.asOwner((email) => backup.make(email, keyToBackUp(), draft)),
    turnOn: () =>
      store.exclusively((email, isCurrent) => {
        const { value } = state$;
        if (value.at !== "made" || !backup.isMadeOf(value.key)) return TE.left(backupNotSaved);
        return serverKey.setDeviceKey(email, value.key, isCurrent);
      }),
    enableSpareKey: () =>
      store.exclusively((email, isCurrent) => {
        const { value } = state$;
        return value.at === "off" && value.spare !== null
          ? serverKey.setDeviceKey(email, value.spare, isCurrent)
          : TE.left(refusalProblem("no-such-key"));
      }),
    examine: (publicKey) => pipe(keyring.examine(publicKey), TE.mapLeft(toProblemAt("publicKey"))),
    setPublicKey: (publicKey) =>
      store.exclusively((email, isCurrent) =>
        pipe(
          keyring.examine(publicKey),
          TE.mapLeft(toProblemAt("publicKey")),
          TE.chain(({ fingerprint }) => serverKey.setPublicKey(publicKey, fingerprint, isCurrent)),
          TE.chain(() => store.loadDeviceKeys(email, isCurrent)),
        ),
      ),
    importBackup: (file, passphrase) =>
      store.exclusively((email, isCurrent) =>
        pipe(
          keyring.import(email, file, passphrase),
          TE.mapLeft(toProblemAt("backup")),
          TE.chainFirst(() => store.loadDeviceKeys(email, isCurrent)),
        ),
      ),
    turnOff: () =>
      store.exclusively((email, isCurrent) =>
        pipe(
          serverKey.removeKey(isCurrent),
          TE.chain(() => store.loadDeviceKeys(email, isCurrent)),
        ),
      ),
    publish: (isPublished) => store.exclusively((_, isCurrent) => serverKey.publish(isPublished, isCurrent)),
    forgetKeys: () => forgetAll(keyring, store),
    open: (mail) =>
      store.asOwner((email) => pipe(keyring.open(email, mail), TE.mapLeft(toProblemAt("mail")))),
    start: () => store.start(),
  };
};
