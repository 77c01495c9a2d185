/** The address that a browser names when it could not fetch a module; Safari names none, and does ask again itself. */
const failedAddress = (failure: unknown): string | undefined =>
  failure instanceof Error ? /https?:\/\/\S+\.js\b/.exec(failure.message)?.[0] : undefined;

/**
 * Imports a module, also after it could not be fetched: a browser remembers a failed import by its address and never
 * asks the network for it again (HTML, module map), so the second time the address is a little different.
 */
export const importAgain = <M>(failure: unknown, load: () => Promise<M>): Promise<M> => {
  const address = failedAddress(failure);
  return address === undefined ? load() : import(`${address}?again=${Date.now()}`);
};
