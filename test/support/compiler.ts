import { join } from "node:path";

/** The compiler that checks the project. `typescript` and `typescript-native` both bring a `tsc`: only a path is exact. */
export const compiler = join(import.meta.dirname, "../../node_modules/typescript-native/bin/tsc");
