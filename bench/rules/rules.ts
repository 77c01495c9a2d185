import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isRight } from "fp-ts/lib/Either.js";
import { loadRe2Patterns } from "../../adapters/re2/re2Patterns.ts";
import type { CompilePattern } from "../../core/ports/patterns.ts";
import { evaluate, explain, prepareRules } from "../../core/rules/engine/evaluate.ts";
import { hasPigeonhole } from "../../test/server/features/rules/sieve.ts";
import { createPeer } from "./peer.ts";
import { pigeonholeMicroseconds } from "./pigeonhole.ts";
import { facts, type Kind, mailOf, rulesOf } from "./workload.ts";

const counts = [1, 10, 100];
const sizes = [1_000, 10_000, 100_000];

/** The maximum for a mail with 100 plain rules on headers, in µs. */
const allowedMicroseconds = 50;

/** Returns the median of 15 measurements of at least 20 ms each, in µs per call. */
const microseconds = async (work: () => unknown): Promise<number> => {
  const measured: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    const began = performance.now();
    let calls = 0;
    while (performance.now() - began < 20 || calls < 3) {
      await work();
      calls += 1;
    }
    measured.push(((performance.now() - began) * 1_000) / calls);
  }
  return measured.toSorted((a, b) => a - b)[7] ?? Number.NaN;
};

/** As above for synchronous work: a thousand calls between two readings of the clock. */
const microsecondsAtOnce = async (work: () => unknown, calls: number): Promise<number> =>
  (await microseconds(() => {
    for (let n = 0; n < calls; n += 1) work();
  })) / calls;

const line = (cells: readonly (string | number)[]): string =>
  cells.map((cell, n) => (n === 0 ? String(cell).padEnd(34) : String(cell).padStart(13))).join("");

const shown = (value: number): string => (value < 100 ? value.toFixed(1) : value.toFixed(0));

const ours = (kind: Kind, count: number, size: number, compile: CompilePattern): Promise<number> => {
  const mail = mailOf(size);
  const prepared = prepareRules(rulesOf(kind, count), compile);
  return microsecondsAtOnce(() => evaluate(prepared, mail, facts), kind === "pattern" ? 1 : 100);
};

const table = async (compile: CompilePattern): Promise<number> => {
  console.log("One mail, rules of which none applies, in µs (text is read up to 64 Ki characters)");
  console.log(line(["", "rules", ...sizes.map((size) => `${Math.round(size / 1_000)} kB`)]));
  let plain = Number.NaN;
  for (const kind of ["header", "text", "pattern"] as const)
    for (const count of kind === "pattern" ? [1, 10] : counts) {
      const costs: number[] = [];
      for (const size of sizes) costs.push(await ours(kind, count, size, compile));
      if (kind === "header" && count === 100) plain = Math.max(...costs);
      console.log(line([`decide, rules on ${kind}`, count, ...costs.map(shown)]));
    }
  return plain;
};

const peerTable = async (): Promise<void> => {
  const createRules = await createPeer();
  if (createRules === null) {
    console.log("json-rules-engine is not installed: there is no comparison");
    return;
  }
  for (const kind of ["header", "text"] as const)
    for (const count of counts) {
      const ask = createRules(rulesOf(kind, count));
      const costs: number[] = [];
      for (const size of sizes) costs.push(await microseconds(() => ask(mailOf(size))));
      console.log(line([`json-rules-engine, on ${kind}`, count, ...costs.map(shown)]));
    }
};

const pigeonholeTable = (): void => {
  if (!hasPigeonhole()) {
    console.log("Dovecot Pigeonhole is not installed: it is not measured");
    return;
  }
  for (const kind of ["header", "text"] as const)
    for (const count of counts.slice(1)) {
      const costs = sizes.map((size) => pigeonholeMicroseconds(rulesOf(kind, count), size));
      console.log(line([`Dovecot Pigeonhole, on ${kind}`, count, ...costs.map(shown)]));
    }
};

const beginning = async (compile: CompilePattern): Promise<void> => {
  const rules = rulesOf("header", 100);
  const mail = mailOf(1_000);
  const prepared = prepareRules(rules, compile);
  const cost = [
    await microsecondsAtOnce(() => prepareRules(rules, compile), 10),
    await microsecondsAtOnce(() => explain(evaluate(prepared, mail, facts)), 10),
  ];
  console.log(line(["100 rules: prepared, explained", "", ...cost.map(shown)]));
};

/** Measures the slowest of the patterns known to stall other engines, each on 30 kB of repeated text. */
const stalling = (compile: CompilePattern): string => {
  const file = resolve(process.env["CORPORA_DIR"] ?? "../shared/corpora", "redos/patterns.json");
  if (!existsSync(file)) return `patterns that stall other engines: skipped, there is no ${file}`;
  const patterns = JSON.parse(readFileSync(file, "utf8")) as readonly { readonly pattern: string }[];
  const texts = ["a", "ab", " ", "a!", "x\n", '"', "=,"].map(
    (pump) => `${pump.repeat(30_000 / pump.length)}!`,
  );
  const worst = { ms: 0, pattern: "" };
  let accepted = 0;
  for (const { pattern } of patterns) {
    const compiled = compile(pattern);
    if (!isRight(compiled)) continue;
    accepted += 1;
    for (const text of texts) {
      const began = performance.now();
      compiled.right(text);
      const ms = performance.now() - began;
      if (ms > worst.ms) Object.assign(worst, { ms, pattern });
    }
  }
  return `patterns that stall other engines: ${accepted} of ${patterns.length} accepted, the worst takes ${worst.ms.toFixed(1)} ms on 30 kB: ${worst.pattern}`;
};

/** Measures the cost of rules per mail, and how it grows with rules and size; prints tables. */
export const run = async (): Promise<void> => {
  const compile = await loadRe2Patterns();
  const plain = await table(compile);
  await peerTable();
  pigeonholeTable();
  console.log("");
  await beginning(compile);
  console.log(stalling(compile));
  const verdict = plain < allowedMicroseconds ? "less than" : "NOT less than";
  console.log(
    `100 plain rules on headers: ${shown(plain)} µs per mail, ${verdict} ${allowedMicroseconds} µs`,
  );
};
