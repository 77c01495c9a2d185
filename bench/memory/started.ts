import { readFileSync } from "node:fs";
import { join } from "node:path";

const source = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
const { scripts } = JSON.parse(source) as { readonly scripts: { readonly start: string } };
const [, threshold = "", options = ""] =
  /^MALLOC_TRIM_THRESHOLD_=(\d+) exec node (--.+) \S+$/.exec(scripts.start) ?? [];
if (options === "") throw new Error("`npm start` does not bound the memory of the server");

/** The environment that bounds the memory of a server as `npm start` does. */
export const asStarted = { MALLOC_TRIM_THRESHOLD_: threshold, NODE_OPTIONS: options };
