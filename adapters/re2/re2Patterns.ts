import type { CompilePattern } from "../../core/ports/patterns.ts";

/** Loads RE2's JavaScript port (about 60 kB); only regular expressions need it. */
export const loadRe2Patterns = (): Promise<CompilePattern> =>
  import("./compilePattern.ts").then(({ compilePattern }) => compilePattern);
