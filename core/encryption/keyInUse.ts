import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { isRefused } from "../kernel/failure.ts";
import { deleteKeys, publishKey, setUpKeys } from "../keys/keyEndpoints.ts";
import type { HeldKey, Keyring } from "../ports/keyring.ts";
import type { Call } from "../requests/call.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import type { ShowToast } from "../toasts/toast.ts";
import { refusalProblem, said, setUpDone, setUpUncertain } from "./encryptionSentences.ts";
import type { Deed, KnownKeys } from "./knownKeys.ts";

export interface KeyInUseNeeds {
  readonly call: Call;
  readonly keyring: Keyring;
  readonly toast: ShowToast;
  /** The account has changed on the server. */
  readonly refreshAccount: () => Deed<void>;
}

/** The key that the server encrypts mail to. `isStill`: whether whoever asked is still signed in. */
export interface KeyInUse {
  /** Has the server take a public key; a 500 may have done so (KE2). */
  readonly encryptTo: (publicKey: string, fingerprint: string, isStill: () => boolean) => Deed<void>;
  /** The same with a key of this device, which counts as backed up from now on. */
  readonly encryptToHeld: (email: string, key: HeldKey, isStill: () => boolean) => Deed<void>;
  /** From now on mail comes as it is. */
  readonly encryptNothing: (isStill: () => boolean) => Deed<void>;
  /** Whether senders can ask for it. */
  readonly publish: (isPublished: boolean, isStill: () => boolean) => Deed<void>;
}

export const makeKeyInUse = (
  { call, keyring, toast, refreshAccount }: KeyInUseNeeds,
  { know, ask, look }: Pick<KnownKeys, "know" | "ask" | "look">,
): KeyInUse => {
  const inUse =
    (fingerprint: string, isStill: () => boolean) =>
    (isSure: boolean): void => {
      if (!isStill()) return;
      know({ told: { kind: "on", fingerprint, isAssumed: !isSure }, expires: null });
      toast(isSure ? "success" : "warning", isSure ? setUpDone : setUpUncertain);
      void refreshAccount()();
      void ask(isStill)();
    };
  const notInUse = (isStill: () => boolean): void => {
    if (!isStill()) return;
    know({ told: { kind: "off" }, expires: null });
    toast("success", "Encryption is off");
    void refreshAccount()();
  };
  const encryptTo: KeyInUse["encryptTo"] = (publicKey, fingerprint, isStill) =>
    pipe(
      call(setUpKeys)({ body: { publicKey }, quiet: true }),
      TE.match(
        (failure): E.Either<Problem, boolean> =>
          isRefused(failure, 500) ? E.right(false) : E.left(problemOf(said.setUp)(failure)),
        () => E.right(true),
      ),
      TE.map(inUse(fingerprint, isStill)),
    );
  return {
    encryptTo,
    encryptToHeld: (email, key, isStill) =>
      pipe(
        keyring.markBackedUp(email, key.fingerprint),
        TE.mapLeft((refusal) => refusalProblem(refusal)),
        TE.chain(() => encryptTo(key.publicKey, key.fingerprint, isStill)),
        TE.chain(() => look(email, isStill)),
      ),
    publish: (isPublished, isStill) =>
      pipe(
        call(publishKey)({ body: { published: isPublished } }),
        TE.bimap(problemOf(said.publish), ({ published }) => {
          if (isStill()) know({ isPublished: published });
        }),
      ),
    encryptNothing: (isStill) =>
      pipe(
        call(deleteKeys)(),
        TE.mapLeft(problemOf(said.remove)),
        TE.map(() => notInUse(isStill)),
      ),
  };
};
