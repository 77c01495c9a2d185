import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";
import type { Cache } from "../storage/cache.ts";

export interface CachedGet<A> {
  readonly cache: Cache<A>;
  /** In whose name is asked; what arrives in another's name is not kept. */
  readonly owner: () => string | null;
  readonly ask: TE.TaskEither<Failure, A>;
}

/** `isOld`: nobody could be asked, and this is from an earlier time. */
export interface Got<A> {
  readonly value: A;
  readonly isOld: boolean;
}

/** Asks, keeps the answer, and falls back on what was kept, whatever its age, when there is none (RQ4). */
export const getAnew =
  <A>({ cache, owner, ask }: CachedGet<A>): TE.TaskEither<Failure, Got<A>> =>
  () => {
    const asking = owner();
    const keep = (value: A): Got<A> => {
      if (asking !== null && owner() === asking) cache.write(asking, value);
      return { value, isOld: false };
    };
    const known = (failure: Failure): TE.TaskEither<Failure, Got<A>> => {
      const kept = asking === null || owner() !== asking ? null : cache.read(asking);
      return kept === null ? TE.left(failure) : TE.right({ value: kept.value, isOld: true });
    };
    return pipe(ask, TE.map(keep), TE.orElse(known))();
  };

/** Answers what was kept while it is younger than its lifetime, else asks (RQ4). */
export const getCached =
  <A>(get: CachedGet<A>): TE.TaskEither<Failure, Got<A>> =>
  () => {
    const asking = get.owner();
    const kept = asking === null ? null : get.cache.read(asking);
    return kept?.fresh ? TE.right({ value: kept.value, isOld: false })() : getAnew(get)();
  };
