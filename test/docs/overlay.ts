import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { compiler } from "../support/compiler.ts";

const root = join(import.meta.dirname, "../..");

/** A replacement in a file of the tree, by its path from the root. */
export interface Edit {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

const apply = async (folder: string, { file, before, after }: Edit): Promise<void> => {
  const path = join(folder, file);
  const text = await readFile(path, "utf8");
  if (!text.includes(before)) throw new Error(`${file} does not contain ${before}`);
  await writeFile(
    path,
    text.replace(before, () => after),
  );
};

/** The service worker's types conflict with those of a page. */
const isSource = (path: string): boolean => !/\/(dist|node_modules|serviceWorker)$/.test(path);

/** One program of all folders, with the options of the tests, which know both Node and the page. */
const configuration = (folders: readonly string[]) => ({
  extends: "./test/tsconfig.json",
  include: folders,
  references: [],
  compilerOptions: { composite: false, emitDeclarationOnly: false, noEmit: true, rootDir: "." },
});

const compile = (folder: string): Promise<string> =>
  new Promise((resolve) => {
    const given = [compiler, "-p", "tsconfig.recipe.json", "--pretty", "false"];
    execFile(process.execPath, given, { cwd: folder, maxBuffer: 1e8 }, (_, output) => resolve(output));
  });

/** A copy of folders of the tree, to try changes in. */
export interface TreeCopy {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** Copies folders of the tree, edits files of the copy and adds `files` (path → text) to it. */
export const copyTree = async (
  folders: readonly string[],
  edits: readonly Edit[],
  files: Readonly<Record<string, string>> = {},
): Promise<TreeCopy> => {
  const path = await mkdtemp(join(tmpdir(), "bauta-recipe-"));
  for (const name of [...folders, "package.json", "tsconfig.json", "test/tsconfig.json"])
    await cp(join(root, name), join(path, name), { recursive: true, filter: isSource });
  await symlink(join(root, "node_modules"), join(path, "node_modules"));
  for (const edit of edits) await apply(path, edit);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  }
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
};

/**
 * Type-checks a copy of folders of the tree with these edits and added files. Returns the compile errors, each as
 * "file: message", with what explains it in the same line.
 */
export const compileErrors = async (
  folders: readonly string[],
  edits: readonly Edit[],
  files?: Readonly<Record<string, string>>,
): Promise<readonly string[]> => {
  const { path, remove } = await copyTree(folders, edits, files);
  try {
    await writeFile(join(path, "tsconfig.recipe.json"), JSON.stringify(configuration(folders)));
    const output = await compile(path);
    return output
      .replace(/\n +/g, " ")
      .split("\n")
      .filter(Boolean)
      .map((line) => line.replace(/\(\d+,\d+\): error TS\d+/, ""));
  } finally {
    await remove();
  }
};
