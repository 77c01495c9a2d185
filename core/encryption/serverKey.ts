import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { isRefused, orUnknown } from "../kernel/failure.ts";
import { startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { DeviceKey, Keyring } from "../ports/keyring.ts";
import { failureMessages, refusalProblem, setUpDone, setUpUncertain } from "./encryptionMessages.ts";
import type { EncryptionStore, UseCase } from "./encryptionStore.ts";
import { deleteKeys, publishKey, setUpKeys } from "./keyEndpoints.ts";

export interface ServerKeyDeps {
  readonly call: Call;
  readonly keyring: Keyring;
  readonly toast: ShowToast;
  readonly refreshAccount: () => UseCase<void>;
}

/** The key on the server that mail is encrypted to. `isCurrent`: whether the same user is still signed in. */
export interface ServerKey {
  /** Saves a public key on the server; a 500 may have saved it, too (KE2). */
  readonly setPublicKey: (publicKey: string, fingerprint: string, isCurrent: () => boolean) => UseCase<void>;
  /** Saves the public half of a key of this device and marks the key as backed up. */
  readonly setDeviceKey: (email: string, key: DeviceKey, isCurrent: () => boolean) => UseCase<void>;
  /** Deletes the key on the server: mail is forwarded unencrypted from now on. */
  readonly removeKey: (isCurrent: () => boolean) => UseCase<void>;
  readonly publish: (isPublished: boolean, isCurrent: () => boolean) => UseCase<void>;
}

export const createServerKey = (
  { call, keyring, toast, refreshAccount }: ServerKeyDeps,
  store: Pick<EncryptionStore, "update" | "loadServerStatus" | "loadDeviceKeys">,
): ServerKey => {
  const onSaved =
    (fingerprint: string, isCurrent: () => boolean) =>
    (isConfirmed: boolean): void => {
      if (!isCurrent()) return;
      store.update({ serverStatus: { kind: "on", fingerprint, isAssumed: !isConfirmed }, expires: null });
      toast(isConfirmed ? "success" : "warning", isConfirmed ? setUpDone : setUpUncertain);
      startTask(refreshAccount());
      startTask(store.loadServerStatus(isCurrent));
    };
  const onRemoved = (isCurrent: () => boolean): void => {
    if (!isCurrent()) return;
    store.update({ serverStatus: { kind: "off" }, expires: null });
    toast("success", "Encryption is off");
    startTask(refreshAccount());
  };
  const setPublicKey: ServerKey["setPublicKey"] = (publicKey, fingerprint, isCurrent) =>
    pipe(
      orUnknown(call(setUpKeys)({ body: { publicKey }, silent: [500] })),
      TE.match(
        (failure): E.Either<Problem, boolean> =>
          isRefused(failure, 500) ? E.right(false) : E.left(problemOf(failureMessages.setUp)(failure)),
        () => E.right(true),
      ),
      TE.map(onSaved(fingerprint, isCurrent)),
    );
  return {
    setPublicKey,
    setDeviceKey: (email, key, isCurrent) =>
      pipe(
        keyring.markBackedUp(email, key.fingerprint),
        TE.mapLeft((refusal) => refusalProblem(refusal)),
        TE.chain(() => setPublicKey(key.publicKey, key.fingerprint, isCurrent)),
        TE.chain(() => store.loadDeviceKeys(email, isCurrent)),
      ),
    publish: (isPublished, isCurrent) =>
      pipe(
        call(publishKey)({ body: { published: isPublished } }),
        TE.bimap(problemOf(failureMessages.publish), ({ published }) => {
          if (isCurrent()) store.update({ isPublished: published });
        }),
      ),
    removeKey: (isCurrent) =>
      pipe(
        call(deleteKeys)(),
        TE.mapLeft(problemOf(failureMessages.remove)),
        TE.map(() => onRemoved(isCurrent)),
      ),
  };
};
