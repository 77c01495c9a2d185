import * as E from "fp-ts/lib/Either.js";

/** One argument of a command or test: strings (one or several), a number, or a tag such as ":contains". */
export type SieveArgument =
  | { readonly kind: "strings"; readonly strings: readonly string[] }
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "tag"; readonly tag: string };

/** A command or a test (RFC 5228, 8.2), with its name in lower case. */
export interface SieveNode {
  readonly name: string;
  readonly args: readonly SieveArgument[];
  readonly tests: readonly SieveNode[];
  /** The commands in its block; null without one. */
  readonly block: readonly SieveNode[] | null;
  /** The line that it begins on, from 1. */
  readonly line: number;
  /** The text of the comment lines right before it. */
  readonly comment: string;
}

interface Token {
  readonly kind: "word" | "tag" | "number" | "string" | "sign";
  readonly text: string;
  readonly line: number;
  readonly comment: string;
}

/** Longer scripts are not read, so that reading one always ends soon. */
export const maxScriptLength = 256 * 1024;
const maxDepth = 32;
/** Larger numbers are not exact, and are written in a form that Sieve does not have. */
const maxNumber = Number.MAX_SAFE_INTEGER;

const sizes: Readonly<Record<string, number>> = { "": 1, k: 1_024, m: 1_048_576, g: 1_073_741_824 };

const tokenPattern =
  /(?<space>\s+)|#(?<hash>[^\n]*)|\/\*(?<block>[\s\S]*?)\*\/|text:[ \t]*(?:#[^\n]*)?\r?\n(?<text>[\s\S]*?\n)?\.\r?\n|"(?<quoted>(?:[^"\\]|\\[\s\S])*)"|(?<tag>:[A-Za-z_]\w*)|(?<number>\d+[KkMmGg]?)|(?<word>[A-Za-z_]\w*)|(?<sign>[[\](){},;])/y;

const unquoted = (text: string): string => text.replace(/\\([\s\S])/g, "$1");

/** Removes the dots that a text of several lines has before lines that begin with a dot. */
const unstuffed = (text: string): string => text.replace(/^\.\./gm, ".").replace(/\r?\n$/, "");

const toToken = (groups: Readonly<Record<string, string | undefined>>): Pick<Token, "kind" | "text"> => {
  const { quoted, tag, number, word, sign, text } = groups;
  if (quoted !== undefined) return { kind: "string", text: unquoted(quoted) };
  if (tag !== undefined) return { kind: "tag", text: tag.toLowerCase() };
  if (number !== undefined) return { kind: "number", text: number.toLowerCase() };
  if (word !== undefined) return { kind: "word", text: word.toLowerCase() };
  return sign === undefined ? { kind: "string", text: unstuffed(text ?? "") } : { kind: "sign", text: sign };
};

const readTokens = (script: string): E.Either<string, readonly Token[]> => {
  const tokens: Token[] = [];
  let at = 0;
  let line = 1;
  let comment = "";
  while (at < script.length) {
    tokenPattern.lastIndex = at;
    const found = tokenPattern.exec(script);
    if (!found?.groups) return E.left(`Line ${line} cannot be read`);
    const { space, hash, block } = found.groups;
    if (hash !== undefined) comment = [comment, hash.trim()].filter(Boolean).join("\n");
    else if (space === undefined && block === undefined) {
      tokens.push({ ...toToken(found.groups), line, comment });
      comment = "";
    }
    line += found[0].split("\n").length - 1;
    at = tokenPattern.lastIndex;
  }
  return E.right(tokens);
};

/** Parses tokens by the grammar of RFC 5228, 8.2. The first problem ends the reading. */
const parseTokens = (tokens: readonly Token[]): E.Either<string, readonly SieveNode[]> => {
  let at = 0;
  let problem: string | null = null;
  const peek = (): Token | undefined => tokens[at];
  const fail = (expected: string): null => {
    problem ??= `Line ${peek()?.line ?? tokens.at(-1)?.line ?? 1}: ${expected} is missing`;
    return null;
  };
  const isSign = (text: string): boolean => peek()?.kind === "sign" && peek()?.text === text;
  const takeSign = (text: string): boolean => {
    if (!isSign(text)) return false;
    at += 1;
    return true;
  };

  const readStrings = (): SieveArgument | null => {
    const strings: string[] = [];
    while (!takeSign("]")) {
      const token = peek();
      if (token?.kind !== "string") return fail("a text");
      strings.push(token.text);
      at += 1;
      if (!takeSign(",") && !isSign("]")) return fail("]");
    }
    return { kind: "strings", strings };
  };

  const readArgument = (): SieveArgument | null => {
    if (takeSign("[")) return readStrings();
    const token = peek();
    if (token === undefined) return null;
    if (token.kind === "string") {
      at += 1;
      return { kind: "strings", strings: [token.text] };
    }
    if (token.kind === "tag") {
      at += 1;
      return { kind: "tag", tag: token.text };
    }
    if (token.kind !== "number") return null;
    const unit = /[kmg]$/.exec(token.text)?.[0] ?? "";
    const number = Number.parseInt(token.text, 10) * (sizes[unit] ?? 1);
    if (number > maxNumber) return fail(`a number of at most ${maxNumber}`);
    at += 1;
    return { kind: "number", number };
  };

  const readTestList = (depth: number): readonly SieveNode[] => {
    const tests: SieveNode[] = [];
    do {
      const test = readNode(depth, false);
      if (test !== null) tests.push(test);
    } while (problem === null && takeSign(","));
    if (!takeSign(")")) fail(")");
    return tests;
  };

  const readTests = (depth: number): readonly SieveNode[] => {
    if (takeSign("(")) return readTestList(depth + 1);
    const test = peek()?.kind === "word" ? readNode(depth + 1, false) : null;
    return test === null ? [] : [test];
  };

  /** A test ends before "," or ")"; a command ends with ";" or a block. */
  const readNode = (depth: number, isCommand: boolean): SieveNode | null => {
    const token = peek();
    if (token?.kind !== "word") return fail(isCommand ? "a command" : "a test");
    if (depth > maxDepth) return fail(`a script of at most ${maxDepth} levels`);
    at += 1;
    const { text: name, line, comment } = token;
    const args: SieveArgument[] = [];
    for (let next = readArgument(); next !== null; next = readArgument()) args.push(next);
    const tests = readTests(depth);
    const block = isCommand && takeSign("{") ? readCommands(depth + 1, "}") : null;
    if (isCommand && block === null && !takeSign(";")) return fail(";");
    return { name, args, tests, block, line, comment };
  };

  const readCommands = (depth: number, end: "}" | null): readonly SieveNode[] => {
    const commands: SieveNode[] = [];
    while (problem === null && peek() !== undefined && !(end && isSign(end))) {
      const command = readNode(depth, true);
      if (command !== null) commands.push(command);
    }
    if (end && !takeSign(end)) fail(end);
    return commands;
  };

  const commands = readCommands(0, null);
  return problem === null ? E.right(commands) : E.left(problem);
};

/** Reads a Sieve script (RFC 5228); left: what is wrong with it, and on which line. */
export const parseSieve = (script: string): E.Either<string, readonly SieveNode[]> =>
  script.length > maxScriptLength
    ? E.left(`A script can have at most ${maxScriptLength / 1_024} KB`)
    : E.chain(parseTokens)(readTokens(script));

/** Writes a text as a string of Sieve. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** Writes one text as a string, and several as a list of strings. */
export const quotedList = (texts: readonly string[]): string =>
  texts.length === 1 ? quoted(texts[0] ?? "") : `[${texts.map(quoted).join(", ")}]`;
