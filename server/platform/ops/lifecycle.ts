/** A part of the process that is started and stopped in order. */
export interface Part {
  readonly name: string;
  readonly start: () => Promise<void> | void;
  /** Stops accepting work and finishes or aborts what is running. */
  readonly stop: () => Promise<void> | void;
}

/** The time for which a stop waits, in milliseconds; what is still running afterwards is abandoned. */
const stopWithinMs = 9_000;

const within = async (ms: number, work: Promise<unknown>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const inTime = await Promise.race([work.then(() => true), timeout]);
  clearTimeout(timer);
  return inTime;
};

/**
 * Starts the parts in order. When one fails, stops the started ones and throws the error. The returned function
 * stops all in reverse order; false when that takes longer than `stopWithinMs`.
 */
export const startAll = async (parts: readonly Part[]): Promise<() => Promise<boolean>> => {
  const started: Part[] = [];
  const stopAll = async (): Promise<void> => {
    for (const part of started.splice(0).reverse()) await part.stop();
  };
  try {
    for (const part of parts) {
      await part.start();
      started.push(part);
    }
  } catch (error) {
    await within(stopWithinMs, stopAll());
    throw error;
  }
  return () => within(stopWithinMs, stopAll());
};

/** Creates a part from a function that begins and returns, once it has begun, the one that ends. */
export const toPart = (
  name: string,
  begin: () => Promise<() => Promise<void> | void> | (() => Promise<void> | void),
): Part => {
  let end: () => Promise<void> | void = () => {};
  return {
    name,
    start: async () => {
      end = await begin();
    },
    stop: () => end(),
  };
};
