import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

/** Frees all memory that nothing uses any more, so that what is left has been kept. */
export const collectGarbage = runInNewContext("gc") as () => void;
