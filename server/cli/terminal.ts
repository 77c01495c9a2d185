import { createInterface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import { CommandError, type Terminal } from "./command.ts";

/** Creates the terminal of this process. */
export const createTerminal = (isJson: boolean): Terminal => {
  const isInteractive = process.stdin.isTTY === true && process.stdout.isTTY === true && !isJson;
  const showsProgress = process.stderr.isTTY === true && !isJson;
  return {
    isInteractive,
    print: (value, lines) => {
      process.stdout.write(isJson ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(""));
    },
    progress: (text) => {
      if (showsProgress) process.stderr.write(`\r\u001b[K${text}`);
    },
    ask: async (question, byDefault) => {
      if (!isInteractive) return byDefault;
      const prompt = createInterface(process.stdin, process.stdout);
      const answer = await prompt.question(`${question}${byDefault === "" ? "" : ` [${byDefault}]`}: `);
      prompt.close();
      return answer.trim() === "" ? byDefault : answer.trim();
    },
    askSecret: async (question) => {
      if (process.stdin.isTTY !== true)
        throw new CommandError(
          "There is no terminal to ask for the passphrase. Name a file: --passphrase-file.",
        );
      process.stderr.write(`${question}: `);
      // Without an output the typed text is not shown.
      const prompt = createInterface({ input: process.stdin, output: new PassThrough(), terminal: true });
      const answer = await prompt.question("");
      prompt.close();
      process.stderr.write("\n");
      return answer;
    },
  };
};

/** Returns rows as columns of equal width. */
export const columns = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = rows.reduce<number[]>(
    (most, cells) => cells.map((cell, index) => Math.max(most[index] ?? 0, cell.length)),
    [],
  );
  return rows.map((cells) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
};
