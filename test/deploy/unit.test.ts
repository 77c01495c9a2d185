import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "chai";
import { skipWithout } from "../support/missing.ts";

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
