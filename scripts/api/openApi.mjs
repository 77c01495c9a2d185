// The calls that core declares as OpenAPI 3.1.
import { statusOfKind } from "../../server/platform/http/httpError.ts";
import {
  deprecationSentence,
  fieldDocsOf,
  fieldsOf,
  isAbsent,
  nounOf,
  readDeclarations,
  sentencesOf,
  wordsOf,
} from "./declarations.mjs";
import { exampleOf } from "./examples.mjs";
import { nouns } from "./nouns.mjs";
import { schemaWriter } from "./schemas.mjs";

const description = `Bauta's own API, made of the declarations that the app and the server decode with.

Calls marked \`x-stability: stable\` are those that API tokens may make, and those that need no sign-in. They are versioned by
addition: fields and calls are added, and a client ignores those that it does not know. The others serve the app and change with it.`;

const session = { sessionToken: [], sessionCookie: [], csrfToken: [] };

const securitySchemes = {
  apiToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "bauta_…",
    description:
      "A token from Settings › Programs. Each call names the scope that it needs; a call without a scope takes every token.",
  },
  sessionToken: {
    type: "http",
    scheme: "bearer",
    description: "The token of a sign-in; it goes with the cookie of its session.",
  },
  sessionCookie: {
    type: "apiKey",
    in: "cookie",
    name: "maskSession",
    description: "The httpOnly cookie of the session; over HTTPS its name begins with `__Host-`.",
  },
  csrfToken: {
    type: "apiKey",
    in: "header",
    name: "x-csrf-token",
    description: "The value of the cookie that `GET /csrf-token` sets; writes of a session need it.",
  },
};

const parameterTexts = {
  id: "The id of the thing.",
  limit: "How many at most.",
  after: "The cursor: the last entry of the page before.",
  before: "The cursor: the last entry of the page before.",
  maskId: "Only those of this mask.",
  q: "What to search for.",
  sort: "The order.",
};

/** What each status of an error means. */
const errorText = {
  400: "The request cannot be read; `errors` names each field.",
  401: "The token or the session is missing, wrong or has ended.",
  402: "A paid plan is needed.",
  403: "The right is missing; for a token, `message` names the scope. A page of another origin may not write.",
  404: "There is no such thing, or it belongs to another user.",
  409: "It conflicts with the present state.",
  412: "The thing has changed since.",
  413: "The body is too large.",
  414: "A part of the path is too long.",
  415: "The body is no JSON, or its header does not say so.",
  422: "The request id was used for another request.",
  426: "The address takes another protocol.",
  429: "Too many requests; `Retry-After` says when to try again.",
  502: "Another service that the server asks does not answer.",
  503: "The server, or what it asks, is not ready.",
};

const fieldError = {
  type: "object",
  required: ["field", "message"],
  properties: { field: { type: "string" }, message: { type: "string" } },
};

const problem = {
  type: "object",
  description: "An error as problem details (RFC 9457), for requests that accept application/problem+json.",
  required: ["type", "title", "status", "detail"],
  properties: {
    type: { const: "about:blank" },
    title: { type: "string", description: "The name of the status." },
    status: { type: "integer" },
    detail: { type: "string", description: "What went wrong and what to do next." },
    code: {
      enum: Object.keys(statusOfKind),
      description: "What kind of error it is, more closely than the status.",
    },
    errors: { type: "array", items: fieldError },
  },
};

const errorSchemas = {
  Problem: problem,
  Error: {
    type: "object",
    description: "What went wrong and what to do next.",
    required: ["message"],
    properties: { message: { type: "string" }, errors: { type: "array", items: fieldError } },
  },
};

const errorAnswer = (status) => ({
  description: errorText[status],
  ...(status === 429
    ? {
        headers: {
          "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" } },
          RateLimit: { description: "What is left, for API tokens.", schema: { type: "string" } },
          "RateLimit-Policy": { description: "The limit, for API tokens.", schema: { type: "string" } },
        },
      }
    : {}),
  content: {
    "application/json": { schema: { $ref: "#/components/schemas/Error" } },
    "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
  },
});

const isWrite = ({ method }) => method !== "GET";
const takesTokens = ({ tokens }) => tokens !== "none";
const proofSentence = ({ needsRecentProof }) =>
  needsRecentProof
    ? "Needs a sign-in, or PUT /account/proof, within the last five minutes; else 403 with an error of the field `proof`."
    : "";
const needsSession = ({ authentication }) => authentication !== "none";

/** The errors that a call may answer: those that its kind has, and those that its docstring names. */
const errorsOf = ({ value }, sentences) => {
  const named = (sentences.match(/\b[45]\d\d\b/g) ?? []).map(Number).filter((status) => status in errorText);
  return [
    ...new Set([
      ...(isAbsent(value.params) && isAbsent(value.body) ? [] : [400]),
      ...(needsSession(value) ? [401] : []),
      ...(takesTokens(value) || isWrite(value) || value.needsRecentProof ? [403] : []),
      ...(/:/.test(value.path) ? [404, 414] : []),
      ...(isAbsent(value.body) ? [] : [413, 415]),
      ...(needsSession(value) && isWrite(value) ? [422] : []),
      429,
      ...named,
    ]),
  ].sort((one, other) => one - other);
};

const securityOf = (value) => {
  if (!needsSession(value)) return [];
  if (value.authentication === "token") return [{ apiToken: [value.tokens] }];
  const { csrfToken, ...reading } = session;
  const own = isWrite(value) ? session : reading;
  return [...(takesTokens(value) ? [{ apiToken: value.tokens === "any" ? [] : [value.tokens] }] : []), own];
};

/** A parameter as a value of its schema: a number or a boolean is text in the address alone. */
const parameterOf = (codec, text) => {
  const { right } = codec.decode(text);
  return ["number", "boolean"].includes(typeof right) ? right : text;
};

const parametersOf = ({ name: call, value }, write, docs) =>
  (isAbsent(value.params) ? [] : (fieldsOf(value.params) ?? [])).map(([name, codec, isOptional]) => {
    const isInPath = value.path.split("/").includes(`:${name}`);
    return {
      name,
      in: isInPath ? "path" : "query",
      required: isInPath || !isOptional,
      description: docs.get(name) ?? parameterTexts[name] ?? `${wordsOf(name)}.`,
      schema: write(codec, docs),
      example: parameterOf(codec, exampleOf(codec, name, call)),
    };
  });

const requestIds = ["RequestId", "IdempotencyKey"].map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));

const summaryOf = (sentences) => {
  const [, first] = /^(.+?[.:;])(?:\s|$)/.exec(sentences) ?? [null, sentences];
  return first.replace(/[.:;]$/, "");
};

/** A stream of events: `contentSchema` is that of the JSON in each. */
const streamOf = ({ name, value }, write, docs) => {
  const example = `id: 7d6c5b4a39281706\ndata: ${JSON.stringify(exampleOf(value.answer, "answer", name))}\n\n`;
  const schema = {
    type: "string",
    contentMediaType: "application/json",
    contentSchema: write(value.answer, docs),
  };
  return { content: { "text/event-stream": { schema, example } } };
};

const lastEventId = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "The id of the last event that was read; the answer goes on after it.",
  schema: { type: "string" },
  example: "7d6c5b4a39281706",
};

const answerOf = (declaration, write, docs) => {
  const { name, value } = declaration;
  if (value.isStream) return streamOf(declaration, write, docs);
  const schema = isAbsent(value.answer) ? { type: "object" } : write(value.answer, docs);
  const example = isAbsent(value.answer) ? {} : exampleOf(value.answer, "answer", name);
  return { content: { "application/json": { schema, example } } };
};

const operationOf = (declaration, write) => {
  const { name, value } = declaration;
  const docs = fieldDocsOf(declaration);
  const sentences = sentencesOf(declaration);
  const parameters = [
    ...parametersOf(declaration, write, docs),
    ...(needsSession(value) && isWrite(value) ? requestIds : []),
    ...(value.isStream ? [lastEventId] : []),
  ];
  const isStable = takesTokens(value) || !needsSession(value);
  return {
    operationId: name,
    tags: [nounOf(declaration)],
    summary: summaryOf(sentences),
    description: [sentences, proofSentence(value), deprecationSentence(value)].filter(Boolean).join(" "),
    ...(value.deprecation ? { deprecated: true } : {}),
    "x-stability":
      isStable && !["session", "passkeys", "billing"].includes(nounOf(declaration)) ? "stable" : "app",
    security: securityOf(value),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(isAbsent(value.body)
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: write(value.body, docs),
                example: exampleOf(value.body, "body", name),
              },
            },
          },
        }),
    responses: {
      [value.status]: { description: "Done.", ...answerOf(declaration, write, docs) },
      ...Object.fromEntries(
        errorsOf(declaration, sentences).map((status) => [
          status,
          { $ref: `#/components/responses/Error${status}` },
        ]),
      ),
    },
  };
};

const pathOf = (path) => path.replace(/:(\w+)/g, "{$1}");

/** Finds every reference to a schema in a part of the document. */
const referencesIn = (part) =>
  [...JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);

/** Returns the schemas that the paths use, and those that these use. */
const usedSchemas = (paths, types, write) => {
  const known = new Map(types.map((one) => [one.name, one]));
  const used = new Map();
  const visit = (part) => {
    for (const name of referencesIn(part)) {
      const type = known.get(name);
      if (type === undefined || used.has(name)) continue;
      const schema = write(type.value, fieldDocsOf(type), true);
      const text = sentencesOf(type);
      used.set(name, { ...schema, description: text });
      visit(schema);
    }
  };
  visit(paths);
  return Object.fromEntries([...used].sort(([one], [other]) => one.localeCompare(other)));
};

const byPlace = (places) => (one, other) =>
  places.indexOf(nounOf(one)) - places.indexOf(nounOf(other)) ||
  one.value.path.localeCompare(other.value.path);

/** Returns the document of some declarations. */
export const describeCalls = ({ endpoints, types }) => {
  const named = new Map(types.map(({ name, value }) => [value.name, name]));
  const write = schemaWriter((codec) => named.get(codec.name));
  const places = Object.keys(nouns);
  const paths = {};
  const tags = new Set();
  for (const one of endpoints.toSorted(byPlace(places))) {
    if (!places.includes(nounOf(one)))
      throw new Error(`scripts/api/nouns.mjs has no sentence for the calls of "${nounOf(one)}"`);
    tags.add(nounOf(one));
    paths[pathOf(one.value.path)] ??= {};
    paths[pathOf(one.value.path)][one.value.method.toLowerCase()] = operationOf(one, write);
  }
  const statuses = Object.keys(errorText).filter((status) =>
    JSON.stringify(paths).includes(`"#/components/responses/Error${status}"`),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "Bauta",
      version: "1",
      description,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [
      {
        url: "https://{host}",
        description: "Your server; the document that it answers itself names it.",
        variables: { host: { default: "mail.example.org" } },
      },
    ],
    security: [],
    tags: places
      .filter((noun) => tags.has(noun))
      .map((noun) => ({ name: noun, "x-displayName": wordsOf(noun), description: nouns[noun] })),
    paths,
    components: {
      securitySchemes,
      parameters: {
        RequestId: {
          name: "X-Request-ID",
          in: "header",
          description:
            "A text of up to 128 visible ASCII characters: a repetition within a day gets the same answer.",
          schema: { type: "string", maxLength: 128 },
          example: "7d6c5b4a39281706",
        },
        IdempotencyKey: {
          name: "Idempotency-Key",
          in: "header",
          description:
            "The same as X-Request-ID, by the name that other services use; with or without quotes.",
          schema: { type: "string", maxLength: 130 },
          example: '"7d6c5b4a39281706"',
        },
      },
      responses: Object.fromEntries(
        statuses.map((status) => [`Error${status}`, errorAnswer(Number(status))]),
      ),
      schemas: { ...usedSchemas(paths, types, write), ...errorSchemas },
    },
  };
};

/** Returns the document of all calls as the build writes it and the server answers it at `/openapi.json`. */
export const openApiText = async () =>
  `${JSON.stringify(describeCalls(await readDeclarations()), null, 1)}\n`;
