/** One check of an installation. */
export interface Check {
  /** The subject, such as "MX record". */
  readonly name: string;
  readonly state: "ok" | "warning" | "problem" | "unknown";
  readonly is: string;
  /** What is wrong and how to fix it; null when nothing is to be done. */
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
