// `npm run release` writes dist/release with the product as one file, which needs neither npm nor a build:
//   bauta-<version>.tar.gz               for any machine with Node, or `npm ci` in the unpacked folder, which brings Node
//   bauta-<version>-linux-x64.tar.gz     with Node: `npm run release -- --platform linux-x64`
//   bauta_<version>_amd64.deb            for Debian: `npm run release -- deb`; `deb --try` also tries it (tryDeb.mjs)
//   bauta-<version>-linux-x64.image.tar.gz  for containers: `npm run release -- image`; `image --try` also starts it
//   bauta-<version>….cdx.json            the bill of materials (CycloneDX) of what is in an archive
//   bauta-<version>.openapi.json         the description of its API
//   SHA256SUMS                           the checksums of all of them
// `npm run release -- all` writes these for all platforms that the server is for, and the archives of the extension.
// `--platform` takes linux-x64, linux-arm64 …, on any machine. The same commit and npm give the same bytes. Needs GNU tar.
import { createHash } from "node:crypto";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { buildAll, root, run } from "./build.mjs";
import { writeDeb } from "./deb.mjs";
import { tryImage, writeImage } from "./image.mjs";
import { product, sourceTime, stage, version } from "./stage.mjs";
import { tryDeb } from "./tryDeb.mjs";

const name = `${product}-${version}`;
const ownPlatform = `${process.platform}-${process.arch}`;
const serverPlatforms = ["linux-x64", "linux-arm64"];

const pack = (parent, seconds) =>
  gzipSync(
    run("tar", [
      ...["--create", "--directory", parent, "--sort=name", "--format=ustar", `--mtime=@${seconds}`],
      ...["--owner=0", "--group=0", "--numeric-owner", "--mode=u+rw,go+r,go-w,a+X", name],
    ]),
    { level: 9 },
  );

/** Writes one form of a release into a folder, from what is unpacked with the Node of a platform or, for null, none. */
const write = (form, out, platform) => {
  const parent = mkdtempSync(join(tmpdir(), "bauta-release-"));
  const seconds = sourceTime();
  try {
    const tree = join(parent, name);
    const bill = stage(tree, platform, seconds);
    const file = join(out, form({ parent, tree, out, platform, seconds, bill }));
    console.log(`Wrote ${file}`);
    return file;
  } finally {
    rmSync(parent, { recursive: true });
  }
};

const archive = ({ parent, out, platform, seconds, bill }) => {
  const file = platform === null ? name : `${name}-${platform}`;
  writeFileSync(join(out, `${file}.tar.gz`), pack(parent, seconds));
  writeFileSync(join(out, `${file}.cdx.json`), bill);
  cpSync(join(root, "dist/web/openapi.json"), join(out, `${name}.openapi.json`));
  return `${file}.tar.gz`;
};

const writeSums = (out) => {
  const sums = globSync(`${product}[-_]*`, { cwd: out })
    .toSorted()
    .map((file) => {
      const hash = createHash("sha256").update(readFileSync(join(out, file)));
      return `${hash.digest("hex")}  ${file}\n`;
    });
  writeFileSync(join(out, "SHA256SUMS"), sums.join(""));
};

const all = (out) => {
  for (const platform of [null, ...serverPlatforms]) write(archive, out, platform);
  for (const platform of serverPlatforms) write(writeDeb, out, platform);
  for (const platform of serverPlatforms) write(writeImage, out, platform);
  run(process.execPath, ["scripts/build/extension.mjs"]);
  for (const file of globSync("dist/extension/*.zip", { cwd: root }))
    cpSync(join(root, file), join(out, basename(file)));
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    platform: { type: "string" },
    out: { type: "string" },
    try: { type: "boolean", default: false },
  },
});
const [form = "archive"] = positionals;
const out = resolve(values.out ?? join(root, "dist/release"));
await buildAll();
mkdirSync(out, { recursive: true });
const platform = values.platform ?? ownPlatform;
if (form === "archive") write(archive, out, values.platform ?? null);
else if (form === "deb") {
  const file = write(writeDeb, out, platform);
  if (values.try) await tryDeb(file);
} else if (form === "image") {
  write(writeImage, out, platform);
  if (values.try) await tryImage(platform);
} else if (form === "all") all(out);
else throw new Error(`There is no release named ${form}; expected deb, image or all.`);
writeSums(out);
