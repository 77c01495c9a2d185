import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Condition } from "../../core/rules/model/condition.ts";
import { leavesOf } from "../../core/rules/model/conditionGroup.ts";
import type { Rule } from "../../core/rules/model/rule.ts";
import { sieveUser } from "../../test/server/features/rules/sieve.ts";
import { mailFileOf } from "./workload.ts";

/** Each rule is repeated so often in the script that the cost of a mail exceeds the program's start. */
const copies = 20;
const rounds = 9;

const quoted = (value: unknown): string =>
  `[${[value]
    .flat()
    .map((entry) => JSON.stringify(String(entry)))
    .join(", ")}]`;

const testOf = ({ field, operator, value }: Condition): string => {
  if (field === "body") return `body :text :contains ${quoted(value)}`;
  if (operator === "ends_with") return `address :domain :is "from" ${quoted(value)}`;
  return `header :contains "subject" ${quoted(value)}`;
};

const scriptOf = (rules: readonly Rule[]): string =>
  [
    'require ["imap4flags", "body"];',
    ...rules.map(
      ({ id, conditions }) =>
        `if allof (${leavesOf(conditions).map(testOf).join(", ")}) { addflag "${id}"; }`,
    ),
    "keep;",
    "",
  ].join("\r\n");

/** Returns the time that Dovecot Pigeonhole takes for one mail, in µs, without the start of its program. */
export const pigeonholeMicroseconds = (rules: readonly Rule[], size: number): number => {
  const folder = mkdtempSync(join(tmpdir(), "bauta-bench-"));
  chmodSync(folder, 0o755);
  const letter = join(folder, "letter.eml");
  writeFileSync(letter, mailFileOf(size));
  const took = (name: string, list: readonly Rule[]): number => {
    const script = join(folder, `${name}.sieve`);
    writeFileSync(script, scriptOf(list));
    execFileSync("sievec", [script], { stdio: "pipe" });
    const times = Array.from({ length: rounds }, () => {
      const began = performance.now();
      execFileSync("sieve-test", [...sieveUser, script, letter], { stdio: "pipe" });
      return performance.now() - began;
    });
    return times.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ?? Number.NaN;
  };
  try {
    const many = Array.from({ length: copies }, () => rules).flat();
    return Math.max(0, ((took("many", many) - took("one", rules)) * 1_000) / (copies - 1));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
