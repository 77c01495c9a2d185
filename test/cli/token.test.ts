import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect } from "chai";
import { useServer } from "../e2e/support/product.ts";
import { codeMailedTo } from "../e2e/support/server.ts";
import { signUpWithMask } from "../embedding/support/example.ts";
import { longTestMs } from "../support/limits.ts";
import { type Browser, logInInBrowser } from "./support/browser.ts";
import { type CommandLine, createCommandLine, logIn, program, until } from "./support/program.ts";

describe("The command line with an API token", function () {
  this.timeout(longTestMs);
  const server = useServer();
  const email = "token@example.org";
  let cli: CommandLine;
  let browser: Browser;

  before(async () => {
    cli = await createCommandLine({ BAUTA_KEY_STORE: "file" });
    const { code } = await signUpWithMask(server, email);
    browser = await logInInBrowser(server, email, new Set([code]));
  });
  after(() => cli.remove());

  it("makes a mask with nothing but the token and the address of the server in its environment", async () => {
    const settings = {
      BAUTA_TOKEN: await browser.makeToken(["masks:create", "masks:read"]),
      BAUTA_SERVER: server.url,
    };
    const made = await cli.runWith({ settings }, "new", "--for", "shop.example", "--quiet");
    expect(made.errors).to.equal("");
    const listed = await cli.runWith({ settings }, "list", "--json");
    expect(JSON.parse(listed.out).map((mask: { address: string }) => `${mask.address}\n`)).to.include(
      made.out,
    );
    const refused = await cli.runWith({ settings }, "off", made.out.trim());
    expect(refused.code).to.equal(6);
    expect(refused.errors).to.contain("masks:write");
  });

  it("shows changes as the server tells them, goes on after a restart, and ends with the token", async () => {
    const owner = await createCommandLine({ BAUTA_KEY_STORE: "file" });
    const token = await browser.makeToken(["masks:create", "masks:read"]);
    const settings = { BAUTA_TOKEN: token, BAUTA_SERVER: server.url };
    const watching = spawn(process.execPath, [program, "watch", "--json"], {
      env: { ...owner.environment, ...settings },
    });
    let [seen, told] = ["", ""];
    watching.stdout.on("data", (chunk) => {
      seen += chunk;
    });
    watching.stderr.on("data", (chunk) => {
      told += chunk;
    });
    const make = async (description: string): Promise<string> =>
      (await owner.runWith({ settings }, "new", description, "--quiet")).out.trim();
    await until(() => told.includes("Watching "));
    const before = await make("Told");
    await until(() => seen.includes(before));
    await server.stop();
    await until(() => told.includes("The connection is lost. Trying again …"));
    await server.restart();
    const after = await make("Told later");
    await until(() => seen.includes(after));
    const ended = once(watching, "exit");
    await browser.revokeTokens();
    expect(await ended).to.deep.equal([3, null]);
    await owner.remove();
  });

  it("ends the session of a login that another takes the place of", async () => {
    const before = await browser.countSessions();
    const logInAgain = async (): Promise<void> => {
      const { code, errors } = await logIn(cli, server, email, new Set([await codeMailedTo(server, email)]));
      expect(code, errors).to.equal(0);
    };
    await logInAgain();
    expect(await browser.countSessions()).to.equal(before + 1);
    await logInAgain();
    expect(await browser.countSessions()).to.equal(before + 1);
    expect((await cli.run("list")).code).to.equal(0);
    const input = `${await browser.makeToken(["masks:read"])}\n`;
    const login = await cli.runWith({ input }, "login", "--token", "--server", server.url);
    expect(login.code, login.errors).to.equal(0);
    expect(await browser.countSessions()).to.equal(before);
    expect((await cli.run("list")).code).to.equal(0);
  });
});
