// The folder that every form of a release is made of: what is unpacked, with Node for a platform or without.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { billOfMaterials } from "./billOfMaterials.mjs";
import { root, run } from "./build.mjs";

const readJson = (file) => JSON.parse(readFileSync(join(root, file), "utf8"));

export const { name: product, version, description } = readJson("package.json");

/** What a release contains beside its own package.json, as paths from the root. */
const contents = [
  "dist/server",
  "dist/web",
  "cli/bauta-cli.js",
  "cli/dist",
  "cli/package.json",
  "deploy",
  "scripts/linkNode.mjs",
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  ...globSync("docs/**/*.md", { cwd: root }),
];

/** The time of the commit in seconds since 1970, or the one that the environment names; outside of Git that of the changelog. */
export const sourceTime = () => {
  const { stdout } = spawnSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" });
  const committed = process.env["SOURCE_DATE_EPOCH"] ?? stdout;
  return Number(committed) || Math.floor(statSync(join(root, "CHANGELOG.md")).mtimeMs / 1_000);
};

/** The package of a release: `npm ci` in it brings Node, with the checksums of the lockfile, and nothing else. */
const writePackage = (folder) => {
  const source = readJson("package.json");
  const { license, engines, optionalDependencies } = source;
  // `npm exec bauta` runs it in this folder, where npm would otherwise look for a package of that name.
  const bin = { bauta: "bauta", "bauta-cli": "cli/bauta-cli.js" };
  const about = { name: product, version, description, license, private: true, type: "module", engines, bin };
  // There is nothing to build: what starts the source first builds it.
  const start = source.scripts.start.replace("scripts/start.mjs", "dist/server/main.js");
  const scripts = { postinstall: source.scripts.postinstall, start };
  const lock = readJson("package-lock.json");
  const variants = Object.keys(optionalDependencies).map((variant) => `node_modules/${variant}`);
  const packages = {
    "": { name: product, version, license, engines, optionalDependencies, hasInstallScript: true },
    ...Object.fromEntries(variants.map((variant) => [variant, lock.packages[variant]])),
  };
  const write = (file, value) => writeFileSync(join(folder, file), `${JSON.stringify(value, null, 2)}\n`);
  write("package.json", { ...about, scripts, optionalDependencies });
  write("package-lock.json", {
    name: product,
    version,
    lockfileVersion: lock.lockfileVersion,
    requires: true,
    packages,
  });
};

/** The name of the package that has the Node of a platform, such as linux-x64; throws for one that has none. */
const nodePackageOf = (platform) => {
  const names = Object.keys(readJson("package.json").optionalDependencies);
  const found = names.find((name) => name.endsWith(`-${platform}`));
  if (found) return found;
  const known = names.map((name) => name.replace(/^node-(?:bin-)?/, ""));
  throw new Error(`There is no Node for ${platform}; expected one of ${known.join(", ")}.`);
};

/** Brings the Node of any platform, which npm compares with the checksum of the lockfile. */
const bringNode = (folder, platform) => {
  const [os, cpu] = platform.split("-");
  const args = [
    "ci",
    "--os",
    os,
    "--cpu",
    cpu,
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
  ];
  run("npm", args, { cwd: folder });
  const node = join(folder, "node");
  renameSync(join(folder, "node_modules", nodePackageOf(platform), "bin/node"), node);
  rmSync(join(folder, "node_modules"), { recursive: true });
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  renameSync(node, join(folder, "node_modules/.bin/node"));
};

/** Fills a folder with what is unpacked, with the Node of a platform or, for null, none; returns its bill of materials. */
export const stage = (folder, platform, seconds) => {
  for (const path of contents) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  for (const file of ["bauta", "bauta.js"]) cpSync(join(import.meta.dirname, file), join(folder, file));
  writePackage(folder);
  const bill = billOfMaterials({ node: platform && nodePackageOf(platform), seconds });
  writeFileSync(join(folder, "sbom.cdx.json"), bill);
  if (platform !== null) bringNode(folder, platform);
  return bill;
};
