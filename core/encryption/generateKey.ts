import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { firstValueFrom, interval, takeWhile, timer } from "rxjs";
import type { Problem } from "../api/errorMessages.ts";
import { chainResult, deferTask, mapResult, onEnd } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";
import type { Keyring, KeyringRefusal } from "../ports/keyring.ts";
import { generationFailed, isOfDevice, refusalProblem } from "./encryptionMessages.ts";
import type { EncryptionStore, UseCase } from "./encryptionStore.ts";

/** The progress bar rises by this step at this interval up to this maximum (KE1). */
const stepPercent = 5;
const stepEachMs = 150;
const highestPercent = 95;
/** The time for which the full progress bar is shown. */
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

const toGenerationProblem = (refusal: KeyringRefusal): Problem => {
  const problem = refusalProblem(refusal);
  return isOfDevice(refusal) ? problem : { ...problem, message: generationFailed };
};

export interface KeyGeneration {
  /** Generates a key on this device, and shows the progress. */
  readonly generate: () => UseCase<void>;
  /** Deletes the key that is being generated as soon as it exists. */
  readonly cancel: () => void;
}

export const createKeyGeneration = (
  { keyring, clock }: { readonly keyring: Keyring; readonly clock: Clock },
  store: EncryptionStore,
): KeyGeneration => {
  let isCanceled = false;
  const remove = (email: string, fingerprint: string, isCurrent: () => boolean): UseCase<void> =>
    pipe(
      keyring.remove(email, fingerprint),
      TE.mapLeft((refusal) => refusalProblem(refusal)),
      TE.chain(() => store.loadDeviceKeys(email, isCurrent)),
    );
  return {
    generate: () =>
      store.exclusively((email, isCurrent) => {
        isCanceled = false;
        const show = (percent: number | null): void => {
          if (isCurrent()) store.update({ percent });
        };
        return pipe(
          withProgress(keyring.create(email), clock, show),
          TE.mapLeft(toGenerationProblem),
          TE.chainFirst(() => store.loadDeviceKeys(email, isCurrent)),
          TE.chain(({ fingerprint }) =>
            isCanceled ? remove(email, fingerprint, isCurrent) : TE.right(undefined),
          ),
          onEnd(() => show(null)),
        );
      }),
    cancel: () => {
      isCanceled = true;
    },
  };
};
