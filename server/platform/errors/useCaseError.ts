import { invalidSessionMessage } from "../../../core/api/failureNotices.ts";
import type { FieldError } from "../../../core/kernel/failure.ts";

/** The kind of reason for which a use case does not do what it is asked for. */
export type UseCaseErrorKind =
  /** The input cannot be used; `errors` names the fields. */
  | "invalid"
  /** Nobody is signed in, or a code is wrong. */
  | "unauthenticated"
  /** It has to be paid first. */
  | "unpaid"
  /** The user or their plan may not do it. */
  | "forbidden"
  /** It does not exist, or belongs to somebody else. */
  | "missing"
  /** It contradicts what is stored. */
  | "conflict"
  /** It was done too often; `retryAfterS` says when it works again. */
  | "too-often"
  /** The payment provider failed. */
  | "provider-failed"
  /** Something that it needs does not answer at the moment. */
  | "unavailable";

export interface UseCaseErrorDetails {
  readonly errors?: readonly FieldError[];
  /** The seconds after which it can be tried again. */
  readonly retryAfterS?: number;
  /** Further facts for the client. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Thrown by a use case that does not do what it is asked for; `message` is shown to the user. It knows no protocol. */
export class UseCaseError extends Error {
  readonly kind: UseCaseErrorKind;
  readonly errors: readonly FieldError[];
  readonly retryAfterS: number | undefined;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(kind: UseCaseErrorKind, message: string, details: UseCaseErrorDetails = {}) {
    super(message);
    this.kind = kind;
    this.errors = details.errors ?? [];
    this.retryAfterS = details.retryAfterS;
    this.extra = details.extra ?? {};
  }
}

/** Creates an error for one field; its message is also the message of the whole. */
export const fieldError = (kind: UseCaseErrorKind, field: string, message: string): UseCaseError =>
  new UseCaseError(kind, message, { errors: [{ field, message }] });

/** The error for a missing or ended session (SE8). */
export const invalidSession = (): UseCaseError => new UseCaseError("unauthenticated", invalidSessionMessage);
