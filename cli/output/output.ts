import { styleText } from "node:util";
import { plain, safeJson } from "./text.ts";

/** The form in which the results of a command are shown. */
export interface OutputOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** A result in its three forms: for programs, for people, and its essence, such as an address. */
export interface Result {
  readonly value: unknown;
  readonly lines: () => readonly string[];
  readonly quiet?: readonly string[];
}

type Style = "bold" | "dim" | "green" | "red" | "yellow";

/** The output of a command. */
export interface Output {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** The cells of a line of the terminal; Infinity where the output is no terminal. */
  readonly width: number;
  readonly print: (result: Result) => void;
  /** Tells people something beside the result. */
  readonly note: (text: string) => void;
  /** Shows how far long work is, in one line that the next one replaces. */
  readonly progress: (text: string) => void;
  readonly endProgress: () => void;
  readonly paint: (style: Style, text: string) => string;
}

const leastWidth = 20;

/** Creates the output of this process; colors obey NO_COLOR and FORCE_COLOR. */
export const createOutput = ({ json = false, quiet = false }: OutputOptions): Output => {
  const { stdout, stderr } = process;
  const showsProgress = stderr.isTTY === true && !json && !quiet;
  let isProgressShown = false;
  const endProgress = (): void => {
    if (isProgressShown) stderr.write("\r\u001b[K");
    isProgressShown = false;
  };
  const write = (lines: readonly string[]): void => {
    endProgress();
    stdout.write(lines.map((line) => `${line}\n`).join(""));
  };
  return {
    isJson: json,
    isQuiet: quiet,
    width: stdout.isTTY === true ? Math.max(leastWidth, stdout.columns || 80) : Number.POSITIVE_INFINITY,
    print: ({ value, lines, quiet: essence = [] }) => {
      if (json) write([safeJson(value)]);
      else write(quiet ? essence.map(plain) : lines());
    },
    note: (text) => {
      if (quiet) return;
      endProgress();
      stderr.write(`${plain(text)}\n`);
    },
    progress: (text) => {
      if (!showsProgress) return;
      stderr.write(`\r\u001b[K${plain(text)}`);
      isProgressShown = true;
    },
    endProgress,
    paint: (style, text) => styleText(style, text, { stream: stdout }),
  };
};
