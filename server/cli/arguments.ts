import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { type Command, type Option, UsageError } from "./command.ts";

const commonOptions: Readonly<Record<string, Option>> = {
  json: { type: "boolean", help: "print JSON" },
  help: { type: "boolean", help: "explain the command" },
};

const column = 28;
const row = (left: string, right: string): string => `  ${left.padEnd(column)}  ${right}`;

const usageOf = ({ name, usage = "" }: Command): string => `bauta ${name}${usage && ` ${usage}`}`;

const optionRow = ([name, { value, help }]: [string, Option]): string =>
  row(`--${name}${value === undefined ? "" : ` <${value}>`}`, help);

/** Returns the help of one command. */
export const helpOf = (command: Command): string =>
  [
    `${command.summary}.`,
    "",
    `Usage: ${usageOf(command)}`,
    "",
    ...Object.entries({ ...command.options, ...commonOptions }).map(optionRow),
  ].join("\n");

/** Returns the list of all commands for the help. */
export const overview = (commands: readonly Command[]): string =>
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

/** Returns the commands whose names begin with the first argument, such as those of "user". */
export const findGroup = (commands: readonly Command[], words: readonly string[]): readonly Command[] =>
  commands.filter(({ name }) => name.startsWith(`${words[0]} `));

/** Returns the help of a group of commands. */
export const helpOfGroup = (group: readonly Command[]): string =>
  [
    `Usage: bauta ${group[0]?.name.split(" ")[0] ?? ""} <command> [options]`,
    "",
    ...group.map(({ name, summary }) => row(name, summary)),
  ].join("\n");

/** Returns the command that the arguments begin with, the longest name first. */
export const findCommand = (commands: readonly Command[], words: readonly string[]): Command | undefined =>
  commands
    .toSorted((a, b) => b.name.length - a.name.length)
    .find(({ name }) => name.split(" ").every((word, index) => words[index] === word));

/** The arguments of a command after parsing. */
export interface ParsedArguments {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
}

/** Parses the arguments after the command's name; throws a `UsageError`. */
export const parseArguments = (command: Command, words: readonly string[]): ParsedArguments => {
  const options: ParseArgsOptionsConfig = Object.fromEntries(
    Object.entries({ ...command.options, ...commonOptions }).map(([name, { type }]) => [name, { type }]),
  );
  const parse = () => {
    try {
      return parseArgs({ args: [...words], options, allowPositionals: true });
    } catch (error) {
      throw new UsageError(error instanceof Error ? error.message.replace(/\. To specify.*/s, ".") : "");
    }
  };
  const { positionals, values } = parse();
  const least = command.positionals ?? 0;
  const most = least + (command.optionalPositionals ?? 0);
  const isHelp = values["help"] === true;
  if (!isHelp && (positionals.length < least || positionals.length > most))
    throw new UsageError(`Usage: ${usageOf(command)}`);
  return { positionals, values: values as ParsedArguments["values"] };
};

/** Returns the script that lets bash complete commands and options. */
export const completionScript = (commands: readonly Command[]): string => {
  const words = commands.map(({ name, options }) => {
    const flags = Object.keys({ ...options, ...commonOptions }).map((option) => `--${option}`);
    return `    "${name}"|"${name} "*) words="${flags.join(" ")}" ;;`;
  });
  const names = [...new Set(commands.map(({ name }) => name.split(" ")[0]))].join(" ");
  const groups = [...Map.groupBy(commands, ({ name }) => name.split(" ")[0] ?? "")]
    .filter(([, members]) => members.some(({ name }) => name.includes(" ")))
    .map(([group, members]) => {
      const seconds = members.map(({ name }) => name.split(" ")[1]).join(" ");
      return `    "${group}") words="${seconds}" ;;`;
    });
  return [
    "_bauta() {",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell, not a template
    '  local word="${COMP_WORDS[COMP_CWORD]}" words',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell, not a template
    '  local command="${COMP_WORDS[*]:1:COMP_CWORD-1}"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell, not a template
    '  command="${command%% --*}"',
    '  case "$command" in',
    `    "") words="${names}" ;;`,
    ...groups,
    ...words,
    "  esac",
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    "}",
    "complete -o bashdefault -o default -F _bauta bauta",
  ].join("\n");
};
