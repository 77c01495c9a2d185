import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A numbered step of the guide. */
export interface Step {
  readonly number: number;
  readonly text: string;
  /** The commands in it, in order. */
  readonly commands: readonly string[];
}

const page = join(import.meta.dirname, "../../docs/self-hosting.md");
const section = "## On the internet in a few steps";
const isCommand = /^(?:apt-get|npm|cp|systemctl) /;

/** Reads the steps of docs/self-hosting.md that lead from a fresh machine to the internet. */
export const readSteps = (): readonly Step[] => {
  const [, after = ""] = readFileSync(page, "utf8").split(`${section}\n`);
  const [text = ""] = after.split(/^## /m);
  return [...text.matchAll(/^(\d+)\. (.*(?:\n {3}.*)*)/gm)].map(([, number, body = ""]) => ({
    number: Number(number),
    text: body.replace(/\s+/g, " "),
    commands: [...body.replace(/\s+/g, " ").matchAll(/`([^`]+)`/g)].flatMap(([, code = ""]) =>
      isCommand.test(code) ? [code] : [],
    ),
  }));
};
