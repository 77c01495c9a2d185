import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { ageSessions } from "../e2e/support/oldSession.ts";
import { useServer } from "../e2e/support/product.ts";
import { codeMailedTo } from "../e2e/support/server.ts";
import { signUpWithMask } from "../embedding/support/example.ts";
import { longTestMs } from "../support/limits.ts";
import { skipWithout } from "../support/missing.ts";
import {
  type CommandLine,
  createCommandLine,
  logIn,
  program,
  runWithCode,
  until,
} from "./support/program.ts";

const mail = "From: shop@example.com\r\nTo: me@masks.localhost\r\nSubject: Sale\r\n\r\nBuy now.\r\n";

const rules = [
  {
    id: "rule_1_a",
    name: "No sales",
    type: "content_filter",
    enabled: true,
    conditions: [{ field: "subject", operator: "contains", value: "Sale" }],
    actions: [{ type: "block", params: { silentBlock: false } }],
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  },
];

describe("The command line", function () {
  this.timeout(longTestMs);
  const server = useServer();
  const email = "cli@example.org";
  let cli: CommandLine;
  let first: string;

  before(async () => {
    cli = await createCommandLine({ BAUTA_KEY_STORE: "file" });
    const { address, code } = await signUpWithMask(server, email);
    first = address;
    const login = await logIn(cli, server, email, new Set([code]));
    expect(login).to.deep.include({
      code: 0,
      out: `Logged in at ${server.url} as ${email}. The session is kept in a file that only you can read.\n`,
    });
  });
  after(() => cli.remove());

  it("says who is logged in, and keeps what proves it in files that only this user reads", async () => {
    const told = await cli.json("whoami");
    expect(told).to.include({ server: server.url, kind: "session", email });
    expect(Date.parse(told.expires)).to.be.greaterThan(Date.now());
    const folder = join(cli.home, "bauta-cli");
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const modes = await Promise.all(
      files
        .filter((file) => file.isFile())
        .map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).mode & 0o777),
    );
    expect([...new Set(modes)]).to.deep.equal([0o600]);
    expect((await stat(folder)).mode & 0o777).to.equal(0o700);
  });

  it("makes, shows, switches, labels, deletes and restores a mask", async () => {
    const made = await cli.run("new", "--for", "shop.example", "--label", "shops", "--note", "wide 日本語");
    expect(made).to.deep.include({ code: 0, errors: "" });
    const address = made.out.trim();
    expect(address).to.match(/^\S+@masks\.localhost$/);
    const local = address.split("@")[0] ?? "";
    expect(await cli.json("show", local)).to.include({ address, active: true, description: "shop.example" });
    expect((await cli.run("off", local)).out).to.equal(`${address} is off.\n`);
    expect((await cli.run("list", "--quiet")).out).to.equal(`${first}\n`);
    expect((await cli.run("list", "--all", "-q")).out).to.equal(`${address}\n${first}\n`);
    expect((await cli.run("on", address)).out).to.equal(`${address} is on.\n`);
    expect((await cli.run("label", local, "Sales", "--remove", "shops")).out).to.equal("Sales\n");
    expect(
      (await cli.json("list", "label:sales")).map((mask: { address: string }) => mask.address),
    ).to.deep.equal([address]);
    const asked = await cli.run("rm", local);
    expect([asked.code, asked.errors]).to.deep.equal([
      2,
      `This deletes ${address}: mail to it is refused. Add --yes to do so.\n`,
    ]);
    expect((await cli.run("rm", local, "--yes")).code).to.equal(0);
    expect((await cli.run("show", local)).code).to.equal(4);
    expect((await cli.run("restore", local)).out).to.equal(`${address} is restored.\n`);
    await cli.run("rm", local, "--yes");
  });

  it("asks for a code by mail before it writes all data in an old session, and writes none without one", async () => {
    ageSessions(server);
    const seen = new Set([await codeMailedTo(server, email)]);
    const refused = await cli.run("export", "--everything");
    expect([refused.code, refused.out]).to.deep.equal([6, ""]);
    expect(refused.errors).to.contain("Confirm that it is you");
    const asked = new Set([...seen, await codeMailedTo(server, email, seen)]);
    const exported = await runWithCode(cli, { server, email, seen: asked }, "export", "--everything");
    expect(exported.errors).to.contain("wants to know that it is you");
    expect(exported.code).to.equal(0);
    expect(JSON.parse(exported.out)).to.have.property("format", "bauta-export");
  });

  it("exits with codes that say what was wrong, without a stack trace", async () => {
    const unknown = await cli.run("show", "nothing-like-this");
    expect(unknown).to.deep.include({ code: 4, errors: 'There is no mask "nothing-like-this".\n' });
    const usage = await Promise.all([cli.run("nwe"), cli.run("new", "--lable", "x"), cli.run("show")]);
    expect(usage.map(({ code }) => code)).to.deep.equal([2, 2, 2]);
    expect(usage[1]?.errors).to.contain("Did you mean --label?");
    const offline = await cli.runWith(
      { settings: { BAUTA_TOKEN: "bauta_x", BAUTA_SERVER: "http://127.0.0.1:9" } },
      "new",
    );
    expect(offline).to.deep.include({
      code: 5,
      errors: "The server cannot be reached. Check the network and its address.\n",
    });
    const other = await createCommandLine({ BAUTA_KEY_STORE: "file" });
    const stranger = await other.run("list");
    expect(stranger).to.deep.include({ code: 3, errors: "You are not logged in. Run `bauta-cli login`.\n" });
    const wrong = await other.runWith({ input: "nonsense\n" }, "login", "--token", "--server", server.url);
    expect([wrong.code, wrong.errors]).to.deep.equal([
      2,
      "An API token begins with bauta_. Create one in Settings › Programs.\n",
    ]);
    await other.remove();
  });

  it("says what is wrong with a code or a token, and not that a session has ended", async () => {
    const other = await createCommandLine({ BAUTA_KEY_STORE: "file" });
    const words = ["login", "--server", server.url, "--email", "other@example.org"];
    const code = await other.runWith({ input: "000000\n" }, ...words);
    expect([code.code, code.errors]).to.deep.equal([
      3,
      "Code from the mail: \nInvalid verification code. Check it, or ask for a new one.\n",
    ]);
    const mistyped = "This API token is mistyped. Copy it again as a whole.\n";
    const settings = { BAUTA_TOKEN: `bauta_${"x".repeat(40)}`, BAUTA_SERVER: server.url };
    for (const command of [["login", "--token"], ["list"], ["whoami"], ["new"]]) {
      const { code: exit, errors } = await other.runWith({ settings }, ...command);
      expect([exit, errors], command[0]).to.deep.equal([3, mistyped]);
    }
    await other.remove();
  });

  it("says at which address there is no server", async () => {
    const other = await createCommandLine({ BAUTA_KEY_STORE: "file" });
    const { code, errors } = await other.run("login", "--server", "localhost:9");
    expect([code, errors]).to.deep.equal([
      5,
      "The server http://localhost:9 cannot be reached. Check the network and the address.\n",
    ]);
    await other.remove();
  });

  it("says that the disk is full, and does not end as when nobody reads", async function () {
    if (!existsSync("/dev/full")) return skipWithout(this, "/dev/full");
    const full = openSync("/dev/full", "w");
    const listing = spawn(process.execPath, [program, "list", "--all"], {
      env: cli.environment,
      stdio: ["ignore", full, "pipe"],
    });
    closeSync(full);
    let errors = "";
    listing.stderr?.on("data", (chunk) => {
      errors += chunk;
    });
    const [code] = await once(listing, "close");
    expect([code, errors]).to.deep.equal([1, "The output cannot be written: the disk is full.\n"]);
  });

  it("makes a mask for a site with words of its own, and refuses what is no site", async () => {
    const made = await cli.json("new", "Shoes", "--for", "https://www.shop.example/basket?x=1");
    expect(made).to.include({ description: "Shoes", madeFor: "shop.example" });
    expect((await cli.run("list", "site:shop.example", "-q")).out).to.equal(`${made.address}\n`);
    expect((await cli.run("show", made.address)).out).to.match(/^Made for +shop\.example$/m);
    const wrong = await cli.run("new", "--for", "the shop");
    expect([wrong.code, wrong.errors]).to.deep.equal([
      2,
      '"the shop" is not a site. Write it as in --for shop.example, and other words as the description.\n',
    ]);
    await cli.run("rm", made.address, "--yes");
  });

  it("tests rules on a mail, exports and imports them as JSON and Sieve", async () => {
    const file = join(cli.home, "rules.json");
    await writeFile(file, JSON.stringify(rules));
    expect((await cli.run("rules", "import", first, file)).out).to.equal(`Added 1 rule to ${first}.\n`);
    const tested = await cli.runWith({ input: mail }, "rules", "test", first, "-");
    expect(tested).to.deep.include({ code: 0, out: "It is refused.\nNo sales: applies\n" });
    const script = join(cli.home, "rules.sieve");
    await cli.run("rules", "export", first, "--output", script);
    expect(await readFile(script, "utf8")).to.contain("# rule:[No sales]");
    expect((await cli.run("rules", "export", first, "--output", script)).errors).to.contain("exists already");
    expect((await cli.run("rules", "import", first, script)).code).to.equal(0);
    expect(JSON.parse((await cli.run("rules", "export", first)).out)).to.have.lengthOf(2);
    expect((await cli.runWith({ input: "x" }, "rules", "import", first, "-")).code).to.equal(2);
  });

  it("exports the masks as CSV and imports such a file", async () => {
    const exported = await cli.run("export");
    expect(exported.out)
      .to.match(/^mask,description,forward_to/)
      .and.to.contain(first);
    const again = await cli.runWith({ input: exported.out }, "import", "-", "--dry-run");
    expect(again.out)
      .to.contain("You have this mask already.")
      .and.to.contain("0 would be created, 0 of them with the address that they have.");
    const foreign = exported.out.replace(first, () => "old@elsewhere.example");
    const imported = await cli.runWith({ input: foreign }, "import", "-", "--json");
    expect(JSON.parse(imported.out).made).to.have.lengthOf(1);
  });

  it("keeps rules that are imported without a network, and the next command sends them", async () => {
    const file = join(cli.home, "rules.json");
    const count = async (): Promise<number> =>
      JSON.parse((await cli.run("rules", "export", first)).out).length;
    const before = await count();
    await server.stop();
    const kept = await cli.run("rules", "import", first, file);
    expect(kept.code).to.equal(0);
    expect(kept.out).to.contain("wait here. The next command with a network sends them.");
    expect((await cli.run("list", "-q")).out).to.contain(first);
    await server.restart();
    const next = await cli.run("list");
    expect(next.errors).to.equal("Sent the changes of rules that waited for a network.\n");
    expect(await count()).to.equal(before + 1);
  });

  it("shows changes as they happen", async () => {
    const watching = spawn(process.execPath, [program, "watch", "--json"], { env: cli.environment });
    let seen = "";
    let told = "";
    watching.stdout.on("data", (chunk) => {
      seen += chunk;
    });
    watching.stderr.on("data", (chunk) => {
      told += chunk;
    });
    await until(() => told.includes("Watching "));
    const { address } = await cli.json("new", "Live");
    await until(() => seen.includes(address));
    const ended = once(watching, "exit");
    watching.kill("SIGINT");
    expect(await ended).to.deep.equal([130, null]);
    const [line = ""] = seen.split("\n");
    expect(JSON.parse(line)).to.nested.include({ event: "made", "mask.address": address });
    await cli.run("rm", address, "--yes");
  });

  it("lists the log", async () => {
    expect(await cli.json("log")).to.be.an("array");
    expect((await cli.run("log", "--limit", "0")).code).to.equal(2);
    expect((await cli.run("log", "--result", "eaten")).errors).to.contain("Allowed choices are");
  });

  it("ends quietly when nobody reads its output", async () => {
    const listing = spawn(process.execPath, [program, "list", "--all"], { env: cli.environment });
    listing.stdout.destroy();
    let errors = "";
    listing.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    const [code] = await once(listing, "exit");
    expect([code, errors]).to.deep.equal([141, ""]);
  });

  it("renews a session whose token has run out, and says when the session is over", async () => {
    const secrets = join(cli.home, "bauta-cli/servers", encodeURIComponent(server.url), "secrets.txt");
    const whole = await readFile(secrets, "utf8");
    await writeFile(secrets, JSON.stringify({ ...JSON.parse(whole), authToken: "stale" }));
    expect((await cli.run("list", "-q")).out).to.contain(first);
    expect(JSON.parse(await readFile(secrets, "utf8")).authToken).not.to.equal("stale");
    await writeFile(secrets, JSON.stringify({ authToken: "stale", csrfToken: "stale", cookies: "{}" }));
    const over = await cli.run("list");
    expect([over.code, over.errors]).to.deep.equal([
      3,
      "You are not logged in any more. `bauta-cli login` begins a new session.\n",
    ]);
  });
});
