// What a build contains of others: each package whose code is in it, with its license and the text of that.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const licenseFile = /^(?:licen[cs]e|copying|unlicense)(?!.*\.(?:json|js|html)$)(?:[.-].*)?$/i;
const noticeFile = /^(?:notice|copyrightnotice)(?:\.(?:md|txt))?$/i;

/** The texts of packages that are published without one, by name, and GPL-3.0, which the LGPL refers to. */
const texts = join(import.meta.dirname, "licenses");

const copyleft = /\b(?:A|L)?GPL|\bMPL|\bEPL|\bCDDL/;

/** Returns the folder of the package that an input of esbuild belongs to; null for our own files. */
const packageFolderOf = (input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0] ?? null;

/** Returns the folders of the packages whose code is in the outputs of a build. */
const packagesIn = ({ outputs }) =>
  Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .flatMap(([input]) => packageFolderOf(input.replaceAll("\\", "/")) ?? []),
  );

/** Returns the folder of the Node that is shipped; null where npm has installed none. */
export const nodeFolder = (root) => {
  const { optionalDependencies = {} } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const installed = Object.keys(optionalDependencies).map((name) => join("node_modules", name));
  return installed.find((folder) => existsSync(join(root, folder, "package.json"))) ?? null;
};

const textsIn = (folder) =>
  readdirSync(folder)
    .filter((name) => licenseFile.test(name) || noticeFile.test(name))
    .toSorted((one, other) => Number(noticeFile.test(one)) - Number(noticeFile.test(other)))
    .map((name) => [name, readFileSync(join(folder, name), "utf8").trim()]);

/** Returns the license texts of a package; throws without one. */
const licenseTexts = (folder, { name, license }) => {
  const published = textsIn(folder);
  const ours = join(texts, `${name}.txt`);
  if (published.some(([file]) => licenseFile.test(file))) return published.map(([, text]) => text);
  if (existsSync(ours)) return [readFileSync(ours, "utf8").trim()];
  throw new Error(
    `${name} is in the bundle but has no license text (it says ${license ?? "nothing"}). ` +
      `Put the text that its source has into scripts/build/licenses/${name}.txt.`,
  );
};

const addressOf = ({ repository, homepage, name }) => {
  const given = (typeof repository === "string" ? repository : repository?.url) ?? homepage;
  if (given === undefined)
    throw new Error(`${name} is in the bundle and names neither a repository nor a home page.`);
  const short = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(given)?.[1];
  return short === undefined
    ? given
        .replace(/^git\+/, "")
        .replace(/^(?:git|ssh):\/\/(?:git@)?|^git@(?=[\w.]+:)/, "https://")
        .replace(/^(https:\/\/[\w.]+):/, "$1/")
        .replace(/\.git$/, "")
    : `https://github.com/${short}`;
};

const sourceOffer = ({ version }, address) =>
  [
    `This package is unchanged. Its source is at ${address}, version ${version}.`,
    "You may change it and use the changed one in its place: the source of Bauta, which whoever gives you this",
    "build offers too, is built with it by `npm ci && npm run build`.",
  ].join("\n");

const line = "=".repeat(100);

/** What is in the page's own folders and made by others: the same facts that a package says of itself. */
const copied = {
  "web/styles/inter": {
    name: "Inter",
    version: "4.001",
    license: "OFL-1.1",
    repository: "https://github.com/rsms/inter",
  },
};

/** The same without their folders. */
export const copiedParts = Object.values(copied);

/** Returns the folders of `copied` whose files are in the outputs of a build. */
const copiedIn = ({ outputs }) =>
  Object.keys(copied).filter((folder) =>
    Object.values(outputs).some(({ inputs }) =>
      Object.keys(inputs).some((input) => input.replaceAll("\\", "/").startsWith(`${folder}/`)),
    ),
  );

const entryOf = (root, folder) => {
  const about = copied[folder] ?? JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const { name, version, license = "see the text" } = about;
  const address = addressOf(about);
  const isCopyleft = copyleft.test(license);
  const parts = [
    `${name} ${version}\nLicense: ${license}\nSource: ${address}`,
    ...(isCopyleft ? [sourceOffer(about, address)] : []),
    ...licenseTexts(join(root, folder), about),
  ];
  return { name, version, isCopyleft, text: [line, ...parts].join("\n\n") };
};

/**
 * Returns the notices for what was built (metafiles of esbuild) and for packages that are shipped as they are
 * (`folders`); throws when one of them has no license text.
 */
export const noticesOf = (root, metafiles, folders = []) => {
  const contained = metafiles.flatMap((metafile) => [...packagesIn(metafile), ...copiedIn(metafile)]);
  const found = [...new Set([...folders, ...contained])].map((folder) => entryOf(root, folder));
  const entries = [...new Map(found.map((one) => [`${one.name} ${one.version}`, one])).values()].toSorted(
    (one, other) => (`${one.name} ${one.version}` < `${other.name} ${other.version}` ? -1 : 1),
  );
  const gpl = readFileSync(join(texts, "GPL-3.0.txt"), "utf8").trim();
  return `${[
    "Bauta contains the packages below, under their own licenses.",
    ...entries.map(({ text }) => text),
    ...(entries.some(({ isCopyleft }) => isCopyleft)
      ? [`${line}\n\nThe license that the GNU Lesser General Public License refers to\n\n${gpl}`]
      : []),
  ].join("\n\n")}\n`;
};

/** The name of the file in `dist/web` and `dist/server`. */
export const noticesFile = "THIRD-PARTY-NOTICES.txt";
