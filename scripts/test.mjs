// `npm test` runs all tests, `npm test -- smtp crashPoints` those in the folders and files of these names, and
// `npm run test:fast` those that need neither a browser nor a database nor another process. What begins with a dash
// goes on to mocha: `npm test -- rules -g "by the arrow keys"`.
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "..");
const ending = /\.test\.tsx?$/;

/** All test files as paths from the root, the longest first: those of the whole product. */
const everyFile = () => {
  const rank = (file) => ["pictures", "e2e", "server", "web"].indexOf(file.split("/")[1]) + 1 || 5;
  return globSync("test/**/*.test.{ts,tsx}", { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !file.startsWith("test/browsers/"))
    .toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
};

/** The files in a folder of that name, or the files of that name; else those whose names begin so. */
const named = (files, word) => {
  const path = word.replace(/^\.\//, "").replace(/\/+$/, "").replace(ending, "");
  const inFolder = files.filter((file) => `/${file}`.includes(`/${path}/`));
  const exact = files.filter((file) => `/${file.replace(ending, "")}`.endsWith(`/${path}`));
  const found = [...new Set([...inFolder, ...exact])];
  const part = path.toLowerCase();
  return found.length > 0 ? found : files.filter((file) => file.toLowerCase().includes(`/${part}`));
};

const select = (files, words) => {
  const chosen = new Set();
  for (const word of words) {
    const found = named(files, word);
    if (found.length === 0) {
      process.stderr.write(`No folder and no file of the tests is named ${word}.\n`);
      process.exit(2);
    }
    for (const file of found) chosen.add(file);
  }
  return files.filter((file) => chosen.has(file));
};

/** What a fast test does not reach: a browser, a database, another process, and inputs whose size takes its time. */
const heavy = [
  /^(node:)?child_process$/,
  /^playwright-core$/,
  /^server\/platform\/store\/(sqlite|postgresql)\.ts$/,
  /^test\/e2e\//,
  /^test\/server\/(fuzz|hostile|platform\/spool)\//,
  /^test\/core\/(rules\/editing|sync)\/devices\.test\.ts$/,
  /^test\/server\/delivery\/sending\/threadTransport\.test\.ts$/,
];
const isHeavy = (path) => heavy.some((pattern) => pattern.test(path));

/** The test files that reach nothing heavy by the imports of the tests themselves. */
const fastOf = async (files) => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: files,
    bundle: true,
    write: false,
    outdir: "unused",
    metafile: true,
    packages: "external",
    external: [...builtinModules, "../core/*"],
    platform: "node",
    format: "esm",
    loader: { ".css": "empty" },
    logLevel: "error",
  });
  const known = new Map();
  const isFast = (file) => {
    const answer = known.get(file);
    if (answer !== undefined) return answer;
    known.set(file, true);
    const imports = metafile.inputs[file]?.imports.map(({ path }) => path) ?? [];
    const isItself =
      !isHeavy(file) &&
      imports.every((path) => !isHeavy(path) && (!path.startsWith("test/") || isFast(path)));
    known.set(file, isItself);
    return isItself;
  };
  return files.filter(isFast);
};

const isFastRun = process.argv.includes("--fast");
const given = process.argv.slice(2).filter((word) => word !== "--fast");
const flagsAt = given.findIndex((word) => word.startsWith("-"));
const [words, flags] = flagsAt < 0 ? [given, []] : [given.slice(0, flagsAt), given.slice(flagsAt)];
const files = words.length === 0 ? everyFile() : select(everyFile(), words);
const chosen = isFastRun ? await fastOf(files) : files;
const mocha = join(root, "node_modules/mocha/bin/mocha.js");
const config = isFastRun ? ["--config", "test/fast.mocharc.json"] : [];
spawn(process.execPath, [mocha, ...config, ...flags, ...chosen], { cwd: root, stdio: "inherit" }).on(
  "exit",
  (code) => process.exit(code ?? 1),
);
