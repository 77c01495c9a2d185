// `npm run api`: writes docs/api.md and docs/openapi.json from the endpoints that core declares, with their docstrings and codecs.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as t from "io-ts";
import { DerivedType } from "../core/api/derivedType.ts";
import {
  deprecationSentence,
  docOf,
  fieldsOf,
  isAbsent,
  nounOf,
  readDeclarations,
  root,
  sentencesOf,
  wordsOf,
} from "./api/declarations.mjs";
import { openApiText } from "./api/openApi.mjs";

const introduction = `# The API

The app and the server speak JSON over HTTP; core declares each call once, and both decode with it. This page is made
of these declarations by \`npm run api\`, as is the same in OpenAPI 3.1, which every server answers at \`GET /openapi.json\`. What extends the contract of the specification says so; a client
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

const indent = (text) => text.replace(/\n/g, "\n  ");

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

/** What is declared in a derived type: fields and choices; what it is called, for a text. */
const isShownAsDeclared = (codec) =>
  codec instanceof DerivedType && !/^[\w'’ -]+$/.test(codec.name.replace("e-mail", "mail"));

/** Returns a function that writes a codec's type; a type of `named` appears by its name, except as the whole. */
const typeWriter = (named) => {
  const write = (codec, isWhole = false) => {
    const name = isWhole ? undefined : named.get(codec.name);
    if (name !== undefined) return name;
    if (isShownAsDeclared(codec)) return write(codec.declared, isWhole);
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
        return codec.name;
    }
  };
  return write;
};

const tokenSentence = ({ tokens }) => {
  switch (tokens) {
    case "none":
      return "";
    case "any":
      return "Every API token may call it.";
    default:
      return `An API token needs \`${tokens}\`.`;
  }
};

const section = (declaration, write) => {
  const { value } = declaration;
  const parts = [
    ["Parameters", value.params],
    ["Body", value.body],
    ["Answer", value.answer],
  ]
    .filter(([, codec]) => !isAbsent(codec))
    .map(([title, codec]) => {
      const text = write(codec);
      return text.includes("\n") ? `${title}:\n\n\`\`\`ts\n${text}\n\`\`\`` : `${title}: \`${text}\``;
    });
  const session = value.authentication === "session" ? "" : "Needs no session.";
  return [
    `### ${value.method} ${value.path}`,
    [sentencesOf(declaration), session, tokenSentence(value), deprecationSentence(value)]
      .filter(Boolean)
      .join(" "),
    ...parts,
  ].join("\n\n");
};

/** Returns docs/api.md as it belongs to the sources. */
export const apiDocument = async () => {
  const { endpoints, types } = await readDeclarations();
  const named = new Map(types.map(({ name, value }) => [value.name, name]));
  const write = typeWriter(named);
  const features = Map.groupBy(endpoints, nounOf);
  const calls = [...features].flatMap(([feature, of]) => [
    `## ${wordsOf(feature)}`,
    ...of
      .toSorted((one, other) => one.value.path.localeCompare(other.value.path))
      .map((one) => section(one, write)),
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

if (process.argv[1] === import.meta.filename) {
  writeFileSync(join(root, "docs", "api.md"), await apiDocument());
  writeFileSync(join(root, "docs", "openapi.json"), await openApiText());
}
