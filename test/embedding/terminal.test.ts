import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { terminalPorts } from "../../adapters/node/terminalPorts.ts";
import { cryptoRandom } from "../../adapters/system/cryptoRandom.ts";
import { fetchHttp } from "../../adapters/system/fetchHttp.ts";
import { systemClock } from "../../adapters/system/systemClock.ts";
import { makeApp } from "../../core/app.ts";
import { codeMailedTo, type RunningServer, startServer } from "../e2e/support/server.ts";

const example = join(import.meta.dirname, "terminal.ts");

/** A submission is held for 500 ms after the one before it (SI7); a person takes longer than that to read a mail. */
const readMail = (): Promise<void> => setTimeout(600);

const run = async (server: RunningServer, email: string, oldCodes: ReadonlySet<string>): Promise<string> => {
  const shell = spawn(process.execPath, [example, server.url, email]);
  const printed = text(shell.stdout);
  const ended = once(shell, "exit");
  const code = await codeMailedTo(server, email, oldCodes);
  await readMail();
  shell.stdin.end(`${code}\n`);
  await ended;
  return printed;
};

/** Makes an account on the Free plan with one mask, over the same core. */
const signUpWithMask = async (
  server: RunningServer,
  email: string,
): Promise<{ readonly address: string; readonly code: string }> => {
  const ports = terminalPorts({ http: fetchHttp, clock: systemClock, random: cryptoRandom });
  const configuration = { brand: "Bauta", maskDomain: "masks.localhost" };
  const app = makeApp(ports, { baseAddress: server.url, configuration });
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
  if (made._tag === "Left") throw new Error(made.left.sentence);
  return { address: made.right.maskEmail, code };
};

describe("a shell that embeds the core", function () {
  this.timeout(30_000);
  let server: RunningServer;
  before(async () => {
    server = await startServer();
  });
  after(async () => {
    await server.stop();
    await server.removeData();
  });

  it("is the example that the README shows, letter for letter", async () => {
    const readme = await readFile(join(import.meta.dirname, "../../README.md"), "utf8");
    const shown = /<!-- example: .+? -->\n```ts\n([\s\S]*?)```/.exec(readme)?.[1];
    expect(shown).to.equal(await readFile(example, "utf8"));
  });

  it("signs in from a terminal and prints the masks, as the example does", async () => {
    const email = "terminal@example.org";
    const { address, code } = await signUpWithMask(server, email);
    expect(await run(server, email, new Set([code]))).to.equal(`${address}\n`);
  });
});
