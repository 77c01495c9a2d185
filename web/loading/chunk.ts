/** A chunk that is not loaded after this time has failed (SH6). */
const timeoutMs = 120_000;

/** A part of the page whose code is loaded when it is needed. */
export interface Chunk<C> {
  /** The part; undefined until it is loaded. */
  readonly loaded: () => C | undefined;
  /** Loads the part. Concurrent calls share one request; a call after a failure requests the code again. */
  readonly load: () => Promise<C>;
  /** Loads the part ahead of its use; a failure is handled at the use. */
  readonly prefetch: () => void;
}

/** The URL in the error message of a failed import. Safari names none, and requests it again by itself. */
const failedUrl = (failure: unknown): string | undefined =>
  failure instanceof Error ? /https?:\/\/\S+\.js\b/.exec(failure.message)?.[0] : undefined;

/** Imports a module under another URL: browsers remember a failed import by its URL (HTML, module map). */
const importAgain = <M>(load: () => Promise<M>, failure: unknown): Promise<M> => {
  const url = failedUrl(failure);
  return url === undefined ? load() : import(`${url}?again=${Date.now()}`);
};

const withTimeout = <C>(work: Promise<C>): Promise<C> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Not loaded within ${timeoutMs} ms`)), timeoutMs);
    void work.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/** Creates a chunk from its import and the part of the module that is used. Loads nothing yet. */
export const createChunk = <M, C>(importModule: () => Promise<M>, pick: (module: M) => C): Chunk<C> => {
  let loaded: { readonly part: C } | undefined;
  let loading: Promise<C> | undefined;
  let failure: unknown;
  const loadOnce = async (): Promise<C> => {
    try {
      const part = pick(await withTimeout(importAgain(importModule, failure)));
      loaded = { part };
      return part;
    } catch (error) {
      loading = undefined;
      failure = error;
      throw error;
    }
  };
  const load = (): Promise<C> => {
    loading ??= loadOnce();
    return loading;
  };
  return { loaded: () => loaded?.part, load, prefetch: () => void load().catch(() => undefined) };
};

/** Creates the retryable version of an import: `load` of a chunk that is the whole module. */
export const retryable = <M>(importModule: () => Promise<M>): (() => Promise<M>) =>
  createChunk(importModule, (module) => module).load;
