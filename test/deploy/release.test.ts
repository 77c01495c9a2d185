import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { until } from "../server/support/until.ts";
import { freePort } from "../support/freePort.ts";
import { longTestMs } from "../support/limits.ts";
import { quickFolder } from "../support/quickFolder.ts";

const root = join(import.meta.dirname, "../..");
const runFile = promisify(execFile);
const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
const archive = `bauta-${version}.tar.gz`;
const bill = `bauta-${version}.cdx.json`;
const description = `bauta-${version}.openapi.json`;

const sha256 = async (file: string): Promise<string> =>
  createHash("sha256")
    .update(await readFile(file))
    .digest("hex");

/** The packages that the notices of a build name, as "name@version". */
const packagesIn = (notices: string): readonly string[] =>
  Array.from(notices.matchAll(/^={100}\n\n(\S+) (\S+)$/gm), ([, name, at]) => `${name}@${at}`);

describe("A release", function () {
  this.timeout(longTestMs);
  let folder: string;
  let unpacked: string;
  const release = (out: string) =>
    runFile(process.execPath, [join(root, "scripts/release/release.mjs"), "--out", out], { cwd: root });

  before(async () => {
    folder = await mkdtemp(join(quickFolder, "bauta-release-"));
    await release(join(folder, "out"));
    await runFile("tar", ["--extract", "--file", join(folder, "out", archive), "--directory", folder]);
    unpacked = join(folder, `bauta-${version}`);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("is one file of at most 15 MB, with its checksum, and the same bytes each time", async () => {
    const sums = await readFile(join(folder, "out/SHA256SUMS"), "utf8");
    const hash = await sha256(join(folder, "out", archive));
    const lines = [bill, description, archive].map(
      async (file) => `${await sha256(join(folder, "out", file))}  ${file}\n`,
    );
    expect(sums).to.equal((await Promise.all(lines)).join(""));
    expect((await readFile(join(folder, "out", archive))).length).to.be.below(15_000_000);
    await release(join(folder, "again"));
    expect(await sha256(join(folder, "again", archive))).to.equal(hash);
  });

  it("has the licenses of what is in it, and a bill of materials of exactly that", async () => {
    const { bomFormat, metadata, components } = JSON.parse(await readFile(join(folder, "out", bill), "utf8"));
    expect([bomFormat, metadata.component.name, metadata.component.version]).to.deep.equal([
      "CycloneDX",
      "bauta",
      version,
    ]);
    const listed: readonly string[] = components.map((one: Readonly<Record<string, string>>) =>
      [one["group"], `${one["name"]}@${one["version"]}`].filter(Boolean).join("/"),
    );
    const notices = ["dist/server", "dist/web", "cli/dist"].map((part) =>
      join(unpacked, part, "THIRD-PARTY-NOTICES.txt"),
    );
    const texts = await Promise.all(notices.map((file) => readFile(file, "utf8")));
    const named = new Set(texts.flatMap(packagesIn).filter((one) => !/^node-.*(linux|darwin)/.test(one)));
    expect(new Set(listed)).to.deep.equal(named);
    expect([...named].join(" "))
      .to.match(/fastify@/)
      .and.match(/react@/)
      .and.match(/openpgp@/);
    expect([...named].join(" ")).not.to.match(/(?:mocha|typescript|esbuild)@/);
    expect(await readdir(unpacked)).to.include.members([
      "LICENSE",
      "CHANGELOG.md",
      "sbom.cdx.json",
      "deploy",
    ]);
  });

  it("runs the operator's command on the Node that is there", async () => {
    const expected = `bauta ${version} (Node ${process.versions.node})\n`;
    const { stdout } = await runFile(process.execPath, [join(unpacked, "bauta.js"), "version"]);
    expect(stdout).to.equal(expected);
    const path = `${join(process.execPath, "..")}:${process.env["PATH"]}`;
    const byName = await runFile(join(unpacked, "bauta"), ["version"], {
      env: { ...process.env, PATH: path },
    });
    expect(byName.stdout).to.equal(expected);
  });

  it("has the command line for its users", async () => {
    const { stdout } = await runFile(process.execPath, [join(unpacked, "cli/bauta-cli.js"), "--version"]);
    expect(stdout).to.equal(`${version}\n`);
  });

  it("is checked by the command of the documentation, also when only one of its files is there", async () => {
    const documented = await readFile(join(unpacked, "docs/self-hosting.md"), "utf8");
    const [, command = ""] = /^ {4}(sha256sum .+)$/m.exec(documented) ?? [];
    const fetched = join(folder, "fetched");
    await mkdir(fetched);
    for (const file of [archive, "SHA256SUMS"])
      await copyFile(join(folder, "out", file), join(fetched, file));
    const [program = "", ...words] = command.split(" ");
    const { stdout } = await runFile(program, words, { cwd: fetched });
    expect(stdout).to.equal(`${archive}: OK\n`);
  });

  it("serves the app by npm start, from its own files alone", async () => {
    const port = await freePort();
    const server = spawn("npm", ["start"], {
      cwd: unpacked,
      env: {
        PATH: `${join(process.execPath, "..")}:${process.env["PATH"]}`,
        PORT: String(port),
        SMTP_PORT: String(await freePort()),
        DATA_DIR: join(folder, "data"),
      },
      stdio: "ignore",
    });
    const isReady = async (): Promise<boolean> =>
      (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.status === 200;
    try {
      await until("the server of the release is ready", isReady);
      const page = await (
        await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: "text/html" } })
      ).text();
      const [, script = ""] = /<link id="main" rel="modulepreload" href="([^"]+)"/.exec(page) ?? [];
      expect((await fetch(`http://127.0.0.1:${port}${script}`)).status).to.equal(200);
      const licenses = await (await fetch(`http://127.0.0.1:${port}/licenses`)).text();
      expect(licenses).to.contain("GNU LESSER GENERAL PUBLIC LICENSE");
      const { paths } = await (await fetch(`http://127.0.0.1:${port}/openapi.json`)).json();
      const { paths: described } = JSON.parse(await readFile(join(folder, "out", description), "utf8"));
      expect(paths).to.deep.equal(described).and.include.keys("/masks");
    } finally {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill();
      await ended;
    }
  });

  it("has a package whose installation brings the Node of the lockfile and nothing else", async () => {
    const read = async (from: string, file: string) => JSON.parse(await readFile(join(from, file), "utf8"));
    const { optionalDependencies, ...about } = await read(unpacked, "package.json");
    expect(about.bin, "what `npm exec` runs").to.deep.equal({
      bauta: "bauta",
      "bauta-cli": "cli/bauta-cli.js",
    });
    expect(about).not.to.have.any.keys("dependencies", "devDependencies", "workspaces");
    const { packages } = await read(unpacked, "package-lock.json");
    const { packages: all } = await read(root, "package-lock.json");
    const names = Object.keys(optionalDependencies).map((name) => `node_modules/${name}`);
    expect(Object.keys(packages)).to.have.members(["", ...names]);
    for (const name of names) expect(packages[name]).to.deep.equal(all[name]);
  });
});
