import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect } from "chai";
import { useServer } from "../e2e/support/product.ts";
import { codeMailedTo } from "../e2e/support/server.ts";
import { signUpWithMask } from "../embedding/support/example.ts";
import { longTestMs } from "../support/limits.ts";
import { skipWithout } from "../support/missing.ts";
import { type CommandLine, createCommandLine } from "./support/program.ts";
import { hasPseudoTerminal, runInTerminal } from "./support/pseudoTerminal.ts";

const control = "\u001b[";
const longestLine = (text: string): number =>
  Math.max(
    ...stripVTControlCharacters(text)
      .split(/\r?\n/)
      .map((line) => line.length),
  );

describe("The command line in a terminal", function () {
  this.timeout(longTestMs);
  const server = useServer();
  const email = "person@example.org";
  let cli: CommandLine;

  before(async function () {
    if (!hasPseudoTerminal()) skipWithout(this, "python3");
    cli = await createCommandLine({ BAUTA_KEY_STORE: "file" });
  });
  after(() => cli?.remove());

  it("asks for what it needs to log in, makes a mask, lists it, and asks before it deletes it", async () => {
    const { code } = await signUpWithMask(server, email);
    const login = runInTerminal(cli.environment, 80, "login");
    await login.sees("Address of the server");
    login.type(`${server.url}\n`);
    await login.sees("Your email address");
    login.type(`${email}\n`);
    await login.sees("Code from the mail");
    login.type(`${await codeMailedTo(server, email, new Set([code]))}\n`);
    expect(await login.ended, login.shown()).to.equal(0);
    expect(login.shown()).to.contain(`Logged in at ${server.url} as ${email}.`);

    const made = runInTerminal(cli.environment, 80, "new", "Shoes", "--for", "shop.example");
    expect(await made.ended).to.equal(0);
    const address = stripVTControlCharacters(made.shown()).trim();
    expect(address).to.match(/^\S+@masks\.localhost$/);
    const listed = runInTerminal(cli.environment, 80, "list");
    await listed.ended;
    expect(listed.shown()).to.contain(control).and.to.contain("Shoes");

    const refused = runInTerminal(cli.environment, 80, "rm", address);
    await refused.sees("mail to it is refused");
    refused.type("n\n");
    expect(await refused.ended).not.to.equal(0);
    const deleted = runInTerminal(cli.environment, 80, "rm", address);
    await deleted.sees("mail to it is refused");
    deleted.type("y\n");
    expect(await deleted.ended, deleted.shown()).to.equal(0);
    expect(deleted.shown()).to.contain("is deleted.");
  });

  it("fits its tables into a narrow terminal, and has no color when NO_COLOR is set", async () => {
    await cli.run("new", "A description that is much longer than any narrow terminal is wide, 日本語も");
    for (const columns of [40, 60]) {
      const listed = runInTerminal(cli.environment, columns, "list");
      expect(await listed.ended).to.equal(0);
      expect(longestLine(listed.shown()), listed.shown()).to.be.at.most(columns);
    }
    const plain = runInTerminal({ ...cli.environment, NO_COLOR: "1" }, 80, "list");
    expect(await plain.ended).to.equal(0);
    expect(plain.shown().replaceAll(`\r${control}K`, "")).not.to.contain(control);
    const json = runInTerminal(cli.environment, 40, "list", "--json");
    await json.ended;
    expect(JSON.parse(json.shown())).to.be.an("array");
  });

  it("ends watching by Ctrl+C", async () => {
    const watching = runInTerminal(cli.environment, 80, "watch");
    await watching.sees("Watching ");
    watching.type("\u0003");
    expect(await watching.ended).to.equal(130);
  });

  for (const [shell, ...check] of [
    ["bash", "-n"],
    ["zsh", "-n"],
    ["fish", "--no-execute"],
  ] as const)
    it(`prints a completion that ${shell} reads`, async function () {
      if (spawnSync(shell, ["--version"]).error) return skipWithout(this, shell);
      const script = join(cli.home, `completion.${shell}`);
      await writeFile(script, (await cli.run("completion", shell)).out);
      const { status, stderr } = spawnSync(shell, [...check, script], { encoding: "utf8" });
      expect([status, stderr]).to.deep.equal([0, ""]);
    });
});
