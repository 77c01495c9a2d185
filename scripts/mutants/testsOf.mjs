// Which tests concern a file of the sources.
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const importPattern = /from "(\.[^"]+)"|import\("(\.[^"]+)"\)/g;

const nameOf = (file) => basename(file).replace(/\..*$/, "").toLowerCase();
/** Shorter names of tests, such as `mask`, are in the names of too many files. */
const leastName = 6;

/** The files that import a file, by its path. */
const importersIn = (root, files) => {
  const importers = new Map();
  for (const file of globSync(files, { cwd: root }))
    for (const [, fixed, lazy] of readFileSync(join(root, file), "utf8").matchAll(importPattern)) {
      const imported = join(dirname(file), fixed ?? lazy);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  return importers;
};

/**
 * Creates the function from a file to its tests: those that import it and those whose name is in its name, else those that
 * import what uses it; then those in the folder of the same name, or the nearest above that has any.
 */
export const createTestsOf = (root, kind) => {
  const every = globSync("test/**/*.test.{ts,tsx}", {
    cwd: root,
    exclude: ["test/{e2e,browsers,pictures,embedding,docs,deploy}/**", "**/*.browser.test.ts"],
  });
  const textOf = new Map(every.map((file) => [file, readFileSync(join(root, file), "utf8")]));
  const importers = importersIn(root, kind.files);
  const importing = (file) => every.filter((test) => textOf.get(test).includes(`/${file}"`));
  const namesakes = (file) =>
    every.filter((test) => nameOf(test).length >= leastName && nameOf(file).includes(nameOf(test)));

  const inFolderOf = (file) => {
    for (let folder = join("test", dirname(file)); folder !== "test"; folder = dirname(folder)) {
      const isTop = basename(folder) === "features";
      const found = every.filter((test) =>
        isTop ? dirname(test) === folder : test.startsWith(`${folder}/`),
      );
      if (found.length > 0) return found;
    }
    return [];
  };

  return (file) => {
    const direct = [...importing(file), ...namesakes(file)];
    const near = direct.length > 0 ? direct : (importers.get(file) ?? []).flatMap(importing);
    return [...new Set([...near, ...inFolderOf(file), ...kind.tests])];
  };
};
