import fc from "fast-check";
import { mutated } from "./mutations.ts";
import { targets } from "./targets.ts";

/**
 * `npm run fuzz` tries every target for its share of a minute, `npm run fuzz -- header 600` one for 600 seconds. A third
 * argument repeats the seed that a failure names.
 */
const [name = "all", seconds = "60", given] = process.argv.slice(2);
const chosen = Object.entries(targets).filter(([one]) => name === "all" || one === name);
const seed = given === undefined ? Math.floor(Math.random() * 0x7fffffff) : Number(given);

if (chosen.length === 0 || !(Number(seconds) > 0) || !Number.isInteger(seed)) {
  console.error(`Usage: npm run fuzz -- [all|${Object.keys(targets).join("|")}] [seconds] [seed]`);
  process.exit(1);
}

console.log(`Seed ${seed}. Repeat with: npm run fuzz -- ${name} ${seconds} ${seed}`);
let failed = 0;
for (const [target, { seeds, check }] of chosen) {
  let runs = 0;
  const property = fc.asyncProperty(mutated(seeds()), async (text) => {
    runs += 1;
    await check(text);
  });
  const result = await fc.check(property, {
    seed,
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: (Number(seconds) * 1_000) / chosen.length,
  });
  console.log(`${target}: ${runs} inputs`);
  if (!result.failed || result.counterexample === null) continue;
  failed += 1;
  console.error(`${fc.defaultReportMessage(result) ?? ""}
${String(result.errorInstance)}
Repeat it with: npm run fuzz -- ${target} ${seconds} ${seed}
Then add the input to the seeds in test/server/fuzz/seeds.ts.`);
}
process.exit(failed === 0 ? 0 : 1);
