import type { Command } from "commander";

/** The shells that a completion is made for. */
export const completedShells = ["bash", "zsh", "fish"] as const;
export type CompletedShell = (typeof completedShells)[number];

/** The calls that print words for arguments, by the name of the argument. */
export type DynamicWords = Readonly<Record<string, string>>;

/** A word that completes what was typed, and what it does. */
interface Word {
  readonly text: string;
  readonly does: string;
}

/** An option with a value, and what may stand there. */
interface Valued {
  readonly option: string;
  readonly words: readonly Word[];
  readonly dynamic: string | null;
}

interface Place {
  /** The names of the command after that of the program. */
  readonly path: readonly string[];
  readonly words: readonly Word[];
  readonly options: readonly Word[];
  /** Those of the options that take a value. */
  readonly valued: readonly Valued[];
  /** A call that prints more words; null for none. */
  readonly dynamic: string | null;
}

const plainWords = (texts: readonly string[]): readonly Word[] => texts.map((text) => ({ text, does: "" }));

/** Reads the options that take a value; its name, as in `--mask <mask>`, may be that of an argument. */
const valuedOf = (command: Command, dynamic: DynamicWords): readonly Valued[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, flags, required, argChoices = [] }) => {
      if (!required || !long) return [];
      const name = /<([^>.]+)/.exec(flags)?.[1] ?? "";
      return [{ option: long, words: plainWords(argChoices), dynamic: dynamic[name] ?? null }];
    });

const optionsOf = (command: Command): readonly Word[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .map(({ long, short, description }) => ({ text: long ?? short ?? "", does: description }));

const placeOf = (
  command: Command,
  path: readonly string[],
  shared: readonly Word[],
  dynamic: DynamicWords,
): Place => {
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const call = command.registeredArguments.flatMap((argument) => dynamic[argument.name()] ?? [])[0] ?? null;
  const names = command.createHelp().visibleCommands(command);
  return {
    path,
    words: [...names.map((one) => ({ text: one.name(), does: one.description() })), ...plainWords(choices)],
    options: [...optionsOf(command), ...shared],
    valued: valuedOf(command, dynamic),
    dynamic: call,
  };
};

const placesOf = (program: Command, dynamic: DynamicWords): readonly Place[] => {
  const shared = optionsOf(program).filter(({ text }) => text !== "--help" && text !== "--version");
  const below = (command: Command, path: readonly string[]): readonly Place[] => [
    placeOf(command, path, path.length === 0 ? [] : shared, dynamic),
    ...command.commands.flatMap((child) => below(child, [...path, child.name()])),
  ];
  return below(program, []);
};

const textsOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(" ");

const quoted = (text: string): string => `'${text.replaceAll("'", () => "'\\''")}'`;

const functionName = (program: Command): string => `_${program.name().replaceAll(/\W/g, () => "_")}`;

/** The longest path that the typed words begin with, for `case` in bash and zsh. */
const byLength = (places: readonly Place[]): readonly Place[] =>
  places.toSorted((a, b) => b.path.length - a.path.length);

const patternOf = ({ path }: Place): string =>
  path.length === 0 ? "*" : `${quoted(path.join(" "))}|${quoted(`${path.join(" ")} `)}*`;

/** Matches what is typed before the value of an option. */
const valuePatternOf = ({ path }: Place, option: string): string =>
  `${path.length === 0 ? "" : quoted(`${path.join(" ")} `)}*${quoted(`${option} `)}`;

const callOf = (dynamic: string | null): string => (dynamic === null ? "" : ` $(${dynamic} 2>/dev/null)`);

const bash = (program: Command, places: readonly Place[]): string => {
  const name = functionName(program);
  const cases = byLength(places).flatMap((place) => [
    ...place.valued.map(
      ({ option, words, dynamic }) =>
        `    ${valuePatternOf(place, option)}) words="${textsOf(words)}${callOf(dynamic)}" options="" ;;`,
    ),
    `    ${patternOf(place)}) words="${textsOf(place.words)}${callOf(place.dynamic)}" options="${textsOf(place.options)}" ;;`,
  ]);
  return [
    `${name}() {`,
    '  local word="$' + '{COMP_WORDS[COMP_CWORD]}" typed words options',
    '  typed="$(printf "%s " "$' + '{COMP_WORDS[@]:1:COMP_CWORD-1}")"',
    '  case "$typed" in',
    ...cases,
    "  esac",
    '  case "$word" in -*) words="$options" ;; esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    "}",
    `complete -o bashdefault -o default -F ${name} ${program.name()}`,
  ].join("\n");
};

const zshWords = (words: readonly Word[]): string =>
  words.map(({ text, does }) => quoted(`${text}:${does.replaceAll(":", () => "\\:")}`)).join(" ");

const zsh = (program: Command, places: readonly Place[]): string => {
  const name = functionName(program);
  const cases = byLength(places).flatMap((place) => [
    ...place.valued.map(
      ({ option, words, dynamic }) =>
        `    ${valuePatternOf(place, option)}) found=(${zshWords(words)}${callOf(dynamic)}) options=() ;;`,
    ),
    `    ${patternOf(place)}) found=(${zshWords(place.words)}${callOf(place.dynamic)}) options=(${zshWords(place.options)}) ;;`,
  ]);
  return [
    `#compdef ${program.name()}`,
    `${name}() {`,
    "  local -a found options",
    '  local typed="$' + '{(j: :)words[2,CURRENT-1]} "',
    '  case "$typed" in',
    ...cases,
    "  esac",
    '  if [[ "$PREFIX" == -* ]]; then',
    "    _describe option options",
    "  else",
    "    _describe word found || _files",
    "  fi",
    "}",
    `compdef ${name} ${program.name()}`,
  ].join("\n");
};

const fishCondition = ({ path }: Place, places: readonly Place[]): string => {
  if (path.length === 0) return "__fish_use_subcommand";
  const below = places
    .filter(
      (other) => other.path.length === path.length + 1 && path.every((word, n) => other.path[n] === word),
    )
    .map((other) => other.path.at(-1));
  const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
  return below.length === 0 ? seen : `${seen}; and not __fish_seen_subcommand_from ${below.join(" ")}`;
};

const fish = (program: Command, places: readonly Place[]): string =>
  places
    .flatMap((place) => {
      const begin = `complete -c ${program.name()} -n ${quoted(fishCondition(place, places))}`;
      const wordLine = ({ text, does }: Word): string => `${begin} -a ${quoted(text)} -d ${quoted(does)}`;
      const valueWords = (option: string): string => {
        const valued = place.valued.find((one) => one.option === option);
        if (!valued) return "";
        const words = valued.dynamic === null ? textsOf(valued.words) : `(${valued.dynamic} 2>/dev/null)`;
        return words === "" ? " -r" : ` -x -a ${quoted(words)}`;
      };
      const optionLine = ({ text, does }: Word): string =>
        `${begin} -l ${text.replace(/^--/, "")} -d ${quoted(does)}${valueWords(text)}`;
      const dynamic =
        place.dynamic === null ? [] : [`${begin} -a ${quoted(`(${place.dynamic} 2>/dev/null)`)}`];
      return [...place.words.map(wordLine), ...dynamic, ...place.options.map(optionLine)];
    })
    .join("\n");

const writers = { bash, zsh, fish };

/** Returns the script that completes the commands, options and choices that a program declares. */
export const completionScript = (
  program: Command,
  shell: CompletedShell,
  dynamic: DynamicWords = {},
): string => writers[shell](program, placesOf(program, dynamic));
