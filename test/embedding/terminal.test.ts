import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { terminalPorts } from "../../adapters/node/terminalPorts.ts";
import { createApp } from "../../core/app/createApp.ts";
import { useServer } from "../e2e/support/product.ts";
import { codeMailedTo, type RunningServer } from "../e2e/support/server.ts";

const example = join(import.meta.dirname, "terminal.ts");

/** A submission is held for 500 ms after the one before it (SI7); a person takes longer than that to read a mail. */
const readMail = (): Promise<void> => setTimeout(600);

const prompt = "Code from the mail: ";

interface Ran {
  readonly printed: string;
  readonly complained: string;
  readonly exitCode: number | null;
}

const run = async (server: RunningServer, email: string, codeFor: () => Promise<string>): Promise<Ran> => {
  const shell = spawn(process.execPath, [example, server.url, email]);
  const printed = text(shell.stdout);
  const ended = once(shell, "exit");
  const complained = text(shell.stderr);
  const code = await codeFor();
  await readMail();
  shell.stdin.end(`${code}\n`);
  await ended;
  return { printed: await printed, complained: await complained, exitCode: shell.exitCode };
};

/** Makes an account on the Free plan with one mask, over the same core. */
const signUpWithMask = async (
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
  const draft = { description: "Terminal", forwardTo: email, spamFilter: false, customPrefix: "" };
  const made = await app.masks.create(draft)();
  stop();
  if (made._tag === "Left") throw new Error(made.left.message);
  return { address: made.right.maskEmail, code };
};

describe("a shell that embeds the core", function () {
  this.timeout(30_000);
  const server = useServer();

  it("is the example that the README shows, letter for letter", async () => {
    const readme = await readFile(join(import.meta.dirname, "../../README.md"), "utf8");
    const shown = /<!-- example: .+? -->\n```ts\n([\s\S]*?)```/.exec(readme)?.[1];
    expect(shown).to.equal(await readFile(example, "utf8"));
  });

  it("signs in from a terminal and prints the masks, as the example does", async () => {
    const email = "terminal@example.org";
    const { address, code } = await signUpWithMask(server, email);
    const ran = await run(server, email, () => codeMailedTo(server, email, new Set([code])));
    expect(ran).to.deep.equal({ printed: `${prompt}${address}\n`, complained: "", exitCode: 0 });
  });

  it("says so when the code is wrong", async () => {
    const email = "mistaken@example.org";
    const wrong = async (): Promise<string> => {
      const code = Number(await codeMailedTo(server, email));
      return String((code + 1) % 1_000_000).padStart(6, "0");
    };
    const { printed, complained, exitCode } = await run(server, email, wrong);
    expect(printed).to.equal(prompt);
    expect(complained).to.match(/code/i);
    expect(exitCode).to.equal(1);
  });

  it("says so when the address cannot be one", async () => {
    const { complained, exitCode } = await run(server, "nobody", async () => "");
    expect(complained).to.equal("Please enter a valid email address\n");
    expect(exitCode).to.equal(1);
  });
});
