// `npm run api`: writes docs/api.md and docs/openapi.json from the endpoints that core declares, with their docstrings and codecs.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as t from "io-ts";
import { DerivedType } from "../core/api/derivedType.ts";
import { scopeTexts } from "../core/apiTokens/scopeTexts.ts";
import { perMinute } from "../server/platform/http/httpLimits.ts";
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
import { errorText, openApiText } from "./api/openApi.mjs";

const scopeRows = Object.entries(scopeTexts).map(([scope, { detail }]) => `| \`${scope}\` | ${detail} |`);

const introduction = `# The API

The app and the server speak JSON over HTTP; core declares each call once, and both decode with it. This page is made
of these declarations by \`npm run api\`. Every server answers the same in OpenAPI 3.1 at \`GET /openapi.json\` and shows it at
\`/developers\`, with examples, commands for curl and a form that tries a call; the page needs a log-in, the document does not.

## Begin

1. Log in, open Settings › Programs, and make an API token: choose what it may do, and how long. It is shown once.
2. Send it with each call. No cookie, no CSRF token and no other header is needed, from a page of any origin ([tokens](tokens.md)).

\`\`\`sh
curl --header "Authorization: Bearer $BAUTA_TOKEN" https://mail.example.org/masks
\`\`\`

| Scope | Allows |
|---|---|
${scopeRows.join("\n")}

Each call below names the scope that it needs; without it the answer is 403 and names the scope. A call that names none takes no
token: it serves the app, as every call that changes the address, keys, sessions or tokens does.

**Rates.** A token makes ${perMinute.token} requests a minute, which come back evenly. \`RateLimit-Policy: "token";q=${perMinute.token};w=60\` is the limit, and
\`RateLimit: "token";r=299;t=1\` says how many are left and in how many seconds all are there again. Beyond it the answer is 429,
and \`Retry-After\` says in how many seconds to go on.

**Errors** have a status of 400 or above and \`{ message, errors?: Array<{ field, message }> }\`; \`message\` is a sentence for people.
A request with \`Accept: application/problem+json\` gets problem details (RFC 9457) instead: \`type\` (\`about:blank\`), \`title\`,
\`status\`, \`detail\` (the sentence), with \`code\` (what kind of error it is) and \`errors\` as extensions.

| Status | Means |
|---|---|
${Object.entries(errorText)
  .map(([status, text]) => `| ${status} | ${text} |`)
  .join("\n")}

**Pages.** Calls whose lists can be long take \`limit\`, and \`after\` or \`before\` with the id of the last entry of the page before. \`isMore\`
(of masks) or \`more\` in the answer says that others follow. Entries that come or go in between neither repeat nor hide others.

**Repetition.** A write with an \`Idempotency-Key\` (or \`X-Request-ID\`, which means the same) is carried out once: for 24 hours a
repetition gets the recorded answer, and one that arrives while the first still runs waits for it. The key is up to 128 visible
ASCII characters, in quotes or not, such as a UUID. The same key with another request gets 422. A request that was refused may be
repeated with its key.

**Unchanged answers.** A \`GET\` with \`If-None-Match\` gets 304 where the answer carries an \`ETag\`.

**What stays.** Calls that take a token, and those without a log-in, are versioned by addition: there is no version in the path.
What is there keeps its meaning. Calls, optional parameters, fields of answers, events and values of open lists are added, so a
client ignores what it does not know. Before a call is replaced it is marked: its answers carry \`Deprecation\` (RFC 9745), with
\`Link: …; rel="deprecation"\` and, once the day is known, \`Sunset\` (RFC 8594), and the changelog names it. The other calls change
with the app. What extends the contract of the specification says so.

**Changes as they happen** come as server-sent events at \`GET /events\` to tokens with \`masks:read\` ([events](events.md)), or as
[webhooks](webhooks.md).

**Programs for other services.** The paths under \`/api/\` speak the contracts of other services, whose clients may be pointed at this
server, with their own shapes of errors; they are no part of this page.

## How the app calls

- A call carries the token of the sign-in as \`Authorization: Bearer <token>\` and the httpOnly cookie of the
  session; neither is enough alone. \`POST /refresh-token\` returns the next token.
- **Writes** also carry \`x-csrf-token\` with the value of the cookie that \`GET /csrf-token\` sets. Requests from pages of
  other origins are refused unless the operator allows the origin.
- **Changes elsewhere** arrive over a WebSocket at \`/ws?token=<token>\`, which a page of this server opens with the cookie of its
  session; without both it is refused with 401. The client sends \`ClientMessage\` (a newer token as \`auth\`), and the server sends
  \`ServerMessage\`. A socket gets the changes of what it has subscribed to: a resource, one thing of it, or its notifications.
  \`request_update\` is answered with what the named thing is now.

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
        return codec.name.replace(/^number from .*/, "number");
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
    [value.isStream ? "Each event" : "Answer", value.answer],
  ]
    .filter(([, codec]) => !isAbsent(codec))
    .map(([title, codec]) => {
      const text = write(codec);
      return text.includes("\n") ? `${title}:\n\n\`\`\`ts\n${text}\n\`\`\`` : `${title}: \`${text}\``;
    });
  const session = value.authentication === "none" ? "Needs no session." : "";
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
