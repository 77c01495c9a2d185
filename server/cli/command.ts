import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Settings } from "../platform/config/settingsFile.ts";

/** An option of a command. */
export interface Option {
  readonly type: "string" | "boolean";
  /** The name of its value in the help, such as "file"; for options of type string. */
  readonly value?: string;
  readonly help: string;
}

/** The output and the prompts of a command. */
export interface Terminal {
  /** Prints a result: the value with --json, else the lines. */
  readonly print: (value: unknown, lines: readonly string[]) => void;
  /** Shows the progress of long work; prints nothing with --json or into a file. */
  readonly progress: (text: string) => void;
  /** Asks a question; returns the default without a terminal, and for an empty answer. */
  readonly ask: (question: string, byDefault: string) => Promise<string>;
  /** Asks for a secret without showing it; throws a `CommandError` without a terminal. */
  readonly askSecret: (question: string) => Promise<string>;
  readonly isInteractive: boolean;
}

/** A command with its arguments. */
export interface Invocation {
  readonly positionals: readonly string[];
  readonly text: (option: string) => string | undefined;
  readonly flag: (option: string) => boolean;
  readonly terminal: Terminal;
  readonly environment: Settings;
  readonly clock: Clock;
  readonly random: Random;
}

export interface Command {
  /** The words that call it, such as "user list". */
  readonly name: string;
  readonly summary: string;
  /** The arguments in the help, such as "<address>". */
  readonly usage?: string;
  readonly positionals?: number;
  readonly optionalPositionals?: number;
  readonly options?: Readonly<Record<string, Option>>;
  /** Resolves to the exit code: 0, or 1 when a problem was found. */
  readonly run: (invocation: Invocation) => Promise<number>;
}

/** A command that was called wrongly; `message` says how to call it. */
export class UsageError extends Error {}

/** A command that cannot do what was requested; `message` is for the operator. */
export class CommandError extends Error {}
