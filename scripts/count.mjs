// `npm run count`: how many product files there are and how long they are, for each tier, and how many files each way of
// ARCHITECTURE.md passes. For information only; no check holds the figures.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const tiers = ["core", "adapters", "web", "server", "cli", "extension"];
const shortBelow = 25;

/** The headings of the lists of files in ARCHITECTURE.md. */
const ways = ["A click", "A mail"];

const productFiles = (tier) =>
  globSync(`${tier}/**/*.{ts,tsx}`, {
    cwd: root,
    exclude: ["**/node_modules/**", "**/dist/**", "**/*.d.ts"],
  }).map((path) => ({ path, lines: readFileSync(join(root, path), "utf8").trimEnd().split("\n").length }));

const median = (numbers) => {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};

const figures = (files) => {
  const lines = files.map((file) => file.lines);
  return {
    files: files.length,
    lines: lines.reduce((sum, count) => sum + count, 0),
    short: lines.filter((count) => count < shortBelow).length,
    median: median(lines),
    longest: Math.max(0, ...lines),
  };
};

/** The files that a list under `### heading` names first in each entry: "1. `core/app/createApp.ts` …". */
const filesOfWay = (page, heading) => {
  const section = page.split(/^#{2,3} /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  return Array.from(section.matchAll(/^\d+\. `([^`]+)`/gm), ([, path]) => path);
};

const print = (rows) => {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0]) : String(cell).padStart(widths[column]),
        )
        .join("  "),
    );
};

const run = () => {
  const byTier = tiers.map((tier) => [tier, productFiles(tier)]);
  const all = figures(byTier.flatMap(([, files]) => files));
  const tierRows = [...byTier.map(([tier, files]) => [tier, figures(files)]), ["all", all]];
  print([
    ["tier", "files", "lines", `under ${shortBelow}`, "median", "longest"],
    ...tierRows.map(([tier, of]) => [tier, of.files, of.lines, of.short, of.median, of.longest]),
  ]);

  const architecture = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  console.log("");
  print([["way", "files"], ...ways.map((way) => [way, filesOfWay(architecture, way).length])]);
};

run();
