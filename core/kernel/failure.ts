import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";

/** An invalid field of a form or request body, with a message that tells the user what to do. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** The server answered with an error status. `message` is the server's own text, if it sent one. */
export interface Refusal {
  readonly kind: "refused";
  readonly status: number;
  readonly message?: string | undefined;
  readonly errors: readonly FieldError[];
  readonly userNotified?: true;
  /** The operator was told of it. */
  readonly reported?: true;
}

/** The request got no answer. */
export type Unanswered =
  /** No network, a refused connection, or a request that CORS blocks. */
  | { readonly kind: "network"; readonly detail: string; readonly userNotified?: true }
  | { readonly kind: "timeout"; readonly afterMs: number; readonly userNotified?: true }
  /** The client gave up before an answer came. */
  | { readonly kind: "cancelled"; readonly userNotified?: true };

/** Every error as a value; `errorMessage` chooses its text. `userNotified`: a toast has already shown it. */
export type Failure =
  | Unanswered
  | Refusal
  /** An answer, a message or a stored value does not match its codec. */
  | { readonly kind: "unreadable"; readonly what: string; readonly problems: readonly string[] }
  /** The input is invalid; nothing was sent. */
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] }
  /** The same operation is already running; nothing was done. */
  | { readonly kind: "busy" }
  /** The environment refused the operation, for example because storage is full. */
  | { readonly kind: "unavailable"; readonly detail: string };

export const network = (detail: string): Failure => ({ kind: "network", detail });
export const timeout = (afterMs: number): Failure => ({ kind: "timeout", afterMs });
export const canceled: Failure = { kind: "cancelled" };
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

/** True if the server answered with one of the given statuses. */
export const isRefused = (failure: Failure, ...statuses: readonly number[]): boolean =>
  failure.kind === "refused" && statuses.includes(failure.status);

/** Succeeds with null where the server has done what was asked and its answer has another form. */
export const orUnknown = <A>(task: TE.TaskEither<Failure, A>): TE.TaskEither<Failure, A | null> =>
  pipe(
    task,
    TE.orElse(
      (failure): TE.TaskEither<Failure, A | null> =>
        failure.kind === "unreadable" ? TE.right(null) : TE.left(failure),
    ),
  );

/** Succeeds when the server does not have what should be deleted: it is gone already. */
export const orGone: (deletion: TE.TaskEither<Failure, void>) => TE.TaskEither<Failure, void> = TE.orElse(
  (failure) => (isRefused(failure, 404) ? TE.right(undefined) : TE.left(failure)),
);

/** The errors to show beside form fields; none for failures of other kinds. */
export const fieldErrors = (failure: Failure): readonly FieldError[] =>
  failure.kind === "invalid" || failure.kind === "refused" ? failure.errors : [];

/** True if no answer came, so that the client cannot know whether the server has processed the request. */
export const isUnanswered = (failure: Failure): failure is Unanswered =>
  failure.kind === "network" || failure.kind === "timeout" || failure.kind === "cancelled";

/** True if a toast has already shown the failure. */
export const isUserNotified = (failure: Failure): boolean =>
  (failure.kind === "refused" || isUnanswered(failure)) && failure.userNotified === true;

const retryableStatuses = new Set([401, 408, 425, 429]);

/** True if a retry may succeed; a server that has validated and refused a change refuses it again. */
export const isRetryable = (failure: Failure): boolean => {
  if (failure.kind === "invalid") return false;
  return failure.kind !== "refused" || failure.status >= 500 || retryableStatuses.has(failure.status);
};
