// Builds the page into dist/web and the server into dist/server.
//   node build.mjs            once, minified, with .gz and .br beside each file
//   node build.mjs --check    the same, and fails when a first load is over its limit
//   node build.mjs --sizes    the same, and lists what the parts of the page weigh
//   node build.mjs --quiet    the same, and prints nothing unless it fails
//   node build.mjs --watch    again after each change, unminified
//
// The list is painted after six requests: the page, its stylesheet, three scripts and the list itself; the typeface comes
// beside them, and the text does not wait for it. What the build does for that:
//   scripts/build/chunks.mjs    which parts are loaded together, and in which order; a part finds the ones before it loaded
//   scripts/build/bundle.mjs    one stylesheet for all parts; scripts that are compiled while they load
//   withoutFacade, below        names the chunk of the entry in place of a file that only imports it
//   scripts/build/page.mjs      the theme script inside the page, and in it what a signed-in browser loads beside the entry
//   web/theme.ts                preloads that, and requests the list early
// Libraries are bundled as they are published.
import { existsSync, watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { basename, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build, context } from "esbuild";
import {
  hasKeyWorker,
  hasWorker,
  keyWorkerOptions,
  pageOptions,
  themeOptions,
  workerOptions,
} from "./scripts/build/bundle.mjs";
import { forgetBuild, hashInputs, rememberBuild } from "./scripts/build/inputs.mjs";
import { nodeFolder, noticesFile, noticesOf } from "./scripts/build/notices.mjs";
import { pageWith } from "./scripts/build/page.mjs";
import { serverOptions } from "./scripts/build/server.mjs";
import { shellOf } from "./scripts/build/shell.mjs";
import { firstScreenOf, limits, measure, overweight } from "./scripts/build/sizes.mjs";
import { compressAll, writeBuild } from "./scripts/build/write.mjs";

/** An editor saves in several steps: what follows within this time is one change. */
const settleMs = 50;

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

/** The chunk that a file consists of when all of it is shared with others: nothing is gained by loading both. */
const withoutFacade = (outputs, file) => {
  const { inputs, imports } = outputs[file];
  const [only, ...others] = imports.filter(({ kind }) => kind === "import-statement");
  return Object.keys(inputs).length === 0 && only !== undefined && others.length === 0 ? only.path : file;
};

const outputOf = (outputs, entryPoint, ending) =>
  Object.keys(outputs).find((file) => outputs[file].entryPoint === entryPoint && file.endsWith(ending));

/** The files esbuild made, by their path from the root, without the stylesheets of single chunks. */
const contentsOf = (root, result, styles) =>
  result.outputFiles
    .map((file) => [relative(root, file.path).replaceAll("\\", "/"), file.contents])
    .filter(([file]) => !/\.css(\.map|\.LEGAL\.txt)?$/.test(file) || file.startsWith(styles));

const addressOf = (file) => `/assets/${basename(file)}`;

/** The worker that keys live in: its files, and where the page finds it. */
const keyWorkerOf = async (root, development) => {
  if (!hasKeyWorker(root)) return { files: [], address: "", metafiles: [] };
  const { outputFiles, metafile } = await build(keyWorkerOptions(root, development));
  const files = outputFiles.map(({ path, contents }) => [
    relative(root, path).replaceAll("\\", "/"),
    contents,
  ]);
  return {
    files,
    address: addressOf(files.find(([file]) => file.endsWith(".js"))[0]),
    metafiles: [metafile],
  };
};

/** The service worker that keeps one build. */
const workerOf = async (root, parts) => {
  const { outputFiles, metafile } = await build(workerOptions(root, await shellOf(parts)));
  return { contents: outputFiles[0].contents, metafile };
};

/** The file that describes the API, by what the sources declared when this process began. */
const openApiOf = async (root) => {
  if (!existsSync(join(root, "scripts/api/openApi.mjs"))) return [];
  // Reading all of core takes half as long the second time.
  enableCompileCache(join(root, "node_modules/.cache/node"));
  const { openApiText } = await import("./scripts/api/openApi.mjs");
  return [["openapi.json", await openApiText()]];
};

/** Puts one build in place and answers its sizes. */
const finish = async (root, page, theme, keyWorker, { development, scripts, openApi }) => {
  const { outputs } = page.metafile;
  const entry = outputOf(outputs, "web/main.tsx", ".js");
  const main = withoutFacade(outputs, entry);
  const styles = outputOf(outputs, "styles:bauta:styles", ".css");
  const contents = new Map([...contentsOf(root, page, styles), ...keyWorker.files]);
  if (main !== entry) for (const file of [entry, `${entry}.map`]) contents.delete(file);
  const gzipped = await compressAll(contents);
  const sizes = measure(outputs, gzipped, main);
  const html = pageWith(await readFile(join(root, "web/index.html"), "utf8"), {
    logo: await readFile(join(root, "web/public/icon.svg"), "utf8"),
    theme: theme.outputFiles[0].text,
    styles,
    main,
    typeface: [...contents.keys()].find((file) => file.endsWith(".woff2")),
    firstScreen: firstScreenOf(outputs, main),
    scripts: scripts.map(({ name }) => `/assets/${name}`),
  });
  const publicFolder = join(root, "web/public");
  const assets = [...contents.keys()].map((file) => basename(file));
  const keepsPage = !development && hasWorker(root);
  const worker = keepsPage ? await workerOf(root, { html, main, assets, publicFolder }) : null;
  const metafiles = [page, theme, worker ?? []].flat().map(({ metafile }) => metafile);
  const files = [
    ...[...contents].map(([file, bytes]) => [`assets/${basename(file)}`, bytes]),
    ...scripts.map(({ name, text }) => [`assets/${name}`, text]),
    ["sizes.json", `${JSON.stringify(sizes, null, 2)}\n`],
    ...(worker === null ? [] : [["serviceWorker.js", worker.contents]]),
    [noticesFile, noticesOf(root, [...metafiles, ...keyWorker.metafiles])],
    ...openApi,
    ["index.html", html],
  ];
  await writeBuild(join(root, "dist/web"), files, {
    compress: !development,
    publicFolder,
    known: new Map([...gzipped].map(([file, bytes]) => [`assets/${basename(file)}`, bytes])),
  });
  return sizes;
};

/** Builds the page once, minified and compressed. */
export const buildPage = async (root) => {
  const bundlingTheme = build(themeOptions(root, false));
  const describing = openApiOf(root);
  const keyWorker = await keyWorkerOf(root, false);
  const page = await build(pageOptions(root, false, keyWorker.address));
  const options = { development: false, scripts: [], openApi: await describing };
  return finish(root, page, await bundlingTheme, keyWorker, options);
};

/** Bundles the server. */
const buildServer = async (root) => {
  if (!existsSync(join(root, "server/main.ts"))) return;
  const { outputFiles, metafile } = await build(serverOptions(root));
  const notices = noticesOf(root, [metafile], [nodeFolder(root)].filter(Boolean));
  const files = [
    ...outputFiles.map(({ path, contents }) => [basename(path), contents]),
    [noticesFile, notices],
  ];
  await writeBuild(join(root, "dist/server"), files, { compress: false });
};

/** Builds page and server, and remembers what they are made of. */
const buildAll = async (root) => {
  const hash = hashInputs(root);
  await forgetBuild(root);
  const [sizes] = await Promise.all([buildPage(root), buildServer(root)]);
  await rememberBuild(root, hash);
  return sizes;
};

/**
 * Builds now and after each change and tells `built`; `scripts` ({name, text}) are added to the page. A build that
 * fails says why and leaves the last good one. Answers how to stop.
 */
export const watchPage = async (root, { scripts = [], built }) => {
  const { address } = await keyWorkerOf(root, true);
  const page = await context(pageOptions(root, true, address));
  const openApi = await openApiOf(root);
  let waiting;
  let underWay = Promise.resolve();
  const rebuild = async () => {
    try {
      const theme = await build(themeOptions(root, true));
      const keyWorker = await keyWorkerOf(root, true);
      await finish(root, await page.rebuild(), theme, keyWorker, { development: true, scripts, openApi });
      built();
    } catch (error) {
      if (!error.errors) console.error(`build: ${error.message}`);
    }
  };
  const soon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      underWay = underWay.then(rebuild);
    }, settleMs);
  };
  const watchers = ["web", "core", "adapters"]
    .map((room) => join(root, room))
    .filter(existsSync)
    .map((room) => watch(room, { recursive: true }, soon));
  await rebuild();
  return async () => {
    clearTimeout(waiting);
    for (const watcher of watchers) watcher.close();
    await page.dispose();
  };
};

const ofLimit = (bytes, limit) =>
  `${bytes === undefined ? "unknown" : kilobytes(bytes)} of ${kilobytes(limit)}`;

/** What a build says of itself in one line. */
const summary = ({ firstLoad }) =>
  `Built dist/web and dist/server. First load, gzip: sign-in ${ofLimit(firstLoad.signIn, limits.signIn)}, ` +
  `masks tab ${ofLimit(firstLoad.masksTab, limits.masksTab)}.`;

const table = ({ styles, chunks }) => {
  const rows = [
    ...chunks.map(({ source, gzip, withImports }) => [source, kilobytes(gzip), kilobytes(withImports)]),
    ["stylesheet", kilobytes(styles), ""],
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column].length), 12));
  const line = ([name, own, sum]) =>
    `${name.padEnd(widths[0])}  ${own.padStart(widths[1])}  ${sum.padStart(widths[2])}`;
  return [line(["gzip", "itself", "with imports"]), ...rows.map(line)].join("\n");
};

const run = async (root, { watch: again, check, sizes: isListed, quiet }) => {
  if (!existsSync(join(root, "web/main.tsx"))) throw new Error(`there is no web/main.tsx in ${root}`);
  if (again) {
    await watchPage(root, { built: () => console.log("built dist/web") });
    return;
  }
  const sizes = await buildAll(root);
  if (isListed) console.log(table(sizes));
  if (!quiet) console.log(summary(sizes));
  const complaints = check ? overweight(sizes) : [];
  for (const complaint of complaints) console.error(complaint);
  if (complaints.length > 0) process.exitCode = 1;
};

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: {
      watch: { type: "boolean" },
      check: { type: "boolean" },
      sizes: { type: "boolean" },
      quiet: { type: "boolean" },
    },
    allowPositionals: true,
  });
  await run(resolve(positionals[0] ?? import.meta.dirname), values).catch((error) => {
    if (!error.errors) console.error(`build: ${error.message}`);
    process.exitCode = 1;
  });
}
