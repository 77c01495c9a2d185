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

/** The embedding example as core/README.md shows it, with the imports of the package. */
export const exampleInReadme = async (): Promise<string> => {
  const readme = await readFile(join(import.meta.dirname, "../../../core/README.md"), "utf8");
  return /<!-- example: .+? -->\n```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
};

/** Waits longer than the 500 ms in which another submission is refused (SI7). */
const readMail = (): Promise<void> => setTimeout(600);

interface ExampleRun {
  readonly printed: string;
  readonly errors: string;
  readonly exitCode: number | null;
}

/** Runs the example in its own process and types the code that `codeFor` returns. */
export const runExample = async (
  path: string,
  server: RunningServer,
  email: string,
  codeFor: () => Promise<string>,
): Promise<ExampleRun> => {
  const example = spawn(process.execPath, [path, server.url, email]);
  const printed = text(example.stdout);
  const ended = once(example, "exit");
  const errors = text(example.stderr);
  const code = await codeFor();
  await readMail();
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
