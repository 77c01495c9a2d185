import type { TokenAccess } from "../../../core/api/apiScope.ts";
import type { Codec } from "../../../core/api/endpoint.ts";

/** A declared call of the API. */
export interface DeclaredCall {
  readonly name: string;
  readonly file: string;
  readonly value: {
    readonly method: string;
    readonly path: string;
    readonly authentication: "none" | "session" | "token";
    readonly tokens: TokenAccess;
    readonly params: Codec<unknown>;
    readonly body: Codec<unknown>;
    readonly isStream?: true;
  };
}

/** A request to a call that names something of a user. */
export interface NamingRequest {
  readonly thing: string;
  readonly params: Record<string, string>;
  readonly body: unknown;
}

type Example = (codec: Codec<unknown>, field: string, call: string) => unknown;

const load = async <Module>(path: string): Promise<Module> =>
  (await import(new URL(`../../../scripts/api/${path}`, import.meta.url).href)) as Module;
const { readAllEndpoints, fieldsOf, isAbsent } = await load<{
  readonly readAllEndpoints: () => Promise<readonly DeclaredCall[]>;
  readonly fieldsOf: (codec: unknown) => readonly (readonly [string, Codec<unknown>, boolean])[] | null;
  readonly isAbsent: (codec: unknown) => boolean;
}>("declarations.mjs");
const { exampleOf } = await load<{ readonly exampleOf: Example }>("examples.mjs");

/** Every declared call. */
export const everyCall = await readAllEndpoints();

/** The fields of a body that name a thing of a user. */
const namesThing = /(?:^|_|[a-z])ids?$|^id|mailbox|recipient|destination|forwardTo|address|label|^to$|email/i;

const withThing = (value: unknown, thing: string, field = ""): unknown => {
  if (Array.isArray(value)) return value.map((one) => withThing(one, thing, field));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withThing(one, thing, key)]));
  if (!namesThing.test(field)) return value;
  return typeof value === "number" ? Number(thing) : thing;
};

/** The requests to a call that name each of these things wherever something can be named. */
export const requestsNaming = (
  { name, value }: DeclaredCall,
  things: readonly string[],
): readonly NamingRequest[] => {
  const paramNames = isAbsent(value.params) ? [] : (fieldsOf(value.params) ?? []).map(([one]) => one);
  const example = (() => {
    try {
      return isAbsent(value.body) ? undefined : exampleOf(value.body, "body", name);
    } catch {
      return {};
    }
  })();
  const varies = paramNames.length > 0 || JSON.stringify(example) !== JSON.stringify(withThing(example, "-"));
  return (varies ? things : things.slice(0, 1)).flatMap((thing) => {
    const inPath = Object.fromEntries(paramNames.map((one) => [one, one === "limit" ? "10" : thing]));
    const pathOnly = Object.fromEntries(
      Object.entries(inPath).filter(([one]) => value.path.includes(`:${one}`)),
    );
    const bodies = example === undefined ? [undefined] : [example, withThing(example, thing)];
    const isSame = Object.keys(inPath).length === Object.keys(pathOnly).length;
    return (isSame ? [inPath] : [inPath, pathOnly]).flatMap((params) =>
      bodies.map((body) => ({ thing, params, body })),
    );
  });
};
