import * as t from "io-ts";
import { toSearchText } from "../kernel/searchText.ts";
import { ApiScope } from "./apiScope.ts";
import { anchorOf } from "./endpoint.ts";
import { parseBody } from "./errorResponse.ts";

const Content = t.record(t.string, t.partial({ schema: t.unknown, example: t.unknown }));

const Reference = t.type({ $ref: t.string });

const Parameter = t.intersection([
  t.type({ name: t.string, in: t.string }),
  t.partial({ required: t.boolean, description: t.string, example: t.unknown }),
]);

const Answer = t.intersection([t.type({ description: t.string }), t.partial({ content: Content })]);

const Operation = t.intersection([
  t.type({
    tags: t.array(t.string),
    summary: t.string,
    description: t.string,
    security: t.array(t.record(t.string, t.array(t.string))),
    responses: t.record(t.string, t.union([Reference, Answer])),
  }),
  t.partial({
    deprecated: t.boolean,
    "x-stability": t.string,
    parameters: t.array(t.union([Reference, Parameter])),
    requestBody: t.type({ content: Content }),
  }),
]);
type Operation = t.TypeOf<typeof Operation>;

const OpenApi = t.type({
  tags: t.array(t.type({ name: t.string, "x-displayName": t.string, description: t.string })),
  paths: t.record(t.string, t.record(t.string, Operation)),
  components: t.type({
    parameters: t.record(t.string, Parameter),
    responses: t.record(t.string, Answer),
    schemas: t.record(t.string, t.unknown),
  }),
});
type OpenApi = t.TypeOf<typeof OpenApi>;

/** A parameter of a call, or a field of its body. */
export interface CallInput {
  readonly name: string;
  readonly place: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly example: string;
}

/** A call of the API, as a reader of its documentation sees it. */
export interface DescribedCall {
  /** Its name in addresses, such as "put-masks-id". */
  readonly anchor: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly isDeprecated: boolean;
  readonly isStable: boolean;
  /**
   * The permission that an API token needs for it: a scope, nothing more than to be valid, or it is not taken; `open` needs no
   * token.
   */
  readonly access: ApiScope | "any" | "none" | "open";
  readonly inputs: readonly CallInput[];
  /** An example of the body as JSON; null where there is none. */
  readonly body: string | null;
  /** The types of the fields of the body and the answer. */
  readonly bodyFields: readonly string[];
  readonly answerFields: readonly string[];
  readonly answer: string;
  readonly errors: readonly { readonly status: string; readonly text: string }[];
}

/** The calls of one noun. */
export interface CallGroup {
  readonly noun: string;
  readonly title: string;
  readonly text: string;
  readonly calls: readonly DescribedCall[];
}

const lastPart = (reference: string): string => reference.split("/").at(-1) ?? "";

/** Sentences of the document mark code as Markdown does. */
const plain = (text: string): string => text.replace(/`/g, "");

const exampleText = (example: unknown): string => JSON.stringify(example ?? {}, null, 2);

const Schema = t.partial({
  $ref: t.string,
  type: t.union([t.string, t.array(t.string)]),
  enum: t.array(t.unknown),
  const: t.unknown,
  items: t.unknown,
  anyOf: t.array(t.unknown),
  allOf: t.array(t.unknown),
  properties: t.record(t.string, t.unknown),
  required: t.array(t.string),
});

/** Writes a schema in a few words, without following what it refers to. */
const typeText = (schema: unknown): string => {
  if (!Schema.is(schema)) return "any";
  if (schema.$ref !== undefined) return lastPart(schema.$ref);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const parts = schema.anyOf ?? schema.allOf;
  if (parts) return parts.map(typeText).join(schema.anyOf ? " | " : " & ");
  if (schema.items !== undefined) return `${typeText(schema.items)}[]`;
  return [schema.type ?? "any"].flat().join(" | ");
};

const resolved = (schema: unknown, { components }: OpenApi): unknown =>
  Schema.is(schema) && schema.$ref !== undefined ? components.schemas[lastPart(schema.$ref)] : schema;

const fieldsOf = (schema: unknown, document: OpenApi): readonly string[] => {
  const whole = resolved(schema, document);
  if (!Schema.is(whole)) return [];
  if (whole.allOf) return whole.allOf.flatMap((part) => fieldsOf(part, document));
  return Object.entries(whole.properties ?? {}).map(
    ([name, field]) => `${name}${whole.required?.includes(name) ? "" : "?"}: ${typeText(field)}`,
  );
};

const accessOf = (security: Operation["security"]): DescribedCall["access"] => {
  if (security.length === 0) return "open";
  const [scopes] = security.flatMap((one) => (one["apiToken"] ? [one["apiToken"]] : []));
  if (!scopes) return "none";
  const [scope] = scopes;
  return ApiScope.is(scope) ? scope : "any";
};

const jsonIn = (content: t.TypeOf<typeof Content> | undefined) => content?.["application/json"];

const describe = (document: OpenApi, path: string, verb: string, operation: Operation): DescribedCall => {
  const { parameters, responses } = document.components;
  const method = verb.toUpperCase();
  const body = jsonIn(operation.requestBody?.content);
  const answers = Object.entries(operation.responses).map(([status, answer]) => ({
    status,
    answer: Reference.is(answer) ? responses[lastPart(answer.$ref)] : answer,
  }));
  const done = jsonIn(answers.find(({ status }) => status.startsWith("2"))?.answer?.content);
  return {
    anchor: anchorOf({ method, path }),
    method,
    path,
    summary: plain(operation.summary),
    description: plain(operation.description),
    isDeprecated: operation.deprecated ?? false,
    isStable: operation["x-stability"] === "stable",
    access: accessOf(operation.security),
    inputs: (operation.parameters ?? []).flatMap((one) => {
      const found = Reference.is(one) ? parameters[lastPart(one.$ref)] : one;
      if (!found) return [];
      return {
        name: found.name,
        place: found.in,
        isRequired: found.required ?? false,
        description: plain(found.description ?? ""),
        example: found.example === undefined ? "" : String(found.example),
      };
    }),
    body: body ? exampleText(body.example) : null,
    bodyFields: fieldsOf(body?.schema, document),
    answerFields: fieldsOf(done?.schema, document),
    answer: exampleText(done?.example),
    errors: answers
      .filter(({ status }) => !status.startsWith("2"))
      .map(({ status, answer }) => ({ status, text: plain(answer?.description ?? "") })),
  };
};

/** Reads an OpenAPI document of this product; null when it is none. */
export const readApiDescription = (text: string): readonly CallGroup[] | null => {
  const document = parseBody(text);
  if (!OpenApi.is(document)) return null;
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      noun: operation.tags[0],
      call: describe(document, path, method, operation),
    })),
  );
  return document.tags.map((tag) => ({
    noun: tag.name,
    title: tag["x-displayName"],
    text: tag.description,
    calls: calls.flatMap(({ noun, call }) => (noun === tag.name ? [call] : [])),
  }));
};

/** Keeps the calls in which each word of a search occurs, and with `isForTokens` those that a program without a session may make. */
export const searchCalls = (
  groups: readonly CallGroup[],
  search: string,
  isForTokens: boolean,
): readonly CallGroup[] => {
  const words = toSearchText(search).split(/\s+/).filter(Boolean);
  const isFound = (group: CallGroup, call: DescribedCall): boolean => {
    const text = toSearchText([group.title, call.method, call.path, call.access, call.description].join(" "));
    return (call.isStable || !isForTokens) && words.every((word) => text.includes(word));
  };
  return groups
    .map((group) => ({ ...group, calls: group.calls.filter((call) => isFound(group, call)) }))
    .filter(({ calls }) => calls.length > 0);
};

/** A request as text, for a call, its parameters by name, and a body. */
export interface WrittenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Returns the request of a call; empty parameters are left out. */
export const requestOf = (
  { method, path, inputs, access }: DescribedCall,
  origin: string,
  values: Readonly<Record<string, string>>,
  body: string | null,
  token: string,
): WrittenRequest => {
  const valuesIn = (place: string) =>
    inputs.flatMap(({ name, place: own }) => {
      const value = values[name] ?? "";
      return own === place && value !== "" ? [[name, value] as const] : [];
    });
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const query = valuesIn("query")
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  return {
    method,
    url: `${origin}${filled}${query && `?${query}`}`,
    headers: {
      ...(access === "open" ? {} : { authorization: `Bearer ${token}` }),
      ...(body === null ? {} : { "content-type": "application/json" }),
      ...Object.fromEntries(valuesIn("header").map(([name, value]) => [name.toLowerCase(), value])),
    },
    body,
  };
};

const quoted = (text: string): string => `'${text.split("'").join(`'\\''`)}'`;

/** Returns the command line of curl that sends a request; the token stays in a variable of the shell. */
export const curlOf = ({ method, url, headers, body }: WrittenRequest): string =>
  [
    `curl ${method === "GET" ? "" : `--request ${method} `}${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) =>
      name === "authorization"
        ? `  --header "Authorization: Bearer $BAUTA_TOKEN"`
        : `  --header ${quoted(`${name}: ${value}`)}`,
    ),
    ...(body === null ? [] : [`  --data ${quoted(body)}`]),
  ].join(" \\\n");
