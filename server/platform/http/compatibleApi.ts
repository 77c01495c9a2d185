import type { FastifyInstance } from "fastify";
import type { ErrorReply } from "./httpError.ts";
import { isCompatibleCall } from "./presentedToken.ts";
import { parseJson } from "./requestParsing.ts";

/** The API of another service, whose clients this server answers under paths and in the form that they know. */
export interface CompatibleApi {
  /** The prefix of its paths, as in "/api/"; of two that match, the longer one decides. */
  readonly prefix: string;
  /** Returns an error as its clients read it; the status may be another one. */
  readonly toError: (error: ErrorReply) => CompatibleError;
}

export interface CompatibleError {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Returns the API that a path belongs to. */
export type FindCompatibleApi = (url: string) => CompatibleApi | undefined;

export const createFindCompatibleApi = (apis: readonly CompatibleApi[]): FindCompatibleApi => {
  const longestFirst = apis.toSorted((one, other) => other.prefix.length - one.prefix.length);
  return (url) => {
    const path = `${url.split("?", 1)[0]}/`;
    return longestFirst.find(({ prefix }) => path.startsWith(prefix));
  };
};

/** "/api", at the beginning of a path, in all spellings that the router takes for it. */
const compatiblePath = /^\/+(?:a|%61)(?:p|%70)(?:i|%69)(?=[/?]|$)/;

/**
 * Returns the path of a request to such an API as it is declared: clients join addresses that end with a slash with paths
 * that begin with one, and other paths stay as they are.
 */
export const toDeclaredUrl = (url: string): string => {
  if (!compatiblePath.test(url)) return url;
  const [, path = "", query = ""] = /^([^?]*)(.*)$/s.exec(url) ?? [];
  return `${path
    .replace(compatiblePath, "/api")
    .replace(/\/{2,}/g, "/")
    .replace(/(?<=.)\/$/, "")}${query}`;
};

/** Lets requests to such APIs name any content type, also one that cannot be read: what they send is JSON or nothing. */
export const ignoreContentTypes = (fastify: FastifyInstance): void => {
  fastify.addHook("preParsing", (request, _reply, _payload, done) => {
    if (isCompatibleCall(request)) delete request.headers["content-type"];
    done();
  });
};

/**
 * Registers the routes of such an API, declared as endpoints and added with `routeSignedIn` and `routeStored`. A request
 * without a body has an empty object.
 */
export const compatibleRoutes =
  (add: (scope: FastifyInstance) => void) =>
  (fastify: FastifyInstance): void => {
    const scoped = async (scope: FastifyInstance): Promise<void> => {
      scope.addContentTypeParser("*", { parseAs: "buffer" }, parseJson(scope));
      scope.addHook("preValidation", async (request) => {
        request.body ??= {};
      });
      add(scope);
    };
    fastify.register(scoped);
  };
