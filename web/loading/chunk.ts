import { importAgain } from "./importAgain.ts";

/** A chunk that has not come after this long has failed (SH6). */
const chunkLimitMs = 120_000;

/** A part of the page that is fetched when it is first wanted. */
export interface Chunk<C> {
  /** The part, once it is here. */
  readonly loaded: () => C | undefined;
  /** Fetches it; calls while one is under way share it, and after a failure the next call asks the network again. */
  readonly fetch: () => Promise<C>;
  /** Fetches it because it will be wanted soon; a failure is left to the moment it is. */
  readonly prefetch: () => void;
}

const within = <C>(limitMs: number, work: Promise<C>): Promise<C> =>
  new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`Not loaded within ${limitMs} ms`)), limitMs);
    void work.then(resolve, reject).finally(() => clearTimeout(limit));
  });

/** Makes a chunk from its import and what is wanted of it. Silent: nothing is fetched until somebody asks. */
export const createChunk = <M, C>(load: () => Promise<M>, pick: (module: M) => C): Chunk<C> => {
  let part: { readonly it: C } | undefined;
  let fetching: Promise<C> | undefined;
  let failure: unknown;
  const fetch = (): Promise<C> => {
    fetching ??= within(chunkLimitMs, importAgain(failure, load)).then(
      (module) => {
        part = { it: pick(module) };
        return part.it;
      },
      (reason) => {
        fetching = undefined;
        failure = reason;
        throw reason;
      },
    );
    return fetching;
  };
  return {
    loaded: () => part?.it,
    fetch,
    prefetch: () => {
      fetch().catch(() => undefined);
    },
  };
};
