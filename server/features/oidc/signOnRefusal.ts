import type { SignOnProblem } from "../../../core/session/signIn/singleSignOn.ts";

/** The problem that the user is shown; whoever turned back at the provider is shown none. */
export type RefusalKind = SignOnProblem | "cancelled";

/** Thrown when a sign-in by the provider is refused; `reason` is for the log and has no secret. */
export class SignOnRefusal extends Error {
  readonly problem: RefusalKind;
  readonly reason: string;

  constructor(problem: RefusalKind, reason: string, cause?: unknown) {
    super(reason, { cause });
    this.problem = problem;
    this.reason = reason;
  }
}

const deepest = 5;

/** An error and what it is caused by, from the outside in. */
const causesOf = (error: unknown, depth = deepest): readonly unknown[] => {
  const cause: unknown = Object(error).cause;
  return cause === undefined || depth === 0 ? [error] : [error, ...causesOf(cause, depth - 1)];
};

/** The first refusal among an error and its causes; undefined without one. */
const refusalIn = (error: unknown): SignOnRefusal | undefined =>
  causesOf(error).find((cause) => cause instanceof SignOnRefusal);

/** The words of libraries about what was wrong: codes and the names of claims, never a value. */
const wordsOf = (error: unknown): readonly string[] => {
  const { code, error: answered, claim } = Object(error) as Readonly<Record<string, unknown>>;
  return [code, answered, claim].filter(
    (word): word is string => typeof word === "string" && /^[\w.-]{1,60}$/.test(word),
  );
};

/** The words of an error and of what it is caused by. */
export const wordsIn = (error: unknown): readonly string[] => [...new Set(causesOf(error).flatMap(wordsOf))];

const described = (error: unknown): string => {
  const words = wordsIn(error);
  if (words.length > 0) return words.join(" ");
  return error instanceof Error ? error.name : "unknown";
};

const answeredWith = (error: unknown): RefusalKind => {
  const answered = (error as { error?: unknown } | null)?.error;
  if (answered === "access_denied") return "cancelled";
  return answered === "temporarily_unavailable" || answered === "server_error" ? "unavailable" : "refused";
};

/** Returns an error of the protocol as a refusal: what the provider says is not believed. */
export const asRefusal = (error: unknown, during: string): SignOnRefusal =>
  refusalIn(error) ?? new SignOnRefusal(answeredWith(error), `${during}: ${described(error)}`, error);
