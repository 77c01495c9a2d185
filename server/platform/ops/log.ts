import { type Logger, pino } from "pino";
import { errorCode } from "../errors/errorCode.ts";

/**
 * The operator's log. It must not contain addresses of mail, subjects, bodies, codes, or tokens, and addresses of
 * connections only where a stranger was refused (`refusedPeers.ts`).
 */
export type Log = Logger;

/** Creates a log that writes JSON lines to standard output. */
export const createLog = (level: string): Log => pino({ level, base: null });

/** The message is removed because it may contain lines that look like stack lines. */
const stackLines = ({ stack = "", message }: Error): string[] => {
  const below = stack.indexOf(message) + message.length;
  return stack
    .slice(below)
    .split("\n")
    .filter((line) => /^\s+at /.test(line));
};

/** Returns the loggable parts of an unexpected error: name, code and stack; its message may quote user data. */
export const errorTrace = (
  error: unknown,
): { readonly name: string; readonly code: string; readonly at: string[] } => ({
  name: error instanceof Error ? error.name : typeof error,
  code: errorCode(error),
  at: error instanceof Error ? stackLines(error) : [],
});
