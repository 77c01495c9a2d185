import type { FieldError } from "../../../core/kernel/failure.ts";
import { UseCaseError, type UseCaseErrorKind } from "../errors/useCaseError.ts";
import { type StorageProblem, storageProblemOf } from "../storage/storageProblem.ts";

/** The status of each error of a use case (RFC 9110, 15.5; RFC 6585, 4). */
export const statusOfKind: Readonly<Record<UseCaseErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  unpaid: 402,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  "too-often": 429,
  "provider-failed": 502,
  unavailable: 503,
};

/** An error of the HTTP layer itself; `message` is shown to the user. */
export class HttpError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The response to a failed request. */
export interface ErrorReply {
  readonly status: number;
  /** The kind of the error, where a use case says so. */
  readonly code?: UseCaseErrorKind;
  readonly body: {
    readonly message: string;
    readonly errors?: readonly FieldError[];
    readonly [more: string]: unknown;
  };
  readonly retryAfterS?: number | undefined;
}

const statusMessages: Readonly<Record<number, string>> = {
  400: "The request could not be read.",
  404: "There is nothing here.",
  405: "This address does not accept that method.",
  408: "The request took too long to arrive.",
  413: "The request is too large.",
  414: "The address is too long.",
  415: "Send JSON, with the header content-type: application/json.",
  431: "The headers of the request are too large.",
  429: "Too many requests. Please try again in a moment.",
};

/** Returns the message for a status that the HTTP layer sends by itself. */
export const statusMessage = (status: number): string => statusMessages[status] ?? "The request was refused.";

const storageMessages: Readonly<Record<StorageProblem, string>> = {
  full: "There is no room left on the server's disk, so nothing was saved. Ask the operator to free some, then try again.",
  failed: "The server cannot write to its disk at the moment, so nothing was saved. Try again later.",
};
const storageFailed = 507;

const unexpectedMessage = "Something went wrong. Try again.";

const statusOf = (error: unknown): number | undefined => {
  if (!(error instanceof Error) || !("statusCode" in error)) return undefined;
  const status = Number(error.statusCode);
  return status >= 400 && status < 500 ? status : undefined;
};

/**
 * Maps every error to a response. An error of a use case keeps its message; an error of the HTTP layer (unreadable, too
 * large, unknown route …) gets the message of its status; a disk that cannot be written is a 507 (RFC 4918, 11.5);
 * any other error is a 500 with a general message.
 */
export const toErrorReply = (error: unknown): ErrorReply => {
  if (error instanceof HttpError) return { status: error.status, body: { message: error.message } };
  if (error instanceof UseCaseError) {
    const { kind, message, errors, retryAfterS, extra } = error;
    const body = {
      ...extra,
      message,
      ...(errors.length > 0 ? { errors } : {}),
    };
    return { status: statusOfKind[kind], code: kind, body, retryAfterS };
  }
  const problem = storageProblemOf(error);
  if (problem) return { status: storageFailed, body: { message: storageMessages[problem] } };
  const status = statusOf(error);
  return status === undefined
    ? { status: 500, body: { message: unexpectedMessage } }
    : { status, body: { message: statusMessage(status) } };
};
