import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { createProgram, runProgram } from "../../server/cli/arguments.ts";
import { backupCommands } from "../../server/cli/backupCommands.ts";
import { skipWithout } from "../support/missing.ts";

const deploy = join(import.meta.dirname, "../../deploy");
const linesOf = (unit: string): readonly string[] => readFileSync(join(deploy, unit), "utf8").split("\n");

describe("the backup's systemd units", () => {
  it("run a command that exists, with the data and settings of the server, and keep some backups", async () => {
    const lines = linesOf("bauta-backup.service");
    const shared = [
      "WorkingDirectory=",
      "EnvironmentFile=",
      "Environment=DATA_DIR=",
      "Environment=BAUTA_SETTINGS=",
      "StateDirectory=",
    ];
    for (const name of shared) {
      const ofServer = linesOf("bauta.service").find((line) => line.startsWith(name));
      expect(lines, name).to.include(ofServer);
    }
    expect(lines).to.include("User=bauta");
    const [, path = "", words = ""] = /^ExecStart=\S+ (\S+) (.*)$/m.exec(lines.join("\n")) ?? [];
    expect(existsSync(join(deploy, "..", path)), path).to.equal(true);
    const run: string[] = [];
    const program = createProgram(backupCommands, async ({ name }, { text }) => {
      run.push(`${name} ${text("keep")}`);
    });
    await runProgram(program, words.split(" "));
    expect(run).to.deep.equal(["backup 7"]);
  });

  it("are started by a timer of the same name, also after the machine was off", () => {
    expect(linesOf("bauta-backup.timer")).to.include.members(["Persistent=yes", "WantedBy=timers.target"]);
  });

  it("are valid", function () {
    if (spawnSync("systemd-analyze", ["--version"]).error) skipWithout(this, "systemd-analyze");
    const { stderr } = spawnSync("systemd-analyze", ["verify", join(deploy, "bauta-backup.timer")], {
      encoding: "utf8",
    });
    expect(stderr).not.to.match(/bauta-backup\.(?:timer|service):\d+:/);
  });
});

describe("the units of the Debian package", () => {
  it("run the server and its backup as one user who stays, from the places of the package", async () => {
    const { unitFor } = await import(new URL("../../scripts/release/deb.mjs", import.meta.url).href);
    for (const name of ["bauta.service", "bauta-backup.service"]) {
      const unit: string = unitFor(linesOf(name).join("\n"));
      expect(unit.split("\n")).to.include.members([
        "User=bauta",
        "WorkingDirectory=/usr/lib/bauta",
        "EnvironmentFile=-/etc/bauta/bauta.conf",
        "StateDirectory=bauta",
      ]);
      expect(unit).not.to.match(/\/opt\/|DynamicUser/);
    }
  });
});

describe("each way to start the server", () => {
  it("bounds its memory as `npm start` does", () => {
    const start = readFileSync(join(deploy, "../package.json"), "utf8");
    const bounds = /"start": "(MALLOC_TRIM_THRESHOLD_=\d+) exec node (--\S+) /.exec(start)?.slice(1) ?? [];
    expect(bounds).to.have.length(2);
    for (const name of ["bauta.service", "Containerfile"])
      for (const bound of bounds) expect(linesOf(name).join("\n"), name).to.include(bound);
  });
});

describe("the systemd unit", () => {
  before(function () {
    if (spawnSync("systemd-analyze", ["--version"]).error) skipWithout(this, "systemd-analyze");
  });

  it("restricts the server to an exposure level of at most 2.0 of 10", () => {
    const unit = join(import.meta.dirname, "../../deploy/bauta.service");
    const { stdout } = spawnSync("systemd-analyze", ["security", "--offline=true", unit], {
      encoding: "utf8",
    });
    const [, exposure = "unknown"] = /Overall exposure level for bauta\.service: ([\d.]+)/.exec(stdout) ?? [];
    expect(Number(exposure)).to.be.at.most(2);
  });
});
