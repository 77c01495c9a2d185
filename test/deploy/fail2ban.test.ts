import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { logRefusedPeer, type RefusedAttempt } from "../../server/platform/ops/refusedPeers.ts";
import { createLogLines } from "../server/support/logLines.ts";
import { skipWithout } from "../support/missing.ts";

const folder = join(import.meta.dirname, "../../deploy/fail2ban");
const filterFile = join(folder, "filter.d/bauta.conf");
const filter = readFileSync(filterFile, "utf8");
const jails = readFileSync(join(folder, "jail.d/bauta.conf"), "utf8");

const setting = (text: string, name: string): string =>
  new RegExp(`^${name} = (.*)$`, "m").exec(text)?.[1] ?? expect.fail(`no ${name}`);

const logins = setting(filter, "what");
const recipients = "recipient";

/** Lines of refusals, and lines of whose text strangers choose a part. */
const linesOf = (refusals: readonly (readonly [RefusedAttempt, string])[]): readonly string[] => {
  const { log, lines } = createLogLines();
  for (const [refused, address] of refusals) logRefusedPeer(log, refused, address);
  const [line = ""] = lines;
  log.info({ answer: line }, line);
  log.info({ route: "/x", refused: "sign-in", ip: "192.0.2.1" }, "request");
  return lines;
};

/** The lines that the filter finds, with their addresses, read as fail2ban reads them: from a file, or from the journal. */
const foundIn = (lines: readonly string[], what: string, isFromFile: boolean): readonly string[] => {
  const pattern = setting(filter, "failregex").replace("<what>", what).replace("<ADDR>", "([0-9a-fA-F.:]+)");
  const read = lines.map((line) => (isFromFile ? line.replace(/"time":\d+/, "") : `host bauta[7]: ${line}`));
  return read.flatMap((line) => new RegExp(pattern).exec(line)?.[1] ?? []);
};

describe("the filter of fail2ban", () => {
  const refusals = [
    ["recipient", "203.0.113.9"],
    ["sign-in", "::ffff:198.51.100.7"],
    ["submission", "2001:db8::5"],
  ] as const;

  it("finds the address of each refusal in the log, and in no other line", () => {
    for (const isFromFile of [true, false]) {
      const lines = linesOf(refusals);
      expect(foundIn(lines, logins, isFromFile)).to.deep.equal(["198.51.100.7", "2001:db8::5"]);
      expect(foundIn(lines, recipients, isFromFile)).to.deep.equal(["203.0.113.9"]);
    }
  });

  it("finds what its jails look for", () => {
    expect(jails).to.include("filter = bauta\n").and.to.include(`filter = bauta[what="${recipients}"]`);
    expect(setting(filter, "journalmatch")).to.equal("_SYSTEMD_UNIT=bauta.service");
  });

  it("is read so by fail2ban", function () {
    if (spawnSync("fail2ban-regex", ["--version"]).error) skipWithout(this, "fail2ban-regex");
    const place = mkdtempSync(join(tmpdir(), "bauta-fail2ban-"));
    try {
      const file = join(place, "bauta.log");
      writeFileSync(file, `${linesOf(refusals).join("\n")}\n`);
      const found = (name: string): readonly string[] =>
        spawnSync("fail2ban-regex", ["-o", "ip", file, name], { encoding: "utf8" })
          .stdout.split("\n")
          .filter(Boolean);
      expect(found(filterFile)).to.deep.equal(["198.51.100.7", "2001:db8::5"]);
      expect(found(`${filterFile}[what="${recipients}"]`)).to.deep.equal(["203.0.113.9"]);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });
});
