/** One check of an installation. */
export interface Check {
  /** What is checked, such as "MX record". */
  readonly name: string;
  readonly state: "ok" | "warning" | "problem" | "unknown";
  /** What is. */
  readonly is: string;
  /** What should be and what to do; null when nothing is to be done. */
  readonly advice: string | null;
}

export const ok = (name: string, is: string): Check => ({ name, state: "ok", is, advice: null });
export const warning = (name: string, is: string, advice: string): Check => ({
  name,
  state: "warning",
  is,
  advice,
});
export const problem = (name: string, is: string, advice: string): Check => ({
  name,
  state: "problem",
  is,
  advice,
});
export const unknown = (name: string, is: string, advice: string | null = null): Check => ({
  name,
  state: "unknown",
  is,
  advice,
});
