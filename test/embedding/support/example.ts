import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { terminalPorts } from "../../../adapters/node/terminalPorts.ts";
import { createApp } from "../../../core/app/createApp.ts";
import { codeMailedTo, type RunningServer } from "../../e2e/support/server.ts";

/** The embedding example as it runs inside the repository, with relative imports. */
export const examplePath = join(import.meta.dirname, "..", "terminal.ts");

/** What the example prints before it reads the code. */
export const codePrompt = "Code from the mail: ";

const readReadme = (): Promise<string> =>
  readFile(join(import.meta.dirname, "../../../core/README.md"), "utf8");

/** The embedding example as core/README.md shows it, with the imports of the package. */
export const exampleInReadme = async (): Promise<string> =>
  /<!-- example: .+? -->\n```ts\n([\s\S]*?)```/.exec(await readReadme())?.[1] ?? "";

/** A noun in the table of core/README.md. */
interface NounInReadme {
  readonly entry: string;
  /** The names that the entry offers: values begin with a small letter, types with a capital one. */
  readonly names: readonly string[];
  /** An expression. */
  readonly example: string;
}

/** The nouns that core/README.md lists. */
export const nounsInReadme = async (): Promise<readonly NounInReadme[]> =>
  Array.from(
    (await readReadme()).matchAll(/^\| `(\w+)` \| (.+?) \| `(.+)` \|$/gm),
    ([, entry = "", names = "", example = ""]) => ({
      entry,
      names: Array.from(names.matchAll(/`(\w+)`/g), ([, name = ""]) => name),
      example,
    }),
  );

const isValue = (name: string): boolean => /^[a-z]/.test(name);

/** Waits for an example, and prints its entry with the sentence of a failure. */
const runNoun = `const run = async (entry: string, example: () => unknown): Promise<void> => {
  const result = await example();
  const hasFailed = (answer: unknown): answer is { left: { message: string } } =>
    typeof answer === "object" && answer !== null && "left" in answer;
  console.log(entry + ": " + (hasFailed(result) ? result.left.message : "ran"));
};
`;

/** A program that runs the example of each noun after the sign-in, and prints the entries. */
export const nounsProgram = async (): Promise<string> => {
  const nouns = await nounsInReadme();
  const shared = /<!-- what the examples .+? -->\n```ts\n([\s\S]*?)```/.exec(await readReadme())?.[1] ?? "";
  const imports = nouns.map(({ entry, names }) => {
    const listed = names.map((name) => (isValue(name) ? name : `type ${name}`));
    return `import { ${listed.filter((name) => name !== "createApp").join(", ")} } from "@bauta/core/${entry}";\n`;
  });
  const example = await exampleInReadme();
  return example
    .replace('from "@bauta/core";\n', (text) => `${text}${imports.join("")}${runNoun}`)
    .replace(
      /else \{[\s\S]*?\n\}\n/,
      () =>
        `else {\n${shared}${nouns.map((noun) => `await run("${noun.entry}", () => ${noun.example});\n`).join("")}}\n`,
    );
};

/** Waits longer than the 500 ms in which another submission is refused (SI7). */
const readMail = (): Promise<void> => setTimeout(600);

interface ExampleRun {
  readonly printed: string;
  readonly errors: string;
  readonly exitCode: number | null;
}

/** Runs the example in its own process and types the code that `codeFor` returns, by default as soon as a mail can be read. */
export const runExample = async (
  path: string,
  server: RunningServer,
  email: string,
  codeFor: () => Promise<string>,
  typeWhen: (prompted: Promise<unknown>) => Promise<unknown> = (prompted) => prompted.then(readMail),
): Promise<ExampleRun> => {
  const example = spawn(process.execPath, [path, server.url, email]);
  const prompted = once(example.stdout, "data");
  const printed = text(example.stdout);
  const ended = once(example, "exit");
  const errors = text(example.stderr);
  const code = await codeFor();
  await typeWhen(Promise.race([prompted, ended]));
  example.stdin.end(`${code}\n`);
  await ended;
  return { printed: await printed, errors: await errors, exitCode: example.exitCode };
};

/** Creates an account on the Free plan with one mask, through the same core. */
export const signUpWithMask = async (
  server: RunningServer,
  email: string,
): Promise<{ readonly address: string; readonly code: string }> => {
  const ports = terminalPorts();
  const configuration = { brand: "Bauta", maskDomain: "masks.localhost" };
  const app = createApp(ports, { baseAddress: server.url, configuration });
  const stop = app.start();
  await app.signIn.requestCode(email)();
  const code = await codeMailedTo(server, email);
  await readMail();
  await app.signIn.verifyCode(code)();
  await readMail();
  await app.signIn.choosePlan("free")();
  const draft = {
    description: "Terminal",
    forwardTo: email,
    spamFilter: false,
    labels: [],
    note: "",
    customPrefix: "",
  };
  const { masks } = await app.signedIn.whenLoaded();
  const made = await masks.create(draft)();
  stop();
  if (made._tag === "Left") throw new Error(made.left.message);
  return { address: made.right.maskEmail, code };
};
