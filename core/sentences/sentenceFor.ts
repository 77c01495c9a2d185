import { type Failure, isTold, type Refusal } from "../kernel/failure.ts";
import { connectionIssue, serverError, tooManyRequests } from "../requests/notices.ts";
import { type Fallbacks, fallbacks, type Operation } from "./operations.ts";

const unreadableAnswer = "The server gave an answer that cannot be read. Please try again later.";

const wordless = (status: number): string =>
  status === 401 ? "Authentication failed" : `Request failed with status ${status}`;

const refusal = ({ status, message, errors }: Refusal, fallback: string | undefined): string => {
  if (status >= 500) return serverError(message);
  if (errors.some((error) => error.message === message)) return "";
  return message ?? (status === 429 ? tooManyRequests : (fallback ?? wordless(status)));
};

/**
 * The sentence for a failure of an operation; in it the server's own words come first (A8, RQ11). A feature that is
 * fetched late brings the fallbacks of its operations itself.
 * Empty when there is nothing to say, when all of it stands beside the fields of a form, and in a toast when another
 * toast has told of it already.
 */
export const sentenceFor = (
  operation: Operation | Fallbacks,
  failure: Failure,
  place: "here" | "toast" = "here",
): string => {
  if (place === "toast" && isTold(failure)) return "";
  const said = typeof operation === "string" ? fallbacks[operation] : operation;
  const fallback = said[place] ?? said.here;
  switch (failure.kind) {
    case "network":
    case "timeout":
    case "cancelled":
      return said.unreached ?? connectionIssue;
    case "refused":
      return said.refused === undefined ? refusal(failure, fallback) : `${said.refused}: ${failure.status}`;
    case "unreadable":
      return said.unreadable ?? fallback ?? unreadableAnswer;
    case "unavailable":
      return fallback ?? unreadableAnswer;
    case "invalid":
    case "busy":
      return "";
  }
};
