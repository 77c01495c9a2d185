import { join } from "node:path";
import { cryptoRandom, systemClock } from "../../adapters/system/clockAndRandom.ts";
import { readVersion } from "../features/operator/version.ts";
import { SettingError } from "../platform/config/settings.ts";
import {
  completionScript,
  findCommand,
  findGroup,
  helpOf,
  helpOfGroup,
  overview,
  parseArguments,
} from "./arguments.ts";
import { backupCommands } from "./backupCommands.ts";
import { type Command, CommandError, UsageError } from "./command.ts";
import { dkimCommands } from "./dkimCommands.ts";
import { dnsCommand } from "./dnsCommand.ts";
import { doctorCommand } from "./doctorCommand.ts";
import { fileProblem } from "./fileProblem.ts";
import { inviteCommand } from "./inviteCommand.ts";
import { queueCommands } from "./queueCommands.ts";
import { seedCommand } from "./seedCommand.ts";
import { setupCommand } from "./setupCommand.ts";
import { createTerminal } from "./terminal.ts";
import { userCommands } from "./userCommands.ts";

const completion: Command = {
  name: "completion",
  summary: 'Print the completion for bash: eval "$(bauta completion)"',
  run: async ({ terminal }) => {
    const script = completionScript(commands);
    terminal.print(script, [script]);
    return 0;
  },
};

const version: Command = {
  name: "version",
  summary: "Print the version of Bauta, and of the Node that it runs on",
  run: async ({ terminal }) => {
    const bauta = await readVersion(join(import.meta.dirname, "../.."));
    terminal.print({ bauta, node: process.versions.node }, [
      `bauta ${bauta} (Node ${process.versions.node})`,
    ]);
    return 0;
  },
};

const commands: readonly Command[] = [
  setupCommand,
  doctorCommand,
  dnsCommand,
  ...userCommands,
  inviteCommand,
  ...queueCommands,
  ...dkimCommands,
  ...backupCommands,
  seedCommand,
  completion,
  version,
];

const write = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const helpWords = new Set(["help", "--help", "-h"]);

/** Prints the help that was requested; throws a `UsageError` for a command that does not exist. */
const explain = (words: readonly string[]): number => {
  const group = findGroup(commands, words);
  const isHelp = words.length === 0 || helpWords.has(words[0] ?? "") || helpWords.has(words[1] ?? "");
  if (group.length > 0 && !isHelp) throw new UsageError(helpOfGroup(group));
  if (!isHelp) throw new UsageError(`There is no command "${words.join(" ")}". \`bauta --help\` lists all.`);
  write(group.length > 0 ? helpOfGroup(group) : overview(commands));
  return 0;
};

/** Options that hold for all commands may stand before the command too. */
const withoutLeadingOptions = (words: readonly string[]): readonly string[] =>
  words[0] === "--json" && words.length > 1 ? [...words.slice(1), "--json"] : words;

const run = async (given: readonly string[]): Promise<number> => {
  const words = given[0] === "--version" ? ["version", ...given.slice(1)] : withoutLeadingOptions(given);
  const command = findCommand(commands, words);
  if (command === undefined) return explain(words);
  const { positionals, values } = parseArguments(command, words.slice(command.name.split(" ").length));
  if (values["help"] === true) {
    write(helpOf(command));
    return 0;
  }
  const text = (option: string): string | undefined => {
    const value = values[option];
    return typeof value === "string" ? value : undefined;
  };
  return command.run({
    positionals,
    text,
    flag: (option) => values[option] === true,
    terminal: createTerminal(values["json"] === true),
    environment: process.env,
    clock: systemClock,
    random: cryptoRandom,
  });
};

const codeOf = (error: unknown): number => {
  if (error instanceof UsageError) return 2;
  return error instanceof SettingError ? 78 : 1;
};

// The reader of the output, such as `head`, may go away.
for (const output of [process.stdout, process.stderr]) output.on("error", () => {});

run(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const isOurs = [UsageError, CommandError, SettingError].some((kind) => error instanceof kind);
    const text = error instanceof Error ? error.message : String(error);
    const sentence = isOurs ? text : (fileProblem(error) ?? `The command failed: ${text}`);
    process.stderr.write(`${sentence}\n`);
    process.exitCode = codeOf(error);
  },
);
