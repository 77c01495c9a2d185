import { Command } from "commander";
import { codeCommand } from "./commands/codeCommand.ts";
import { completionCommands } from "./commands/completionCommand.ts";
import { exchangeCommands } from "./commands/exchangeCommands.ts";
import { logCommand } from "./commands/logCommand.ts";
import { loginCommands } from "./commands/loginCommands.ts";
import { maskCommands } from "./commands/maskCommands.ts";
import { ruleCommand } from "./commands/ruleCommands.ts";
import { watchCommand } from "./commands/watchCommand.ts";
import { exitTexts } from "./exits.ts";

const exitHelp = [
  "",
  "Exit codes:",
  ...exitTexts.map(([exit, text]) => `  ${String(exit).padEnd(5)}${text}`),
].join("\n");

const overview =
  "Masked e-mail addresses on the command line, at any Bauta server.\n" +
  "A mask is named by its address, its local part or the beginning of its id.";

/** Declares the program: help, completion and documentation are made from this. */
export const createProgram = (version: string): Command => {
  const program = new Command("bauta-cli")
    .description(overview)
    .version(version, "--version", "print the version")
    .addHelpText("after", exitHelp)
    .helpOption("-h, --help", "explain the command")
    .helpCommand(false)
    .option("--json", "print JSON, one line for each result")
    .option("-q, --quiet", "print the essence alone, such as an address");
  for (const command of [
    ...loginCommands,
    ...maskCommands,
    ruleCommand,
    codeCommand,
    logCommand,
    watchCommand,
    ...exchangeCommands,
  ])
    program.addCommand(command);
  for (const [command, hidden] of completionCommands(() => program)) program.addCommand(command, { hidden });
  const settle = (command: Command): void => {
    command
      .exitOverride()
      .configureHelp({ showGlobalOptions: true })
      .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "")) });
    if (command !== program) command.helpOption("-h, --help", "explain the command").helpCommand(false);
    command.commands.forEach(settle);
  };
  settle(program);
  return program;
};
