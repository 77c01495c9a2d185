import type { Check } from "../../../core/operator/operatorEndpoints.ts";

export type { Check };

/** Everything is as it should be. */
export const ok = (name: string, is: string): Check => ({ name, state: "ok", is, advice: null });
/** It works, but should be improved. */
export const warning = (name: string, is: string, advice: string): Check => ({
  name,
  state: "warning",
  is,
  advice,
});
/** It does not work. */
export const problem = (name: string, is: string, advice: string): Check => ({
  name,
  state: "problem",
  is,
  advice,
});
/** It could not be found out. */
export const unknown = (name: string, is: string, advice: string | null = null): Check => ({
  name,
  state: "unknown",
  is,
  advice,
});
