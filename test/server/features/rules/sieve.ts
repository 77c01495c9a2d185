import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Sieve tests, compiled and run by Dovecot Pigeonhole. */
export interface Pigeonhole {
  /** Returns the indexes of the tests that match. */
  readonly holding: (mail: Uint8Array) => ReadonlySet<number>;
  readonly remove: () => void;
}

/** Returns whether a package like Debian's dovecot-sieve is installed. */
export const hasPigeonhole = (): boolean =>
  ["sievec", "sieve-test"].every(
    (name) => (spawnSync(name, ["-?"]).error as NodeJS.ErrnoException)?.code !== "ENOENT",
  );

/** Options that select another user, because Dovecot refuses to run as root. */
export const sieveUser = process.getuid?.() === 0 ? ["-o", "mail_uid=nobody", "-o", "mail_gid=nogroup"] : [];

const flagOf = (n: number): string => `rule${n}`;

/** Compiles a script that flags a mail for each matching test. Nothing is delivered. */
export const compileSieve = (tests: readonly string[]): Pigeonhole => {
  const folder = mkdtempSync(join(tmpdir(), "bauta-sieve-"));
  chmodSync(folder, 0o755);
  const [script, letter] = [join(folder, "rules.sieve"), join(folder, "letter.eml")];
  const flags = tests.map((test, n) => `if ${test} { addflag "${flagOf(n)}"; }`);
  writeFileSync(script, ['require ["imap4flags", "body", "regex"];', ...flags, "keep;", ""].join("\r\n"));
  execFileSync("sievec", [script], { stdio: "pipe" });
  return {
    holding: (mail) => {
      writeFileSync(letter, mail);
      const output = execFileSync("sieve-test", [...sieveUser, script, letter], {
        stdio: ["ignore", "pipe", "pipe"],
      });
      const [, set = ""] = /add IMAP flags: (.*)/.exec(output.toString("utf8")) ?? [];
      const found = new Set(set.split(" "));
      return new Set(tests.flatMap((_, n) => (found.has(flagOf(n)) ? [n] : [])));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
