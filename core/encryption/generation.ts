import * as E from "fp-ts/lib/Either.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import { firstValueFrom, interval, takeWhile, timer } from "rxjs";
import type { Clock } from "../ports/clock.ts";

/** The bar rises by so much, so often, up to here until the key is made (KE1). */
const stepPercent = 5;
const stepEachMs = 150;
const highestPercent = 95;
/** How long a full bar is shown. */
const doneAfterMs = 500;

/**
 * Runs `make` and tells how far it has come: 5 % each 150 ms up to 95, 100 on success, and done 0.5 s after that
 * (KE1). A failure ends it at once.
 */
export const withProgress =
  <F, A>(make: TE.TaskEither<F, A>, clock: Clock, show: (percent: number) => void): TE.TaskEither<F, A> =>
  () => {
    show(0);
    let percent = 0;
    const rising = interval(stepEachMs, clock.scheduler)
      .pipe(takeWhile(() => percent < highestPercent))
      .subscribe(() => {
        percent += stepPercent;
        show(percent);
      });
    const shown = (outcome: E.Either<F, A>): Promise<E.Either<F, A>> => {
      rising.unsubscribe();
      if (E.isLeft(outcome)) return Promise.resolve(outcome);
      show(100);
      return firstValueFrom(timer(doneAfterMs, clock.scheduler)).then(() => outcome);
    };
    return make().then(shown);
  };
