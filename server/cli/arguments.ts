import { CommanderError, Command as Parser } from "commander";
import { type Command, type Option, UsageError } from "./command.ts";

const commonOptions: Readonly<Record<string, Option>> = {
  json: { type: "boolean", help: "print JSON" },
  help: { type: "boolean", help: "explain the command" },
};

const column = 28;
const row = (left: string, right: string): string => `  ${left.padEnd(column)}  ${right}`;

const usageOf = ({ name, usage = "" }: Command): string => `bauta ${name}${usage && ` ${usage}`}`;

const flagsOf = (name: string, { value }: Option): string =>
  `--${name}${value === undefined ? "" : ` <${value}>`}`;

/** Returns the help of one command. */
const helpOf = (command: Command): string =>
  [
    `${command.summary}.`,
    "",
    `Usage: ${usageOf(command)}`,
    "",
    ...Object.entries({ ...command.options, ...commonOptions }).map(([name, option]) =>
      row(flagsOf(name, option), option.help),
    ),
  ].join("\n");

/** Returns the list of all commands. */
const overview = (commands: readonly Command[]): string =>
  [
    "bauta runs and looks after a Bauta server.",
    "",
    "Usage: bauta <command> [options]",
    "",
    ...commands.map(({ name, summary }) => row(name, summary)),
    "",
    "`bauta <command> --help` explains one. Settings come from the environment and from bauta.env in the current",
    "folder, or the file that BAUTA_SETTINGS names. Exit codes: 0 done, 1 a problem was found or the command failed,",
    "2 wrong arguments, 78 invalid settings.",
  ].join("\n");

/** Returns the help of the commands that begin with the same word. */
const helpOfGroup = (word: string, group: readonly Command[]): string =>
  [
    `Usage: bauta ${word} <command> [options]`,
    "",
    ...group.map(({ name, summary }) => row(name, summary)),
  ].join("\n");

/** The arguments of a command after parsing. */
export interface ParsedArguments {
  readonly positionals: readonly string[];
  readonly text: (option: string) => string | undefined;
  readonly flag: (option: string) => boolean;
}

/** Runs a command with its arguments. */
export type RunCommand = (command: Command, given: ParsedArguments) => Promise<void>;

/** Gives a parser its help, and has it throw what it finds wrong instead of writing it. */
const settle = (parser: Parser, help: string, wrong: (error: CommanderError) => Error): Parser =>
  parser
    .helpOption("--help", "explain the command")
    .helpCommand(false)
    .configureHelp({ formatHelp: () => `${help}\n` })
    .configureOutput({ writeErr: () => {} })
    .exitOverride((error) => {
      throw error.exitCode === 0 ? error : wrong(error);
    });

const sentenceOf = ({ message }: CommanderError): string => {
  const [text = ""] = message.replace(/^error: /, "").split("\n");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
};

const isWrongCount = ({ code }: CommanderError): boolean =>
  code === "commander.missingArgument" || code === "commander.excessArguments";

/** Declares a command under the last word of its name. */
const declare = (command: Command, name: string, run: RunCommand): Parser => {
  const { positionals = 0, optionalPositionals = 0, options = {} } = command;
  const parser = settle(new Parser(name), helpOf(command), (error) =>
    isWrongCount(error) ? new UsageError(`Usage: ${usageOf(command)}`) : new UsageError(sentenceOf(error)),
  ).description(command.summary);
  for (let n = 0; n < positionals; n += 1) parser.argument(`<argument${n}>`);
  for (let n = 0; n < optionalPositionals; n += 1) parser.argument(`[optional${n}]`);
  const names = new Map<string, string>();
  for (const [option, declared] of Object.entries(options)) {
    const made = parser.createOption(flagsOf(option, declared), declared.help);
    names.set(option, made.attributeName());
    parser.addOption(made);
  }
  return parser.action(async () => {
    const values = parser.optsWithGlobals<Record<string, unknown>>();
    const given = (option: string): unknown => values[names.get(option) ?? option];
    await run(command, {
      positionals: parser.args,
      text: (option) => {
        const value = given(option);
        return typeof value === "string" ? value : undefined;
      },
      flag: (option) => given(option) === true,
    });
  });
};

/** Declares the program: what is typed is parsed, completed and explained by this. */
export const createProgram = (commands: readonly Command[], run: RunCommand): Parser => {
  const program = settle(
    new Parser("bauta"),
    overview(commands),
    (error) => new UsageError(sentenceOf(error)),
  )
    .option("--json", "print JSON")
    .description("runs and looks after a Bauta server");
  for (const [word, members] of Map.groupBy(commands, ({ name }) => name.split(" ")[0] ?? "")) {
    const [first] = members;
    const isGroup = members.some(({ name }) => name.includes(" "));
    const alone = members.find(({ name }) => name === word);
    const help = helpOfGroup(word, members);
    const parser = alone
      ? declare(alone, word, run)
      : settle(new Parser(word), help, () => new UsageError(help)).description(first?.summary ?? "");
    if (isGroup)
      for (const member of members)
        if (member !== alone) parser.addCommand(declare(member, member.name.split(" ")[1] ?? "", run));
    program.addCommand(parser);
  }
  return program;
};

/** Puts what was typed into the form that the program declares: "help" and "--version" are words of other programs. */
const normalized = (words: readonly string[]): readonly string[] => {
  const [first, second, ...others] = words;
  if (first === undefined || first === "help" || first === "-h") return ["--help"];
  if (first === "--version") return ["version", ...words.slice(1)];
  return second === "help" || second === "-h" ? [first, "--help", ...others] : words;
};

/** Parses what was typed and runs it; throws a `UsageError`, also for a command that does not exist. */
export const runProgram = async (program: Parser, words: readonly string[]): Promise<void> => {
  const known = new Set(program.commands.map((command) => command.name()));
  const named = normalized(words);
  const word = named.find((one) => one !== "--json");
  if (word !== undefined && word !== "--help" && !known.has(word))
    throw new UsageError(`There is no command "${words.join(" ")}". \`bauta --help\` lists all.`);
  try {
    await program.parseAsync(named, { from: "user" });
  } catch (error) {
    // The help was printed.
    if (!(error instanceof CommanderError)) throw error;
  }
};
