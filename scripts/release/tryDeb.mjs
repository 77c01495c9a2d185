// Installs the Debian package in a Debian of its own (a folder that mmdebstrap fills), starts the server as its unit says,
// updates, removes and purges it; throws at the first thing that is not as it should be. Needs root, mmdebstrap and lintian.
import { spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { run } from "./build.mjs";

const data = "var/lib/bauta";
const settings = "etc/bauta/bauta.conf";
const readyWithinMs = 60_000;

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const assert = (isSo, what) => {
  if (!isSo) throw new Error(`The package does not do this: ${what}`);
  console.log(`  ${what}`);
};

/** Runs a command in a root. */
const inside = (root, command, ...args) =>
  run("chroot", [root, command, ...args], {
    encoding: "utf8",
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C.UTF-8" },
  });

/** Starts what the unit starts, as its user and with its environment, until it is ready; returns what ends it. */
const startUnit = async (root) => {
  const unit = readFileSync(join(root, "usr/lib/systemd/system/bauta.service"), "utf8");
  const [, user] = /^User=(.+)$/m.exec(unit);
  const [, folder] = /^WorkingDirectory=(.+)$/m.exec(unit);
  const [, command] = /^ExecStart=(.+)$/m.exec(unit);
  const variables = Array.from(unit.matchAll(/^Environment=(.+)$/gm), ([, pair]) => pair);
  const port = await freePort();
  const ports = [`PORT=${port}`, `SMTP_PORT=${await freePort()}`];
  const server = spawn(
    "chroot",
    [
      `--userspec=${user}:${user}`,
      root,
      "env",
      "-i",
      "-C",
      folder,
      ...variables,
      ...ports,
      ...command.split(" "),
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const began = performance.now();
  const isReady = async () =>
    (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.status === 200;
  while (!(await isReady())) {
    if (server.exitCode !== null || performance.now() - began > readyWithinMs)
      throw new Error("The server of the package does not start.");
    await wait(20);
  }
  const stop = () => {
    server.kill();
    return ended;
  };
  return { ms: performance.now() - began, stop };
};

/** The same package with the next version. */
const nextOf = (deb, folder) => {
  const tree = join(folder, "next");
  run("dpkg-deb", ["--raw-extract", deb, tree]);
  const control = join(tree, "DEBIAN/control");
  writeFileSync(control, readFileSync(control, "utf8").replace(/^Version: .*$/m, "$&+next"));
  const file = join(folder, "bauta-next.deb");
  run("dpkg-deb", ["--root-owner-group", "-Znone", "--build", tree, file]);
  rmSync(tree, { recursive: true });
  return file;
};

/** Tries a package in all that is done with one, and says what it has seen. */
export const tryDeb = async (deb) => {
  // Whoever builds it for others is named by DEBEMAIL.
  const unnamed = "root-in-contact,bogus-mail-host,bogus-mail-host-in-debian-changelog";
  const lint = ["--allow-root", "--fail-on", "error", "--suppress-tags", unnamed, deb];
  run("lintian", lint, { stdio: ["ignore", "inherit", "inherit"] });
  const folder = mkdtempSync(join(tmpdir(), "bauta-deb-"));
  const root = join(folder, "root");
  try {
    run("mmdebstrap", [
      "--skip=cleanup/apt",
      "--variant=apt",
      "--mode=root",
      '--aptopt=Apt::Install-Recommends "false"',
      "bookworm",
      root,
    ]);
    const install = (file) => {
      copyFileSync(file, join(root, "tmp", basename(file)));
      return inside(
        root,
        "apt-get",
        "install",
        "-q",
        "-y",
        "-o",
        "Dpkg::Options::=--force-confdef",
        `/tmp/${basename(file)}`,
      );
    };
    const backups = () => globSync(`${data}/backups/*.gz`, { cwd: root });
    install(deb);
    assert(/^bauta \d/.test(inside(root, "bauta", "version")), "bauta is on the path");
    assert(/^\d/.test(inside(root, "bauta-cli", "--version")), "bauta-cli is on the path");
    const first = await startUnit(root);
    assert(true, `the server starts as its user, in ${Math.round(first.ms)} ms`);
    await first.stop();
    writeFileSync(join(root, settings), `${readFileSync(join(root, settings), "utf8")}SIGN_UP=invite\n`);
    const next = nextOf(deb, folder);
    install(next);
    assert(backups().length === 1, "an update writes a backup first");
    inside(root, "bauta", "verify", `/${backups()[0]}`);
    assert(
      readFileSync(join(root, settings), "utf8").endsWith("SIGN_UP=invite\n"),
      "an update leaves the settings",
    );
    const second = await startUnit(root);
    await second.stop();
    assert(true, "the server starts after the update");
    inside(root, "apt-get", "remove", "-q", "-y", "bauta");
    assert(
      existsSync(join(root, settings)) && existsSync(join(root, data, "bauta.db")),
      "removing leaves settings and data",
    );
    inside(root, "apt-get", "purge", "-q", "-y", "bauta");
    assert(!existsSync(join(root, settings)), "purging deletes the settings");
    assert(existsSync(join(root, data, "bauta.db")), "purging leaves the data when nobody is there to ask");
    install(deb);
    inside(root, "sh", "-c", "echo 'bauta bauta/purge-data boolean true' | debconf-set-selections");
    inside(root, "apt-get", "purge", "-q", "-y", "bauta");
    assert(!existsSync(join(root, data)), "purging deletes the data when told to");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
