import type { FieldError } from "../../core/kernel/failure.ts";
import { Refusal } from "./refusal.ts";

/** What the client is told about an error. */
export interface ErrorReply {
  readonly status: number;
  readonly body: {
    readonly message: string;
    readonly errors?: readonly FieldError[];
    readonly [more: string]: unknown;
  };
  readonly retryAfterS?: number | undefined;
}

const sentences: Readonly<Record<number, string>> = {
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

/** What is said of a status that the HTTP layer answers by itself. */
export const sentenceOf = (status: number): string => sentences[status] ?? "The request was refused.";

const unexpected = "Something went wrong on our side. Please try again.";

const statusOf = (error: unknown): number | undefined => {
  if (!(error instanceof Error) || !("statusCode" in error)) return undefined;
  const status = Number(error.statusCode);
  return status >= 400 && status < 500 ? status : undefined;
};

/**
 * The one table of errors. A `Refusal` says its own sentence; what the HTTP layer refuses (unreadable, too large,
 * of another type, unknown route, too often) has the sentence of its status; everything else is our fault: 500.
 */
export const replyTo = (error: unknown): ErrorReply => {
  if (error instanceof Refusal) {
    const { status, message, errors, retryAfterS, more } = error;
    const body = {
      ...more,
      message,
      ...(errors.length > 0 ? { errors } : {}),
    };
    return { status, body, retryAfterS };
  }
  const status = statusOf(error);
  return status === undefined
    ? { status: 500, body: { message: unexpected } }
    : { status, body: { message: sentenceOf(status) } };
};
