// What of a build the service worker keeps, and how it knows one build from another.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";

/** What only the installation of the app shows. */
const isForInstalling = (name) => name.startsWith("screenshot-");

/** Files that stand at the root under the same name in all versions. */
const publicFiles = async (folder) => {
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => !isForInstalling(name)).toSorted();
  return Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))]));
};

const isNeeded = (name) => /\.(?:js|css|woff2)$/.test(name);

/**
 * The shell of a build: `files`, the paths of all it loads but the page, below the address of the app, `main`, which its page names, and `version`,
 * a hash over the page and everything in it. `assets` are names without their folder.
 */
export const shellOf = async ({ html, main, assets, publicFolder }) => {
  const others = await publicFiles(publicFolder);
  const names = assets.filter(isNeeded).toSorted();
  const hash = createHash("sha256").update(html).update(names.join("\n"));
  for (const [name, bytes] of others) hash.update(name).update(bytes);
  return {
    version: hash.digest("base64url").slice(0, 12),
    main: basename(main),
    files: [...names.map((name) => `assets/${name}`), ...others.map(([name]) => name)],
  };
};
