/** A part of the process that can be begun and ended, in an order. */
export interface Part {
  readonly name: string;
  readonly start: () => Promise<void> | void;
  /** Stops accepting and finishes, or cleanly abandons, what is under way. */
  readonly stop: () => Promise<void> | void;
}

/** How long an orderly stop may take before what is left is abandoned. */
const stopWithinMs = 9_000;

const within = async (ms: number, work: Promise<unknown>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const inTime = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
};

/**
 * Begins the parts one after the other. When one cannot begin, those before it are stopped again and the error is
 * thrown. The returned function stops all in the opposite order; false when that took longer than `stopWithinMs`.
 */
export const startAll = async (parts: readonly Part[]): Promise<() => Promise<boolean>> => {
  const begun: Part[] = [];
  const stopAll = async (): Promise<void> => {
    for (const part of begun.splice(0).reverse()) await part.stop();
  };
  try {
    for (const part of parts) {
      await part.start();
      begun.push(part);
    }
  } catch (error) {
    await within(stopWithinMs, stopAll());
    throw error;
  }
  return () => within(stopWithinMs, stopAll());
};
