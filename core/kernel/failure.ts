/** One field of a form or of a request body that cannot be used, and the sentence that says what to do. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** The server answered and said no. `message` is its own sentence, where it gave one. */
export interface Refusal {
  readonly kind: "refused";
  readonly status: number;
  readonly message?: string | undefined;
  readonly errors: readonly FieldError[];
  readonly told?: true;
}

/** No answer came. */
export type Unanswered =
  /** No network, refused connection, cross-origin refusal. */
  | { readonly kind: "network"; readonly detail: string; readonly told?: true }
  | { readonly kind: "timeout"; readonly afterMs: number; readonly told?: true }
  /** Given up on this side before an answer came. */
  | { readonly kind: "cancelled"; readonly told?: true };

/**
 * Everything that can go wrong, as a value. The sentence a user reads is chosen in `sentences/`.
 * `told`: a toast has said so already, so that nobody says it in a second one.
 */
export type Failure =
  | Unanswered
  | Refusal
  /** An answer, a message or a stored value is not what its codec describes. */
  | { readonly kind: "unreadable"; readonly what: string; readonly problems: readonly string[] }
  /** Input that was refused before anything was sent. */
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] }
  /** Nothing was done because the same thing is under way already. */
  | { readonly kind: "busy" }
  /** The environment would not do it (clipboard refused, storage full). */
  | { readonly kind: "unavailable"; readonly detail: string };

export const network = (detail: string): Failure => ({ kind: "network", detail });
export const timeout = (afterMs: number): Failure => ({ kind: "timeout", afterMs });
export const cancelled: Failure = { kind: "cancelled" };
export const refused = (status: number, message?: string, errors: readonly FieldError[] = []): Refusal => ({
  kind: "refused",
  status,
  message,
  errors,
});
export const unreadable = (what: string, problems: readonly string[]): Failure => ({
  kind: "unreadable",
  what,
  problems,
});
export const invalid = (errors: readonly FieldError[]): Failure => ({ kind: "invalid", errors });
export const busy: Failure = { kind: "busy" };
export const unavailable = (detail: string): Failure => ({ kind: "unavailable", detail });

/** Whether the server answered with one of these statuses. */
export const isRefused = (failure: Failure, ...statuses: readonly number[]): boolean =>
  failure.kind === "refused" && statuses.includes(failure.status);

/** The errors that belong beside form fields; none for failures that concern the whole. */
export const fieldErrors = (failure: Failure): readonly FieldError[] =>
  failure.kind === "invalid" || failure.kind === "refused" ? failure.errors : [];

/** Whether a toast has said so already. */
export const isTold = (failure: Failure): boolean => "told" in failure && failure.told === true;

/** Whether no answer came, for whatever reason: nobody knows what it would have been, or whether anything was done. */
export const isUnanswered = (failure: Failure): failure is Unanswered =>
  failure.kind === "network" || failure.kind === "timeout" || failure.kind === "cancelled";
