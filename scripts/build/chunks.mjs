// Which chunks the page is made of: one for sign-in, one for the signed-in page with the list, one for what follows it, and
// those that the bundler makes of the rest.
import { existsSync, globSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, extname, join, relative, resolve } from "node:path";

/**
 * What is loaded together, by the name of its chunk: only where the page has fewer requests until the list is painted, or
 * soon afterwards. What a group exports must have different names.
 */
const groups = {
  firstScreen: ["web/app/SignedInPage.tsx", "core/app/signedIn.ts", "web/features/masks/MasksTab.tsx"],
  rows: ["web/features/masks/list/MaskTable.tsx"],
  afterList: [
    "core/app/rulesAndSync.ts",
    "web/features/masks/MaskAddress.ts",
    "web/app/commands/Keys.tsx",
    "web/app/LaterParts.tsx",
    "web/ui/overlay/MenuPopup.tsx",
    "web/ui/Tooltip.tsx",
    "web/features/masks/MaskDialogs.tsx",
    "web/features/notifications/NotificationPanel.tsx",
    "web/features/account/LogoutDialog.tsx",
    "web/app/connection/DiagnosisPanel.tsx",
  ],
  signInSteps: [
    "web/features/session/signIn/CodeSteps.tsx",
    "web/features/session/signIn/PlanStep.tsx",
    "web/features/session/signIn/OtherSignInMethods.tsx",
    "web/features/session/signIn/Arrival.tsx",
  ],
  settings: ["web/app/settings/SettingsTab.tsx"],
};

/** Files whose late parts all belong to a group. */
const tables = { settings: "web/app/settings/settingsSections.ts" };

/** The groups that are loaded before a part, besides the entry. */
const groupsBefore = (name) => {
  if (name === "firstScreen" || name.startsWith("adapters/") || name.startsWith("web/app/offline/"))
    return [];
  if (name === "afterList") return ["firstScreen", "rows"];
  return ["rows", "signInSteps"].includes(name) ? ["firstScreen"] : ["firstScreen", "afterList"];
};

const sources = "{core,adapters,web}/**/*.{ts,tsx}";
const dynamicImport = /import\("(\.{1,2}\/[^"]+)"\)/g;
const namespace = "chunk";

const slashed = (path) => path.replaceAll("\\", "/");

/** The files that a file imports dynamically, as paths from the root. */
const lateFilesOf = (root, name) =>
  [...readFileSync(join(root, name), "utf8").matchAll(dynamicImport)].map(([, path]) =>
    slashed(relative(root, resolve(root, dirname(name), path))),
  );

/** The files that some file imports dynamically. */
const findLateFiles = (root) =>
  new Set(
    globSync(sources, { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] }).flatMap((name) =>
      lateFilesOf(root, name),
    ),
  );

/** The groups of a source tree: only files that exist, and no group without any. */
const groupsOf = (root) => {
  const isThere = (file) => existsSync(join(root, file));
  const inTable = (table) => (table !== undefined && isThere(table) ? lateFilesOf(root, table) : []);
  return Object.entries(groups)
    .map(([name, files]) => [name, [...new Set([...files, ...inTable(tables[name])])].filter(isThere)])
    .filter(([, files]) => files.length > 0);
};

/**
 * Loads the page in few pieces. The bundler makes a chunk for each set of entries that share a module: with forty late
 * parts, dozens of small ones. Late parts of one group are therefore one entry, and each part imports what is loaded
 * before it anyway, the `entry` first, which tells the bundler that it need not be split for it. The late parts are
 * found before the build, since the order in which the bundler meets them changes from build to build.
 */
export const pageChunks = (entry) => ({
  name: "page chunks",
  setup: ({ onStart, onResolve, onLoad, initialOptions }) => {
    const root = initialOptions.absWorkingDir;
    let late = new Set();
    let present = [];
    onStart(() => {
      late = findLateFiles(root);
      present = groupsOf(root);
    });
    const groupOf = (file) => present.find(([, files]) => files.includes(file))?.[0];
    /** Imports of what is loaded before a part, by the name of its group or file. */
    const importsBefore = (name) => {
      const chunks = groupsBefore(name).filter((one) => present.some(([group]) => group === one));
      return [resolve(root, entry), ...chunks.map((one) => `${namespace}:${one}`)]
        .map((path) => `import ${JSON.stringify(path)};\n`)
        .join("");
    };

    onResolve({ filter: /^chunk:/ }, ({ path }) => ({ path: path.slice(namespace.length + 1), namespace }));
    onLoad({ filter: /.*/, namespace }, ({ path: name }) => {
      const files = present.find(([group]) => group === name)?.[1] ?? [];
      const members = files.map((file) => `export * from ${JSON.stringify(`./${file}`)};\n`).join("");
      return { contents: members + importsBefore(name), loader: "js", resolveDir: root };
    });
    onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      if (path.includes("node_modules")) return undefined;
      const source = await readFile(path, "utf8");
      const file = slashed(relative(root, path));
      const isAlone = late.has(file) && groupOf(file) === undefined;
      if (!isAlone && !source.includes('import("')) return undefined;
      const grouped = source.replace(dynamicImport, (whole, imported) => {
        const group = groupOf(slashed(relative(root, resolve(dirname(path), imported))));
        return group === undefined ? whole : `import("${namespace}:${group}")`;
      });
      const contents = isAlone ? `${grouped}\n${importsBefore(file)}` : grouped;
      return { contents, loader: extname(path).slice(1), resolveDir: dirname(path) };
    });
  },
});
