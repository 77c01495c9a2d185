import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Runs every benchmark, or those named on the command line. Each prints a table with its peer. */
const wanted = process.argv.slice(2);
const benches = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);
const unknown = wanted.filter((name) => !benches.includes(name));

if (unknown.length > 0) {
  console.error(`No such bench: ${unknown.join(", ")}. There are: ${benches.join(", ")}`);
  process.exit(1);
}

for (const name of benches.filter((name) => wanted.length === 0 || wanted.includes(name))) {
  console.log(`\n${name}\n${"─".repeat(name.length)}`);
  const { run } = (await import(join(import.meta.dirname, name, `${name}.ts`))) as {
    run: () => Promise<void>;
  };
  await run();
}
