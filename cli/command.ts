import { Command } from "commander";
import { createOutput, type Output, type OutputOptions } from "./output/output.ts";

/** A call of a command, as it is shown in the help and in the documentation. */
export interface Example {
  readonly call: string;
  readonly does: string;
}

const helpOf = (list: readonly Example[]): string =>
  [
    "",
    list.length === 1 ? "Example:" : "Examples:",
    ...list.map(({ call, does }) => `  ${call}\n      ${does}`),
  ].join("\n");

/** Begins the declaration of a command: its name with arguments, what it does, and examples. */
export const declare = (usage: string, does: string, ...list: readonly Example[]): Command => {
  const [name = "", ...args] = usage.split(" ");
  const command = new Command(name).description(does);
  if (args.length > 0) command.arguments(args.join(" "));
  if (list.length > 0) command.addHelpText("after", helpOf(list));
  return command;
};

/** Collects the values of an option that can be given several times. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

/** Returns the output that the options of a call ask for. */
export const outputOf = (command: Command): Output => createOutput(command.optsWithGlobals<OutputOptions>());
