import type { Problem } from "../core/api/errorMessages.ts";
import { invalidSessionMessage } from "../core/api/failureNotices.ts";
import { type Failure, isRefused, isUnanswered, type Refusal } from "../core/kernel/failure.ts";

/** The exit codes of the program. */
export const exits = {
  done: 0,
  failed: 1,
  usage: 2,
  notLoggedIn: 3,
  notFound: 4,
  noNetwork: 5,
  notAllowed: 6,
  /** Ended by Ctrl+C, as shells count it. */
  interrupted: 130,
  /** Nobody reads the output any more. */
  pipeClosed: 141,
} as const;
export type Exit = (typeof exits)[keyof typeof exits];

/** The exit codes in words, for the documentation. */
export const exitTexts: readonly (readonly [Exit, string])[] = [
  [exits.done, "Done."],
  [exits.failed, "The command failed; the message says why."],
  [exits.usage, "It was called wrongly, or a name fits several masks."],
  [exits.notLoggedIn, "Nobody is logged in, or the session or the token has ended."],
  [exits.notFound, "There is no such mask, rule or file."],
  [exits.noNetwork, "The server could not be reached."],
  [exits.notAllowed, "The server does not allow it: a scope of the token is lacking, or a limit is reached."],
  [exits.interrupted, "Ended by Ctrl+C."],
  [exits.pipeClosed, "The reader of the output has gone away."],
];

/** An end of the program that its user is told in a sentence. */
export class Stop extends Error {
  readonly exit: Exit;

  constructor(exit: Exit, message: string) {
    super(message);
    this.exit = exit;
  }
}

export const usageError = (message: string): Stop => new Stop(exits.usage, message);

const exitOf = (failure: Failure): Exit => {
  if (isUnanswered(failure)) return exits.noNetwork;
  if (failure.kind === "invalid") return exits.usage;
  if (isRefused(failure, 401)) return exits.notLoggedIn;
  if (isRefused(failure, 403)) return exits.notAllowed;
  if (isRefused(failure, 404)) return exits.notFound;
  if (isRefused(failure, 400, 422)) return exits.usage;
  return exits.failed;
};

const isOfSession = ({ message = invalidSessionMessage }: Refusal): boolean =>
  message === invalidSessionMessage;

const sentenceOf = ({ message, fields, failure }: Problem): string => {
  if (failure.kind === "network") return "The server cannot be reached. Check the network and its address.";
  if (failure.kind === "timeout") return "The server has not answered in time.";
  // A wrong code, or a token that is mistyped or has ended, is said by the server.
  if (failure.kind === "refused" && failure.status === 401 && isOfSession(failure))
    return "You are not logged in any more. `bauta-cli login` begins a new session.";
  return [message, ...fields.map((field) => field.message)].filter((text) => text !== "").join(" ");
};

/** Converts a problem of the core to an end of the program. */
export const stopFor = (problem: Problem): Stop =>
  new Stop(exitOf(problem.failure), sentenceOf(problem) || "The command failed.");
