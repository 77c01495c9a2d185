import * as t from "io-ts";
import { fieldErrorsOf, fieldOf } from "../../../core/api/fieldErrors.ts";
import type { FieldError } from "../../../core/kernel/failure.ts";
import { type StorageProblem, storageProblemOf } from "../storage/storageProblem.ts";

export interface HttpErrorDetails {
  readonly errors?: readonly FieldError[];
  /** The seconds after which the client may repeat the request (RFC 9110, 10.2.3). */
  readonly retryAfterS?: number;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** An error that is sent to the client with a status; `message` is shown to the user. */
export class HttpError extends Error {
  readonly status: number;
  readonly errors: readonly FieldError[];
  readonly retryAfterS: number | undefined;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, details: HttpErrorDetails = {}) {
    super(message);
    this.status = status;
    this.errors = details.errors ?? [];
    this.retryAfterS = details.retryAfterS;
    this.extra = details.extra ?? {};
  }
}

/** Creates an `HttpError` for one field; its message is also the message of the whole response. */
export const fieldError = (status: number, field: string, message: string): HttpError =>
  new HttpError(status, message, { errors: [{ field, message }] });

/** The 401 error for a missing or ended session (SE8). */
export const invalidSession = (): HttpError => new HttpError(401, "Invalid or expired token");

/** The response to a failed request. */
export interface ErrorReply {
  readonly status: number;
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
  405: "This address does not take that method.",
  408: "The request took too long to arrive.",
  413: "The request is too large.",
  414: "The address is too long.",
  415: "Please send JSON, with the header content-type: application/json.",
  431: "The headers of the request are too large.",
  429: "Too many requests. Please try again in a moment.",
};

/** Returns the message for a status that the HTTP layer sends by itself. */
export const statusMessage = (status: number): string => statusMessages[status] ?? "The request was refused.";

const storageMessages: Readonly<Record<StorageProblem, string>> = {
  full: "There is no room left on the server's disk, so nothing was saved. Ask whoever runs the server to free some, then try again.",
  failed: "The server cannot write to its disk at the moment, so nothing was saved. Please try again later.",
};
const storageFailed = 507;

const unexpectedMessage = "Something went wrong on our side. Please try again.";

const statusOf = (error: unknown): number | undefined => {
  if (!(error instanceof Error) || !("statusCode" in error)) return undefined;
  const status = Number(error.statusCode);
  return status >= 400 && status < 500 ? status : undefined;
};

/**
 * Maps every error to a response. An `HttpError` keeps its message; an error of the HTTP layer (unreadable, too
 * large, unknown route …) gets the message of its status; a disk that cannot be written is a 507 (RFC 4918, 11.5);
 * any other error is a 500 with a general message.
 */
export const toErrorReply = (error: unknown): ErrorReply => {
  if (error instanceof HttpError) {
    const { status, message, errors, retryAfterS, extra } = error;
    const body = {
      ...extra,
      message,
      ...(errors.length > 0 ? { errors } : {}),
    };
    return { status, body, retryAfterS };
  }
  const problem = storageProblemOf(error);
  if (problem) return { status: storageFailed, body: { message: storageMessages[problem] } };
  const status = statusOf(error);
  return status === undefined
    ? { status: 500, body: { message: unexpectedMessage } }
    : { status, body: { message: statusMessage(status) } };
};

const objects = [t.InterfaceType, t.PartialType, t.IntersectionType, t.ExactType, t.DictionaryType];
const lists = [t.ArrayType, t.ReadonlyArrayType, t.AnyArrayType];

const expectedBy = (type: t.Decoder<never, unknown>): string => {
  if (type instanceof t.LiteralType) return JSON.stringify(type.value);
  if (type instanceof t.StringType) return "text";
  if (type instanceof t.NumberType) return "a number";
  if (type instanceof t.BooleanType) return "true or false";
  if (objects.some((object) => type instanceof object)) return "an object";
  if (lists.some((list) => type instanceof list)) return "a list";
  return `a ${type.name}`;
};

const alternatives = new Intl.ListFormat("en", { type: "disjunction" });

const fieldMessage = (field: string, errors: t.Errors): string => {
  const expected = new Set(
    errors.flatMap(({ context }) => context.slice(-1).map(({ type }) => expectedBy(type))),
  );
  return `${field || "This"} must be ${alternatives.format(expected)}.`;
};

/** Describes decoding errors with one message per field: the codec's, or one that lists every accepted type. */
export const describeFieldErrors = (errors: t.Errors): readonly FieldError[] =>
  fieldErrorsOf(
    errors.map((error) => {
      const field = fieldOf(error);
      const same = errors.filter((other) => fieldOf(other) === field && other.message === undefined);
      return error.message === undefined ? { ...error, message: fieldMessage(field, same) } : error;
    }),
  );
