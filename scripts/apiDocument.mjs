// `npm run api`: writes docs/api.md from the endpoints that core declares, with their docstrings and codecs.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as t from "io-ts";
import { TolerantType } from "../core/api/wireCodecs.ts";

const root = join(import.meta.dirname, "..");

const introduction = `# The API

The app and the server speak JSON over HTTP; core declares each call once, and both decode with it. This page is made
of these declarations by \`npm run api\`. What extends the contract of the specification says so; a client
that does not know it works as before.

- **Session**: a call carries the token of the sign-in as \`Authorization: Bearer <token>\` and the httpOnly cookie of the
  session; neither is enough alone. \`POST /refresh-token\` returns the next token.
- **API token**: a call that names a scope takes an API token in place of the session: \`Authorization: Bearer bauta_…\`, without
  cookie and CSRF token, from pages of any origin ([tokens](tokens.md)).
- **Writes** also carry \`x-csrf-token\` with the value of the cookie that \`GET /csrf-token\` sets. Requests from pages of
  other origins are refused unless the operator allows the origin.
- **Repetition**: a write with an \`X-Request-ID\` is carried out once; a repetition within a day gets the same answer, and another
  request with the same id gets 422.
- **Errors**: a status of 400 or above with \`{ message, errors?: Array<{ field, message }> }\`. 400 names each field that
  cannot be read, 401 asks to sign in, 403 lacks the right or the plan, 404 also stands for what belongs to
  another user, 409 conflicts with the present state, 429 comes with \`Retry-After\`.
- **Unchanged answers**: a \`GET\` with \`If-None-Match\` gets 304 where the answer carries an \`ETag\`.
- **Changes elsewhere** arrive over a WebSocket at \`/ws?token=<token>\`, which a page of this server opens with the cookie of its session;
  without both it is refused with 401. The client sends \`ClientMessage\` (a newer token as \`auth\`), and the server sends \`ServerMessage\`.
  A socket gets the changes of what it has subscribed to: a resource, one thing of it, or its notifications. \`request_update\` is
  answered with what the named thing is now.

Types are written as in TypeScript. Unknown fields are ignored.
`;

const loadExports = async () => {
  const found = [];
  for (const file of globSync("core/**/*.ts", {
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

/** What is said of calls that need no scope of an API token. */
const tokenNote = { none: "", any: "Any API token may call it." };

/** Returns the docstring that stands right before an exported constant; empty without one. */
const docOf = ({ source, name }) => {
  const before = source.slice(0, source.search(new RegExp(`export const ${name}\\b`)));
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(before)?.[1] ?? "";
  return comment
    .replace(/^\s*\* ?/gm, " ")
    .replace(/\s+/g, " ")
    .trim();
};

const indent = (text) => text.replace(/\n/g, "\n  ");

/** Returns the fields of an object's codec as `[name, codec, isOptional]`; null for another codec. */
const fieldsOf = (codec) => {
  if (codec instanceof t.InterfaceType)
    return Object.entries(codec.props).map(([name, one]) => [name, one, false]);
  if (codec instanceof t.PartialType)
    return Object.entries(codec.props).map(([name, one]) => [name, one, true]);
  if (codec instanceof TolerantType) return fieldsOf(codec.declared);
  if (codec instanceof t.ExactType || codec instanceof t.ReadonlyType) return fieldsOf(codec.type);
  if (!(codec instanceof t.IntersectionType)) return null;
  const parts = codec.types.map(fieldsOf);
  return parts.includes(null) ? null : parts.flat();
};

const writeObject = (fields, write) => {
  const lines = fields.map(([field, one, isOptional]) => `${field}${isOptional ? "?" : ""}: ${write(one)}`);
  const line = `{ ${lines.join("; ")} }`;
  const fits = line.length <= 80 && !line.includes("\n");
  return fits ? line : `{${lines.map((one) => `\n  ${indent(one)}`).join("")}\n}`;
};

const writeUnion = (texts, isWhole) => {
  const line = texts.join(" | ");
  return isWhole && line.length > 80 ? texts.map((text) => `| ${indent(text)}`).join("\n") : line;
};

/** Writes the codecs that are not of io-ts by their names. */
const writeName = (name, named) => {
  const entry = /^readable list of (.*)$/s.exec(name)?.[1];
  return entry === undefined
    ? name.replaceAll("{|", "{").replaceAll("|}", "}")
    : `Array<${named.get(entry) ?? entry}>`;
};

/** Returns a function that writes a codec's type; a type of `named` appears by its name, except as the whole. */
const typeWriter = (named) => {
  const write = (codec, isWhole = false) => {
    const name = isWhole ? undefined : named.get(codec.name);
    if (name !== undefined) return name;
    const fields = fieldsOf(codec);
    if (fields !== null) return writeObject(fields, write);
    switch (codec.constructor) {
      case t.IntersectionType:
        return codec.types.map((one) => write(one)).join(" & ");
      case t.UnionType:
        return writeUnion(
          codec.types.map((one) => write(one)),
          isWhole,
        );
      case t.KeyofType:
        return writeUnion(
          Object.keys(codec.keys).map((key) => `"${key}"`),
          false,
        );
      case t.ArrayType:
      case t.ReadonlyArrayType:
        return `Array<${write(codec.type)}>`;
      case t.DictionaryType:
        return `{ [key: string]: ${write(codec.codomain)} }`;
      default:
        return writeName(codec.name, named);
    }
  };
  return write;
};

const section = ({ name, value }, doc, write) => {
  const parts = [
    ["Parameters", value.params, "no parameters"],
    ["Body", value.body, "nothing"],
    ["Answer", value.answer, "nothing"],
  ]
    .filter(([, codec, none]) => codec.name !== none)
    .map(([title, codec]) => {
      const text = write(codec);
      return text.includes("\n") ? `${title}:\n\n\`\`\`ts\n${text}\n\`\`\`` : `${title}: \`${text}\``;
    });
  const title = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const session =
    value.authentication === "session"
      ? (tokenNote[value.tokens] ?? `API tokens need \`${value.tokens}\`.`)
      : "Needs no session.";
  return [
    `### ${value.method} ${value.path}`,
    [doc || `${title[0].toUpperCase()}${title.slice(1)}.`, session].filter(Boolean).join(" "),
    ...parts,
  ].join("\n\n");
};

/** Returns docs/api.md as it belongs to the sources. */
export const apiDocument = async () => {
  const exports = await loadExports();
  const endpoints = exports.filter(isEndpoint);
  const types = exports.filter(isNamedType).sort((one, other) => one.name.localeCompare(other.name));
  const named = new Map(types.map(({ name, value }) => [value.name, name]));
  const write = typeWriter(named);
  const features = Map.groupBy(endpoints, ({ file }) => file.split("/")[1]);
  const calls = [...features].flatMap(([feature, of]) => [
    `## ${feature.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^./, (letter) => letter.toUpperCase())}`,
    ...of
      .toSorted((one, other) => one.value.path.localeCompare(other.value.path))
      .map((one) => section(one, docOf(one), write)),
  ]);
  const text = calls.join("\n\n");
  /** The types that the calls name, and those that these name. */
  const used = new Map();
  const visit = (shown) => {
    for (const type of types)
      if (!used.has(type.name) && new RegExp(`\\b${type.name}\\b`).test(shown)) {
        used.set(type.name, write(type.value, true));
        visit(used.get(type.name));
      }
  };
  visit(`${introduction}${text}`);
  const described = types
    .filter(({ name }) => used.has(name))
    .map((one) =>
      [`### ${one.name}`, docOf(one), `\`\`\`ts\n${used.get(one.name)}\n\`\`\``].filter(Boolean).join("\n\n"),
    );
  return `${[introduction.trim(), text, "## Types", ...described].join("\n\n")}\n`;
};

if (process.argv[1] === import.meta.filename)
  writeFileSync(join(root, "docs", "api.md"), await apiDocument());
