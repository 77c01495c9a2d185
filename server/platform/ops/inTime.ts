/**
 * Creates a question that is answered in time: with `otherwise` when the answer takes longer than `ms`. One that still waits is
 * not asked again, so that nothing piles up where nobody answers.
 */
export const createInTime = <A>(ms: number, ask: () => Promise<A>, otherwise: A): (() => Promise<A>) => {
  let waiting: Promise<A> | null = null;
  return async () => {
    waiting ??= ask().finally(() => {
      waiting = null;
    });
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<A>((resolve) => {
      timer = setTimeout(resolve, ms, otherwise);
    });
    try {
      return await Promise.race([waiting, timeout]);
    } finally {
      clearTimeout(timer);
    }
  };
};
