/** Shares the result of work among the calls of the next `ms`; a failure is not kept. */
export const createShared = <A>(
  work: () => Promise<A>,
  ms: number,
  now: () => number,
): (() => Promise<A>) => {
  let last: { readonly result: Promise<A>; readonly at: number } | null = null;
  return () => {
    if (last === null || now() - last.at >= ms || now() < last.at) {
      const result = work();
      last = { result, at: now() };
      result.catch(() => {
        last = null;
      });
    }
    return last.result;
  };
};
