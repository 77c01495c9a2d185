import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Frees all memory that nothing uses any more, so that what is left has been kept. */
export const collectGarbage = (): void => {
  collect();
  // Buffers are freed by another thread, which a second collection waits for.
  collect();
};
