import { Histogram, type Registry } from "@prometheus-io/client";
import type { Clock } from "../../../core/ports/clock.ts";
import { createLabelledCounter } from "../metrics/labelledCounter.ts";
import { ObjectError, type ObjectStore } from "./objectStore.ts";

/** The name of the object that is written to find out whether the store takes objects again. */
const testName = "check";
const testContent = Buffer.alloc(1024);
const repeatAfterMs = 5_000;

/** An object store that is measured. */
export interface WatchedObjects extends ObjectStore {
  /** Returns why the store does not work, as a sentence for the operator; null when it does. */
  readonly check: () => Promise<string | null>;
  /** Counts an object that is not what was stored. */
  readonly countDamaged: () => void;
}

const advice = (error: unknown): string => {
  const what = error instanceof ObjectError ? error.message : "The object store fails.";
  return `${what} Mail waits meanwhile, and nothing has to be restarted.`;
};

/**
 * Measures an object store. `check` asks for a list at most every 5 s; after a failed write it writes instead, because
 * a full store can still be read.
 */
export const watchObjects = (
  objects: ObjectStore,
  { registry, clock }: { readonly registry: Registry; readonly clock: Pick<Clock, "now"> },
): WatchedObjects => {
  const seconds = new Histogram({
    name: "bauta_object_seconds",
    help: "Time of a request to the object store that has succeeded, by operation; a read until its last byte.",
    labelNames: ["operation"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const countError = createLabelledCounter(registry, {
    name: "bauta_object_errors_total",
    help: "Requests that the object store has failed: out of reach or slow, no such object, full, refused, or damaged.",
    label: "problem",
    values: ["unreachable", "missing", "full", "refused", "damaged"],
  });
  let isWritable = true;

  const measured = async <A>(operation: string, work: () => Promise<A>): Promise<A> => {
    const end = seconds.startTimer({ operation });
    try {
      const result = await work();
      end();
      return result;
    } catch (error) {
      if (error instanceof ObjectError) countError(error.problem);
      throw error;
    }
  };

  const put: ObjectStore["put"] = (name, object) =>
    measured("put", () => objects.put(name, object)).then(
      () => {
        isWritable = true;
      },
      (error: unknown) => {
        isWritable = false;
        throw error;
      },
    );
  const list: ObjectStore["list"] = (after) => measured("list", () => objects.list(after));
  const ask = async (): Promise<string | null> => {
    try {
      if (isWritable) await list(null);
      else await put(testName, { size: testContent.length, chunks: () => [testContent] });
      return null;
    } catch (error) {
      return advice(error);
    }
  };
  let last: { readonly at: number; readonly result: Promise<string | null> } | null = null;

  return {
    put,
    list,
    remove: (name) => measured("delete", () => objects.remove(name)),
    get: async function* (name, maxBytes) {
      const end = seconds.startTimer({ operation: "get" });
      try {
        yield* objects.get(name, maxBytes);
        end();
      } catch (error) {
        if (error instanceof ObjectError) countError(error.problem);
        throw error;
      }
    },
    close: objects.close,
    check: () => {
      const now = clock.now();
      if (last && now >= last.at && now - last.at < repeatAfterMs) return last.result;
      last = { at: now, result: ask() };
      return last.result;
    },
    countDamaged: () => countError("damaged"),
  };
};
