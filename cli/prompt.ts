import { createInterface, type Interface } from "node:readline";
import { PassThrough } from "node:stream";
import { exits, Stop, usageError } from "./exits.ts";

const isTerminal = (): boolean => process.stdin.isTTY === true;

let lines: AsyncIterator<string> | undefined;

/** Reads the next line of an input that is no terminal. */
const nextLine = async (): Promise<string> => {
  lines ??= createInterface(process.stdin)[Symbol.asyncIterator]();
  const { value, done } = await lines.next();
  if (done) throw usageError("There is no terminal to ask at, and the input has ended.");
  return String(value).trim();
};

const question = (prompt: Interface, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    prompt.once("SIGINT", () => reject(new Stop(exits.interrupted, "")));
    prompt.once("close", () => reject(new Stop(exits.interrupted, "")));
    prompt.question(text, resolve);
  });

const askTerminal = async (text: string, isSecret: boolean): Promise<string> => {
  // Without an output the typed text is not shown.
  const output = isSecret ? new PassThrough() : process.stderr;
  if (isSecret) process.stderr.write(text);
  const prompt = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return (await question(prompt, isSecret ? "" : text)).trim();
  } finally {
    prompt.removeAllListeners("close");
    prompt.close();
    if (isSecret) process.stderr.write("\n");
  }
};

/** Asks for a line; reads it from the input where that is no terminal. */
export const ask = async (text: string): Promise<string> => {
  if (isTerminal()) return askTerminal(`${text}: `, false);
  process.stderr.write(`${text}: \n`);
  return nextLine();
};

/** Asks for a secret, which is not shown; reads it from the input where that is no terminal. */
export const askSecret = (text: string): Promise<string> =>
  isTerminal() ? askTerminal(`${text}: `, true) : nextLine();

/** Asks whether to go on with what loses something; without a terminal, --yes says so. */
export const confirm = async (text: string, isConfirmed: boolean): Promise<void> => {
  if (isConfirmed) return;
  if (!isTerminal()) throw usageError(`${text} Add --yes to do so.`);
  const answer = await askTerminal(`${text} [y/N] `, false);
  if (!/^y(es)?$/i.test(answer)) throw new Stop(exits.failed, "Nothing was changed.");
};
