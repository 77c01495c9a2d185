import type { FastifyInstance } from "fastify";

/** Which methods an address takes that is a call or a page of the product; none where there is no such address. */
export type MethodsAt = (path: string) => readonly string[];

const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:\w+/g, "[^/]+")}$`);

/** Notes the methods of every call and page that is added from then on; files are not among them. */
export const noteMethods = (fastify: FastifyInstance): MethodsAt => {
  const known = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  fastify.addHook("onRoute", ({ url, method, config }) => {
    if (config?.page === undefined) return;
    const entry = known.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    for (const one of [method].flat()) entry.methods.add(one);
    known.set(url, entry);
  });
  return (path) =>
    [...known.values()].flatMap(({ pattern, methods }) => (pattern.test(path) ? [...methods] : [])).sort();
};
