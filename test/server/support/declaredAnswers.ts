import { readFileSync } from "node:fs";

/** A call as the built OpenAPI document describes it. */
export interface DescribedCall {
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly statuses: readonly number[];
  readonly security: readonly object[];
  /** The examples of the parameters by place and name, and of the body. */
  readonly params: readonly { readonly name: string; readonly in: string; readonly example: unknown }[];
  readonly body: unknown;
}

interface Operation {
  readonly security: readonly object[];
  readonly responses: Readonly<Record<string, unknown>>;
  readonly parameters?: readonly { name: string; in: string; example: unknown }[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly example: unknown } } };
}

const { paths } = JSON.parse(
  readFileSync(new URL("../../../dist/web/openapi.json", import.meta.url), "utf8"),
) as { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

/** All calls that the document describes. */
export const describedCalls: readonly DescribedCall[] = Object.entries(paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, { security, responses, parameters = [], requestBody }]) => ({
    method: method.toUpperCase(),
    path,
    statuses: Object.keys(responses).map(Number),
    security,
    params: parameters.filter((one) => one.in === "path" || one.in === "query"),
    body: requestBody?.content["application/json"].example,
  })),
);

const patterns = describedCalls.map((call) => ({
  call,
  pattern: new RegExp(`^${call.path.replace(/[.]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+")}$`),
  isFixed: !call.path.includes("{"),
}));

/** What any request may get of HTTP itself, whatever it calls: unchanged, refused by a cache's condition or an unfit server. */
const isOfHttp = (status: number): boolean => [304, 406, 408, 431, 500, 507].includes(status);

/** Returns the described call that a request makes; undefined when there is none. */
const callOf = (method: string, url: string): DescribedCall | undefined => {
  const [path = ""] = url.split("?", 1);
  const found = patterns.filter(({ call, pattern }) => call.method === method && pattern.test(path));
  return (found.find(({ isFixed }) => isFixed) ?? found[0])?.call;
};

/** Throws for an answer to a described call with a status that the document does not name. */
export const refuseUndeclared = (method: string, url: string, status: number): void => {
  const call = callOf(method, url);
  if (call === undefined || isOfHttp(status) || call.statuses.includes(status)) return;
  throw new Error(
    `${call.method} ${call.path} answers ${status}, but is declared to answer ${call.statuses.join(", ")} only; its docstring names what else it refuses`,
  );
};
