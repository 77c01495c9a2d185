// Puts a build in place: new files first, then the page that names them, then away with what no page names any more.

import { existsSync } from "node:fs";
import { cp, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const squeezed = new Set([".js", ".css", ".html", ".svg", ".json", ".txt"]);
const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);
/** 11, the highest, is 7 % smaller and takes 7 times as long, which somebody waits for at the first start. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const put = async (file, bytes) => {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, bytes);
  await rename(`${file}.new`, file);
};

/** Compresses files (name → bytes) as they are sent: name → gzip. */
export const compressAll = async (files) =>
  new Map(
    await Promise.all(
      [...files]
        .filter(([name]) => squeezed.has(extname(name)))
        .map(async ([name, bytes]) => [name, await gzipped(bytes, { level: 9 })]),
    ),
  );

const variants = async (name, bytes, compress, known) => {
  if (!compress || !squeezed.has(extname(name))) return [[name, bytes]];
  const [gz, br] = await Promise.all([
    known.get(name) ?? gzipped(bytes, { level: 9 }),
    brotlied(bytes, brotli),
  ]);
  return [
    [name, bytes],
    [`${name}.gz`, gz],
    [`${name}.br`, br],
  ];
};

/**
 * Writes `files` (name → bytes, the page last) into `folder`, each with its .gz and .br beside it if `compress` (`known`
 * are those that are compressed already), and removes everything else from the folder except copies of `publicFolder`.
 */
export const writeBuild = async (folder, files, { compress, publicFolder, known = new Map() }) => {
  const written = new Set();
  const putAll = async ([name, bytes]) => {
    for (const [variant, content] of await variants(name, Buffer.from(bytes), compress, known)) {
      await put(join(folder, variant), content);
      written.add(join(folder, variant));
    }
  };
  await Promise.all(files.slice(0, -1).map(putAll));
  await Promise.all(files.slice(-1).map(putAll));
  if (publicFolder !== undefined && existsSync(publicFolder)) {
    await cp(publicFolder, folder, { recursive: true });
    for (const file of await readdir(publicFolder, { recursive: true })) written.add(join(folder, file));
  }
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !written.has(file)) await rm(file, { force: true });
  }
};
