// What is declared of the API: its calls and types with their docstrings, for the documents that are made of it.
import { globSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { pathToFileURL } from "node:url";
import * as t from "io-ts";
import { DerivedType } from "../../core/api/derivedType.ts";

const root = join(import.meta.dirname, "../..");

const ownCalls = "core/**/*.ts";
/** The contracts of other services, which are described elsewhere. */
const callsOfOthers = "server/features/*/contract/*.ts";

const loadExports = async () => {
  const found = [];
  for (const file of globSync([ownCalls, callsOfOthers], {
    cwd: root,
    exclude: ["**/node_modules/**", "**/dist/**"],
  }).sort()) {
    const source = readFileSync(join(root, file), "utf8");
    if (file.endsWith(".d.ts") || !/from "io-ts"|\bendpoint\(/.test(source)) continue;
    const module = await import(pathToFileURL(join(root, file)).href);
    for (const [name, value] of Object.entries(module)) found.push({ file, source, name, value });
  }
  return found;
};

const isEndpoint = ({ value }) => typeof value?.path === "string" && typeof value.method === "string";
const isNamedType = ({ value }) =>
  value instanceof t.Type && /[{|]/.test(value.name) && value.name.length > 30;

/** Returns all calls that the server answers, those of other services' contracts too: `{ file, source, name, value }` each. */
export const readAllEndpoints = async () => (await loadExports()).filter(isEndpoint);

/** Returns the calls and the named types of core: `{ file, source, name, value }` each. */
export const readDeclarations = async () => {
  const exports = (await loadExports()).filter(({ file }) => matchesGlob(file, ownCalls));
  return {
    endpoints: exports.filter(isEndpoint),
    types: exports.filter(isNamedType).sort((one, other) => one.name.localeCompare(other.name)),
  };
};

/** The noun that a declaration belongs to, as its folder names it. */
export const nounOf = ({ file }) => file.split("/")[1];

/** The words of a name in camel case: "apiTokens" is "Api tokens". */
export const wordsOf = (name) =>
  name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toUpperCase())
    .replace(/^Api\b/, "API");

const textOf = (comment) =>
  comment
    .replace(/^\s*\* ?/gm, " ")
    .replace(/\s+/g, " ")
    .trim();

/** Returns the docstring that stands right before an exported constant; empty without one. */
const docOf = ({ source, name }) => {
  const before = source.slice(0, source.search(new RegExp(`export const ${name}\\b`)));
  return textOf(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(before)?.[1] ?? "");
};

/** The sentences of a call: its docstring, or its name. */
export const sentencesOf = (declaration) => docOf(declaration) || `${wordsOf(declaration.name)}.`;

/** That a call is deprecated, and what to do instead; empty for the others. */
export const deprecationSentence = ({ deprecation }) => {
  if (deprecation === undefined) return "";
  const { since, until, instead } = deprecation;
  return `Deprecated since ${since}${until === undefined ? "" : `, may be gone from ${until}`}. ${instead}`;
};

/** The text from the declaration of a constant to the next one at the margin. */
const statementOf = (source, name) => {
  const start = source.search(new RegExp(`^(?:export )?const ${name}\\b`, "m"));
  if (start < 0) return "";
  const rest = source.slice(start + 1);
  const end = rest.search(/^(?:export |const |\/\*\*|\/\/|interface |type )/m);
  return end < 0 ? rest : rest.slice(0, end);
};

/**
 * Returns the docstrings of the fields of a declared type by name, with those of the constants of its file that it is
 * made of. A name that stands for several fields has none.
 */
export const fieldDocsOf = ({ source, name }) => {
  const visited = new Set();
  const visit = (one) => {
    if (visited.has(one)) return "";
    visited.add(one);
    const text = statementOf(source, one);
    const used = new Set(text.match(/\b[A-Za-z]\w+\b/g) ?? []);
    return [text, ...[...used].map((other) => (statementOf(source, other) === "" ? "" : visit(other)))].join(
      "\n",
    );
  };
  const text = visit(name);
  const docs = [...text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(\w+):/g)];
  const isSingle = (field) => [...text.matchAll(new RegExp(`(?<![\\w.])${field}:`, "g"))].length === 1;
  return new Map(docs.filter(([, , field]) => isSingle(field)).map(([, doc, field]) => [field, textOf(doc)]));
};

/** Returns the fields of an object's codec as `[name, codec, isOptional]`; null for another codec. */
export const fieldsOf = (codec) => {
  if (codec instanceof t.InterfaceType)
    return Object.entries(codec.props).map(([name, one]) => [name, one, false]);
  if (codec instanceof t.PartialType)
    return Object.entries(codec.props).map(([name, one]) => [name, one, true]);
  if (codec instanceof DerivedType) return fieldsOf(codec.declared);
  if (codec instanceof t.ExactType || codec instanceof t.ReadonlyType) return fieldsOf(codec.type);
  if (!(codec instanceof t.IntersectionType)) return null;
  const parts = codec.types.map(fieldsOf);
  return parts.includes(null) ? null : parts.flat();
};

/** Whether a codec stands for nothing: no body, no answer, no parameters. */
export const isAbsent = (codec) => codec.name === "nothing";
