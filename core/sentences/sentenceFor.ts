import type { Failure } from "../kernel/failure.ts";
import { fallbacks, type Operation } from "./operations.ts";

const connectionIssue = "Connection issue. Please try again later.";
const unreadableAnswer = "The server gave an answer that cannot be read. Please try again later.";

/** A 5xx as RQ10 words it; the server's full stop is not doubled. */
const serverError = (message = "Server error"): string =>
  `Server error: ${message.replace(/\.$/, "")}. Our team has been notified.`;

const wordless = (status: number): string =>
  status === 401 ? "Authentication failed" : `Request failed with status ${status}`;

/**
 * The sentence for a failure of an operation; in it the server's own words come first (A8, RQ11).
 * Empty when there is nothing to say, or when all of it stands beside the fields of a form.
 */
export const sentenceFor = (
  operation: Operation,
  failure: Failure,
  place: "here" | "toast" = "here",
): string => {
  const said = fallbacks[operation];
  const fallback = said[place] ?? said.here;
  switch (failure.kind) {
    case "network":
    case "timeout":
      return said.unreached ?? connectionIssue;
    case "refused":
      if (failure.status >= 500) return serverError(failure.message);
      if (failure.errors.some(({ message }) => message === failure.message)) return "";
      return failure.message ?? fallback ?? wordless(failure.status);
    case "unreadable":
      return said.unreadable ?? fallback ?? unreadableAnswer;
    case "unavailable":
      return fallback ?? unreadableAnswer;
    case "invalid":
    case "busy":
      return "";
  }
};
