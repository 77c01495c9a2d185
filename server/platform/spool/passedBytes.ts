import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes of large mail after which the buffers that held them are freed. */
const freedEachBytes = 8 * 1024 * 1024;

type CollectGarbage = (options: { readonly type: "minor" }) => void;

let passed = 0;
let collect: CollectGarbage | null = null;

const createCollect = (): CollectGarbage => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as CollectGarbage;
};

/**
 * Counts bytes of large mail that this thread has read or written. V8 collects garbage by the size of its own heap and
 * lets a thread keep more than 64 MiB of buffers that nobody needs, because these are outside of it.
 */
export const countPassedBytes = (bytes: number): void => {
  passed += bytes;
  if (passed < freedEachBytes) return;
  passed = 0;
  collect ??= createCollect();
  collect({ type: "minor" });
};
