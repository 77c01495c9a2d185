import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { codeMailedTo, type RunningServer } from "../../e2e/support/server.ts";

/** The program as `npm exec bauta-cli` starts it. */
export const program = join(import.meta.dirname, "../../../cli/bauta-cli.js");

/** Output and exit code of a run of the command line. */
export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

/** The command line of one user, with a state folder of its own. */
export interface CommandLine {
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly run: (...words: readonly string[]) => Promise<Run>;
  /** The same with text as its input and other settings. */
  readonly runWith: (
    options: { readonly input?: string; readonly settings?: Readonly<Record<string, string>> },
    ...words: readonly string[]
  ) => Promise<Run>;
  /** What a command prints with --json. */
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert what it is
  readonly json: (...words: readonly string[]) => Promise<any>;
  readonly remove: () => Promise<void>;
}

const execute = async (
  environment: Readonly<Record<string, string>>,
  words: readonly string[],
  input: string,
): Promise<Run> => {
  const child = spawn(process.execPath, [program, ...words], { env: environment });
  const [out, errors] = [text(child.stdout), text(child.stderr)];
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  await once(child, "exit");
  return { code: child.exitCode, out: await out, errors: await errors };
};

/** Creates a command line with nothing in its environment but a state folder, PATH and what is given. */
export const createCommandLine = async (
  settings: Readonly<Record<string, string>> = {},
): Promise<CommandLine> => {
  const home = await mkdtemp(join(tmpdir(), "bauta-cli-"));
  const { PATH = "", NODE_COMPILE_CACHE = "", NODE_OPTIONS = "", MUTANT = "" } = process.env;
  const own = { HOME: home, XDG_STATE_HOME: home };
  const environment = { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, MUTANT, ...own, ...settings };
  const runWith: CommandLine["runWith"] = ({ input = "", settings: more = {} }, ...words) =>
    execute({ ...environment, ...more }, words, input);
  return {
    home,
    environment,
    runWith,
    run: (...words) => runWith({}, ...words),
    json: async (...words) => {
      const { out, errors } = await runWith({}, ...words, "--json");
      if (out === "") throw new Error(errors);
      return JSON.parse(out);
    },
    remove: () => rm(home, { recursive: true, force: true }),
  };
};

/** Whose code the server mails, and those that it has mailed before. */
interface MailedCode {
  readonly server: RunningServer;
  readonly email: string;
  readonly seen?: ReadonlySet<string>;
}

/** Runs a command that asks for the code that the server mails. */
export const runWithCode = async (
  { environment }: CommandLine,
  { server, email, seen = new Set() }: MailedCode,
  ...words: readonly string[]
): Promise<Run> => {
  const child = spawn(process.execPath, [program, ...words], { env: environment });
  const [out, errors] = [text(child.stdout), text(child.stderr)];
  const ended = once(child, "exit");
  child.stdin.write(`${await codeMailedTo(server, email, seen)}\n`);
  await ended;
  return { code: child.exitCode, out: await out, errors: await errors };
};

/** Logs in by the code that the server mails. */
export const logIn = (
  cli: CommandLine,
  server: RunningServer,
  email: string,
  seen: ReadonlySet<string> = new Set(),
): Promise<Run> =>
  runWithCode(cli, { server, email, seen }, "login", "--server", server.url, "--email", email);

/** Waits until something holds, for at most 10 s. */
export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await holds()) return;
    await sleep(50);
  }
  throw new Error("It did not come to hold within 10 s");
};
