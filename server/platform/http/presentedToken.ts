import type { FastifyRequest } from "fastify";
import { startsAsApiToken } from "../../../core/apiTokens/apiTokenEndpoints.ts";

/** The paths of the APIs of other services, whose clients have API tokens alone. Bitwarden sends two slashes. */
const compatiblePath = /^\/+api(?:[/?]|$)/;

/** True if a request is one to the API of another service that the server answers as well. */
export const isCompatibleCall = ({ url }: Pick<FastifyRequest, "url">): boolean => compatiblePath.test(url);

/** Returns what the `Authorization` header carries as a bearer (RFC 6750); undefined for none. */
export const bearerOf = ({ headers }: Pick<FastifyRequest, "headers">): string | undefined =>
  /^Bearer +([^\s]+)$/i.exec(headers.authorization ?? "")?.[1];

/**
 * Returns the API token that a request carries, unchecked; undefined for none. Clients of SimpleLogin send it alone in
 * `Authentication`. No browser adds either header by itself, so such a request cannot be forged by another site.
 */
export const presentedToken = (request: Pick<FastifyRequest, "headers" | "url">): string | undefined => {
  const bearer = bearerOf(request);
  if (!isCompatibleCall(request))
    return bearer !== undefined && startsAsApiToken(bearer) ? bearer : undefined;
  const { authentication } = request.headers;
  return typeof authentication === "string" && authentication !== "" ? authentication : bearer;
};
