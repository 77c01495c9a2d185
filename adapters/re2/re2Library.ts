import { RE2JS } from "re2js";

/** RE2's JavaScript port (about 60 kB), in a file of its own that is loaded late. */
export const engine: typeof RE2JS = RE2JS;
