// Notes what each test file costs, for the table at the end of a run. Mocha loads this file with --require: in the test
// processes, where its hook runs after each file, and in the process of the reporter.
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dirname, "../..");
const variable = "TEST_COSTS";

/** Clock ticks of Linux in a second. */
const ticks = 100;

/** CPU-seconds of the processes that this one has started and that have ended; Linux alone tells. */
const ofChildren = () => {
  if (!existsSync("/proc/self/stat")) return 0;
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / ticks;
};

const spent = () => {
  const { user, system } = process.cpuUsage();
  return { cpu: (user + system) / 1e6 + ofChildren(), wall: process.uptime() };
};

let before = { cpu: 0, wall: 0 };

export const mochaHooks = {
  afterAll() {
    const place = process.env[variable];
    const [file] = this.test.parent.suites.map((suite) => suite.file);
    const now = spent();
    const cost = { file, cpu: now.cpu - before.cpu, wall: now.wall - before.wall };
    before = now;
    if (place !== undefined && file !== undefined) appendFileSync(place, `${JSON.stringify(cost)}\n`);
  },
};

/** Has test processes note their costs from now on. */
export const mochaGlobalSetup = () => {
  process.env[variable] = join(mkdtempSync(join(tmpdir(), "bauta-costs-")), "costs.jsonl");
};

/** Returns what each file has cost so far, in seconds, the most costly first; from then on nothing is noted. */
export const takeCosts = () => {
  const place = process.env[variable];
  if (place === undefined) return [];
  const lines = existsSync(place) ? readFileSync(place, "utf8").split("\n").filter(Boolean) : [];
  rmSync(dirname(place), { recursive: true, force: true });
  delete process.env[variable];
  return lines
    .map((line) => JSON.parse(line))
    .map(({ file, ...cost }) => ({ file: relative(root, file), ...cost }))
    .toSorted((one, other) => other.cpu - one.cpu);
};
