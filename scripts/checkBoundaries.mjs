// Refuses imports that cross a boundary, and cycles: `node scripts/checkBoundaries.mjs [folder]`. The rules stand in
// .dependency-cruiser.mjs. The check compares the files it read with the files on disk, since a check that reads
// nothing finds nothing.
import { globSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { cruise } from "dependency-cruiser";
import extractOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import extractTsConfig from "dependency-cruiser/config-utl/extract-ts-config";

process.chdir(resolve(process.argv[2] ?? "."));

const folders = ["core", "adapters", "web", "server", "cli", "extension"];
const files = globSync(
  folders.map((folder) => `${folder}/**/*.{ts,tsx}`),
  { exclude: ["**/node_modules/**", "**/dist/**", "**/*.d.ts"] },
).map((file) => file.replaceAll("\\", "/"));

const options = await extractOptions(resolve(".dependency-cruiser.mjs"));
const { output } = await cruise(files, { ...options, validate: true }, undefined, {
  tsConfig: extractTsConfig(resolve("tsconfig.json")),
});

const read = output.modules.filter((module) => files.includes(module.source));
const arrows = read.reduce((sum, module) => sum + module.dependencies.length, 0);
const comments = new Map(output.summary.ruleSetUsed.forbidden.map(({ name, comment }) => [name, comment]));
const { violations } = output.summary;

for (const { from, to, rule, cycle } of violations) {
  const way = cycle ? cycle.map((step) => step.name) : [to];
  console.error(`${rule.name}: ${[from, ...way].join(" → ")}\n  ${comments.get(rule.name)}\n`);
}

const { nounsWithoutTwin } = await import(pathToFileURL(resolve(".dependency-cruiser.mjs")).href);
const nouns = new Set(
  files.map(dirname).flatMap((folder) => /^(?:server|web)\/features\/[^/]+/.exec(folder) ?? []),
);
const twinless = [...nouns].filter(
  (noun) => !(noun in nounsWithoutTwin) && !files.some((file) => file.startsWith(`core/${basename(noun)}/`)),
);
for (const noun of twinless)
  console.error(
    `one-noun-one-name: ${noun} has no twin core/${basename(noun)}\n  A noun has one folder name in every tier. Rename the folder, move its files to the noun they belong to, or say in nounsWithoutTwin of .dependency-cruiser.mjs why there is none.\n`,
  );

// By noun, because the rule no-folder-cycle misses a circle that leads through a noun's sub-folders.
const nounOf = (file) => /^(?:core|server\/features)\/[^/]+(?=\/)/.exec(file)?.[0];
const importsOfNouns = new Map();
for (const { source, dependencies } of read)
  for (const { resolved } of dependencies) {
    const [from, to] = [nounOf(source), nounOf(resolved)];
    if (from === undefined || to === undefined || from === to) continue;
    if (!importsOfNouns.has(from)) importsOfNouns.set(from, new Map());
    importsOfNouns.get(from).set(to, `${source} → ${resolved}`);
  }

/** Returns the shortest way from a noun back to itself; null without one. */
const findCircle = (noun) => {
  const ways = [[noun]];
  const reached = new Set();
  for (const way of ways)
    for (const next of importsOfNouns.get(way.at(-1))?.keys() ?? []) {
      if (next === noun) return [...way, noun];
      if (!reached.has(next)) ways.push([...way, next]);
      reached.add(next);
    }
  return null;
};

const circles = new Map();
for (const noun of importsOfNouns.keys()) {
  const circle = findCircle(noun);
  if (circle !== null && !circle.some((one) => circles.has(one))) circles.set(noun, circle);
}
for (const circle of circles.values()) {
  const steps = circle.slice(1).map((to, n) => importsOfNouns.get(circle[n]).get(to));
  console.error(
    `no-noun-cycle: ${circle.join(" → ")}\n  ${steps.join("\n  ")}\n  Nouns know each other in one direction, type imports included. Move what they share to the noun that owns it or to the floor below (core/kernel, server/context), or take it as an argument.\n`,
  );
}

const refused = violations.length + twinless.length + circles.size;
console.log(`boundaries: ${read.length} modules, ${arrows} imports, ${refused} refused`);

if (read.length === 0 || read.length !== files.length || arrows === 0) {
  console.error(
    `The check is blind: it read ${read.length} of ${files.length} modules and ${arrows} imports.`,
  );
  process.exitCode = 1;
}
if (refused > 0) process.exitCode = 1;
