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

/** The URLs of imports that have failed; the value is the URL under which the module was loaded afterwards. */
const failedUrls = new Map<string, string | null>();

/**
 * Imports a module. Browsers remember a failed import by its URL (HTML, module map), whichever part asks for it: one that
 * fails although it has failed before is imported under another URL, and all parts get the same module.
 */
const importModule = async <M>(load: () => Promise<M>): Promise<M> => {
  try {
    return await load();
  } catch (error) {
    const url = failedUrl(error);
    const loadedAs = url === undefined ? undefined : failedUrls.get(url);
    if (url !== undefined && loadedAs === undefined) failedUrls.set(url, null);
    if (url === undefined || loadedAs === undefined) throw error;
    const address = loadedAs ?? `${url}?again=${Date.now()}`;
    const module: M = await import(address);
    failedUrls.set(url, address);
    return module;
  }
};

const withTimeout = <C>(work: Promise<C>): Promise<C> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Not loaded within ${timeoutMs} ms`)), timeoutMs);
    void work.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/**
 * Creates a chunk from its import and the part of the module that is used, which may load others first. Loads nothing yet. `load`
 * is the import alone: after failures the module comes from another URL.
 */
export const createChunk = <M, C>(load: () => Promise<M>, pick: (module: M) => C | Promise<C>): Chunk<C> => {
  let loaded: { readonly part: C } | undefined;
  let loading: Promise<C> | undefined;
  const loadOnce = async (): Promise<C> => {
    try {
      const part = await pick(await withTimeout(importModule(load)));
      loaded = { part };
      return part;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  const loadPart = (): Promise<C> => {
    loading ??= loadOnce();
    return loading;
  };
  return {
    loaded: () => loaded?.part,
    load: loadPart,
    prefetch: () => void loadPart().catch(() => undefined),
  };
};

/** Creates the retryable version of an import: `load` of a chunk that is the whole module. */
export const retryable = <M>(load: () => Promise<M>): (() => Promise<M>) =>
  createChunk(load, (module) => module).load;
