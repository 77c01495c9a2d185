// `npm run release`: writes dist/release with the product as one file, which needs neither npm nor a build.
//   bauta-<version>.tar.gz              for any machine with Node, or `npm ci` in the unpacked folder, which brings Node
//   bauta-<version>-linux-x64.tar.gz    with Node, as `npm run release -- --with-node` on such a machine makes it
//   bauta-<version>.cdx.json            the bill of materials (CycloneDX) of what is in it
//   bauta-<version>.openapi.json        the description of its API
//   SHA256SUMS                          the checksums of all of them
// The same commit and npm give the same bytes. Needs GNU tar.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { buildChanges } from "../build/inputs.mjs";
import { nodeFolder } from "../build/notices.mjs";
import { billOfMaterials } from "./billOfMaterials.mjs";

const root = join(import.meta.dirname, "../..");

/** What a release contains beside its own package.json, as paths from the root. */
const contents = [
  "dist/server",
  "dist/web",
  "deploy",
  "scripts/linkNode.mjs",
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  ...globSync("docs/**/*.md", { cwd: root }),
];

const readJson = (file) => JSON.parse(readFileSync(join(root, file), "utf8"));

const run = (command, args, options = {}) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    maxBuffer: 1024 ** 3,
    ...options,
  });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`);
  return stdout;
};

/** The time of the commit in seconds since 1970, or the one that the environment names; outside of Git that of the changelog. */
const sourceTime = () => {
  const { stdout } = spawnSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" });
  const committed = process.env["SOURCE_DATE_EPOCH"] ?? stdout;
  return Number(committed) || Math.floor(statSync(join(root, "CHANGELOG.md")).mtimeMs / 1_000);
};

/** The package of a release: `npm ci` in it brings Node, with the checksums of the lockfile, and nothing else. */
const writePackage = (folder) => {
  const source = readJson("package.json");
  const { name, version, description, license, engines, optionalDependencies } = source;
  // `npm exec bauta` runs it in this folder, where npm would otherwise look for a package of that name.
  const bin = { bauta: "bauta" };
  const about = { name, version, description, license, private: true, type: "module", engines, bin };
  // There is nothing to build: what starts the source first builds it.
  const start = source.scripts.start.replace("scripts/start.mjs", "dist/server/main.js");
  const scripts = { postinstall: source.scripts.postinstall, start };
  const lock = readJson("package-lock.json");
  const variants = Object.keys(optionalDependencies).map((variant) => `node_modules/${variant}`);
  const packages = {
    "": { name, version, license, engines, optionalDependencies, hasInstallScript: true },
    ...Object.fromEntries(variants.map((variant) => [variant, lock.packages[variant]])),
  };
  const write = (file, value) => writeFileSync(join(folder, file), `${JSON.stringify(value, null, 2)}\n`);
  write("package.json", { ...about, scripts, optionalDependencies });
  write("package-lock.json", {
    name,
    version,
    lockfileVersion: lock.lockfileVersion,
    requires: true,
    packages,
  });
};

/** Fills a folder with what is unpacked; `node` is the folder of the Node to bring, null for none. */
const stage = (folder, node, bill) => {
  for (const path of contents) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  for (const file of ["bauta", "bauta.js"]) cpSync(join(import.meta.dirname, file), join(folder, file));
  writePackage(folder);
  writeFileSync(join(folder, "sbom.cdx.json"), bill);
  if (node === null) return;
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  cpSync(join(root, node, "bin/node"), join(folder, "node_modules/.bin/node"));
};

const pack = (parent, name, seconds) =>
  gzipSync(
    run("tar", [
      ...["--create", "--directory", parent, "--sort=name", "--format=ustar", `--mtime=@${seconds}`],
      ...["--owner=0", "--group=0", "--numeric-owner", "--mode=u+rw,go+r,go-w,a+X", name],
    ]),
    { level: 9 },
  );

const release = async (folder, withNode) => {
  const status = await buildChanges(root);
  if (status !== 0) return status;
  const { version } = readJson("package.json");
  const node = withNode ? nodeFolder(root) : null;
  const seconds = sourceTime();
  const bill = billOfMaterials(root, { node, seconds });
  const name = `bauta-${version}`;
  const platform = node === null ? "" : `-${process.platform}-${process.arch}`;
  const parent = mkdtempSync(join(tmpdir(), "bauta-release-"));
  try {
    stage(join(parent, name), node, bill);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}${platform}.tar.gz`), pack(parent, name, seconds));
  } finally {
    rmSync(parent, { recursive: true });
  }
  writeFileSync(join(folder, `${name}${platform}.cdx.json`), bill);
  cpSync(join(root, "dist/web/openapi.json"), join(folder, `${name}.openapi.json`));
  const files = globSync("bauta-*", { cwd: folder }).toSorted();
  const sums = files.map((file) => {
    const hash = createHash("sha256").update(readFileSync(join(folder, file)));
    return `${hash.digest("hex")}  ${file}\n`;
  });
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
  console.log(`Wrote ${join(folder, `${name}${platform}.tar.gz`)}`);
  return 0;
};

const { values } = parseArgs({
  options: { "with-node": { type: "boolean", default: false }, out: { type: "string" } },
});
process.exitCode = await release(resolve(values.out ?? join(root, "dist/release")), values["with-node"]);
