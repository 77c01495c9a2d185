// `npm run mutants -- owners`: makes one small fault at a time in the sources, runs the tests that concern the file, and
// prints the faults that no test sees. `npm run mutants -- owners server/features/held --list` takes the files below a
// path alone, and only lists; `--trust` does not first run the tests without a fault; `--sample=40 --seed=7` takes that
// many at random. A kind of fault is a module beside this one: what it changes where, and which of its changes are equal
// in effect. The files stay as they are: `load.mjs` gives Node the changed source.
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { owners } from "./owners.mjs";
import { small } from "./small.mjs";
import { createTestsOf } from "./testsOf.mjs";

const kinds = { owners, small };
const root = join(import.meta.dirname, "../..");
/** A fault that keeps the tests from ending counts as seen. */
const timeoutMs = 600_000;

const [name, ...words] = process.argv.slice(2);
const kind = kinds[name];
if (kind === undefined) {
  process.stderr.write(`Name a kind of fault: ${Object.keys(kinds).join(", ")}.\n`);
  process.exit(2);
}
const isList = words.includes("--list");
const isTrusted = words.includes("--trust");
const option = (of) => Number(words.find((word) => word.startsWith(`--${of}=`))?.split("=")[1]);
const paths = words.filter((word) => !word.startsWith("-"));

const lineOf = (source, at) => source.slice(0, at).split("\n").length;

/** How far before a fault the text stands that names it as equal in effect. */
const nearby = 500;
const isEqual = ({ file, before }) =>
  kind.equal.some(
    (one) => one.file === file && (one.at ? before.endsWith(one.at) : before.includes(one.after)),
  );

/** A generator of numbers from 0 to 1 (mulberry32), so that a sample can be taken again. */
const seeded = (seed) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
};
const sampleOf = (all) => {
  const size = option("sample");
  if (Number.isNaN(size)) return all;
  const random = seeded(option("seed") || 1);
  return all
    .map((mutant) => ({ mutant, order: random() }))
    .toSorted((one, other) => one.order - other.order)
    .slice(0, size)
    .map(({ mutant }) => mutant);
};

const everyMutant = globSync(kind.files, { cwd: root })
  .toSorted()
  .filter(
    (file) => !kind.isLeftOut(file) && (paths.length === 0 || paths.some((path) => file.startsWith(path))),
  )
  .flatMap((file) => {
    const source = readFileSync(join(root, file), "utf8");
    return kind.find(source, file).map((change) => {
      const text = source.slice(change.start, change.end).replaceAll(/\s+/g, " ");
      const before = source.slice(Math.max(0, change.start - nearby), change.start);
      return { ...change, file, text, before, line: lineOf(source, change.start) };
    });
  })
  .filter((mutant) => !isEqual(mutant));
const mutants = sampleOf(everyMutant);

const testsOf = createTestsOf(root, kind);

const required = ["costs", "properties", "bystander"].flatMap((one) => [
  "--require",
  `./test/support/${one}.mjs`,
]);

/** Processes that a test starts have the fault too; the query keeps it apart from the hook of the test itself. */
const inChildren = `--import=${pathToFileURL(join(import.meta.dirname, "load.mjs"))}?child`;

/** Runs tests on SQLite, up to the first that fails; returns whether none did. */
const passes = (tests, mutant) => {
  const run = spawnSync(
    process.execPath,
    [
      "--import=./test/support/register.mjs",
      "--import=./scripts/mutants/load.mjs",
      "node_modules/mocha/lib/cli/cli.js",
      ...["--no-config", "--bail", "--exit", "--timeout", "120000", "--reporter", "dot"],
      ...required,
      ...tests,
    ],
    {
      cwd: root,
      timeout: timeoutMs,
      encoding: "utf8",
      env: {
        ...process.env,
        TEST_POSTGRESQL: undefined,
        MUTANT: mutant ? JSON.stringify(mutant) : "",
        NODE_OPTIONS: inChildren,
      },
    },
  );
  return { hasPassed: run.status === 0, output: run.stdout };
};

const sound = new Map();
const isSound = (tests) => {
  if (isTrusted) return true;
  const key = tests.join(" ");
  if (!sound.has(key)) {
    const { hasPassed, output } = passes(tests, null);
    if (!hasPassed) process.stdout.write(`These tests fail without a fault: ${key}\n${output}\n`);
    sound.set(key, hasPassed);
  }
  return sound.get(key);
};

let survivors = 0;
for (const mutant of mutants) {
  const { file, line, text } = mutant;
  const tests = testsOf(file);
  const verdict = isList
    ? ""
    : !isSound(tests)
      ? "untested"
      : passes(tests, mutant).hasPassed
        ? "survives"
        : "seen";
  if (verdict === "survives") survivors += 1;
  process.stdout.write(`${verdict.padEnd(9)} ${file}:${line} ${text} → ${mutant.replacement.slice(0, 60)}\n`);
}
process.stdout.write(`${mutants.length} faults, ${survivors} seen by no test\n`);
process.exitCode = survivors === 0 ? 0 : 1;
