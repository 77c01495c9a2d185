// Puts a build in place: new files first, then the page that names them, then away with what no page names any more.

import { existsSync } from "node:fs";
import { cp, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const squeezed = new Set([".js", ".css", ".html", ".svg", ".json", ".txt"]);
const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

const put = async (file, bytes) => {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, bytes);
  await rename(`${file}.new`, file);
};

const variants = async (name, bytes, compress) =>
  compress && squeezed.has(extname(name))
    ? [
        [name, bytes],
        [`${name}.gz`, await gzipped(bytes, { level: 9 })],
        [`${name}.br`, await brotlied(bytes, brotli)],
      ]
    : [[name, bytes]];

/**
 * Writes `files` (name → bytes, the page last) into `folder`, each with its .gz and .br beside it if `compress`, and
 * removes everything else from the folder except copies of `publicFolder`.
 */
export const writeBuild = async (folder, files, { compress, publicFolder }) => {
  const written = new Set();
  for (const [name, bytes] of files)
    for (const [variant, content] of await variants(name, Buffer.from(bytes), compress)) {
      await put(join(folder, variant), content);
      written.add(join(folder, variant));
    }
  if (existsSync(publicFolder)) {
    await cp(publicFolder, folder, { recursive: true });
    for (const file of await readdir(publicFolder, { recursive: true })) written.add(join(folder, file));
  }
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !written.has(file)) await rm(file, { force: true });
  }
};
