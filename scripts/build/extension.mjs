// The extension for both kinds of browsers: `npm run build:extension` writes into dist/extension a folder for each, which a
// browser loads unpacked, a zip archive for its store, and the checksums of both. The same source gives the same bytes.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { manifestOf } from "../../extension/manifest.ts";
import { modularLibraries } from "./bundle.mjs";
import { noticesFile, noticesOf } from "./notices.mjs";
import { zipOf } from "./zip.mjs";

const root = join(import.meta.dirname, "../..");

/** The browsers, by the folder of each. */
const browsers = ["chromium", "firefox"];

/**
 * The scripts, each one file with all it needs: the background and what runs in web pages cannot import, and a page opens
 * sooner without a second file to ask for.
 */
const entryPoints = {
  background: "extension/background/background.ts",
  connect: "extension/connection/connect.ts",
  content: "extension/content/content.ts",
  popup: "extension/popup/main.tsx",
  options: "extension/options/main.tsx",
  pages: "extension/pages/pages.css",
};

/** What is copied as it is. */
const copied = [
  ...["icon-16.png", "icon-32.png", "icon-48.png", "icon-128.png"].map((name) => [
    name,
    `extension/icons/${name}`,
  ]),
  ["popup.html", "extension/popup/popup.html"],
  ["options.html", "extension/options/options.html"],
];

/** The most bytes of what the popup loads, as gzip. */
const maxPopup = 150_000;

const popupFiles = ["popup.js", "popup.css", "pages.css"];

const bundle = () =>
  build({
    absWorkingDir: root,
    entryPoints,
    outdir: "out",
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
    jsx: "automatic",
    conditions: ["es2015", "module", "browser"],
    alias: modularLibraries,
    loader: { ".module.css": "local-css" },
    define: { "process.env.NODE_ENV": '"production"' },
  });

/** Returns the files of the extension ([name, bytes]), which are the same for all browsers. */
const filesOf = async () => {
  const { outputFiles, metafile } = await bundle();
  return [
    ...outputFiles.map(({ path, contents }) => [relative(join(root, "out"), path), contents]),
    ...copied.map(([name, file]) => [name, readFileSync(join(root, file))]),
    ["LICENSE.txt", readFileSync(join(root, "LICENSE"))],
    [noticesFile, Buffer.from(noticesOf(root, [metafile]))],
  ];
};

/** The bytes of what the popup loads, as gzip. */
const popupWeight = (files) =>
  files
    .filter(([name]) => popupFiles.includes(name))
    .reduce((sum, [, bytes]) => sum + gzipSync(bytes, { level: 9 }).length, 0);

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** Builds the extension into a folder; returns the archives ([name, bytes]) and the gzip bytes that the popup loads. */
export const buildExtension = async (folder = join(root, "dist/extension")) => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const shared = await filesOf();
  await rm(folder, { recursive: true, force: true });
  const archives = [];
  for (const browser of browsers) {
    const manifest = `${JSON.stringify(manifestOf(browser, version), null, 2)}\n`;
    const files = [...shared, ["manifest.json", Buffer.from(manifest)]];
    for (const [name, bytes] of files) {
      const path = join(folder, browser, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, bytes);
    }
    const archive = [`bauta-${version}-${browser}.zip`, zipOf(files)];
    await writeFile(join(folder, archive[0]), archive[1]);
    archives.push(archive);
  }
  const sums = archives.map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`).join("");
  await writeFile(join(folder, "SHA256SUMS"), sums);
  return { archives, popup: popupWeight(shared) };
};

if (import.meta.main) {
  const { archives, popup } = await buildExtension();
  for (const [name, { length }] of archives)
    console.log(`Wrote dist/extension/${name}, ${(length / 1000).toFixed(1)} kB`);
  console.log(`The popup loads ${(popup / 1000).toFixed(1)} kB of ${(maxPopup / 1000).toFixed(1)} kB, gzip`);
  if (process.argv.includes("--check") && popup > maxPopup) {
    console.error(`The popup loads ${popup} bytes gzip, at most ${maxPopup} allowed.`);
    process.exitCode = 1;
  }
}
