import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Runs every bench, or those named on the command line. Each prints its own table, its peer beside it. */
const wanted = new Set(process.argv.slice(2));
const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .filter((name) => wanted.size === 0 || wanted.has(name));

if (folders.length === 0) {
  console.error(`No such bench. There are: ${readdirSync(import.meta.dirname).join(", ")}`);
  process.exitCode = 1;
}

for (const name of folders) {
  console.log(`\n${name}\n${"─".repeat(name.length)}`);
  const { run } = (await import(join(import.meta.dirname, name, `${name}.ts`))) as {
    run: () => Promise<void>;
  };
  await run();
}
