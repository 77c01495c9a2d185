import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { ApiScope } from "../../core/api/apiScope.ts";
import { withBearer } from "../../core/api/basicMiddleware.ts";
import { createCall } from "../../core/api/call.ts";
import { createPlainPipeline } from "../../core/api/requestPipeline.ts";
import { getOwnApiToken } from "../../core/apiTokens/apiTokenEndpoints.ts";
import { scopeTexts } from "../../core/apiTokens/scopeTexts.ts";
import type { Failure } from "../../core/kernel/failure.ts";
import type { Ports } from "../../core/ports/ports.ts";
import { plainServers } from "../manifest.ts";
import type { Connection } from "./connection.ts";

/** The time that a request may take. */
export const timeoutMs = 15_000;

/** What a token must be allowed to do for the extension; without the others that it asks for, it shows less. */
const neededScopes: readonly ApiScope[] = ["masks:create", "masks:read", "masks:write"];

/** Says why a browser was not connected, and what to do about it. */
const reasonOf = (server: string, failure: Failure): string => {
  switch (failure.kind) {
    case "network":
    case "timeout":
      // What another site answers, or a proxy in front of a server, reaches no extension without access to that site.
      return `The server ${server} cannot be reached, or it is no Bauta server, or one too old for this extension. Check the network and the address. If its certificate is your own, open the address in this browser and trust it.`;
    case "refused":
      return failure.status === 401
        ? "The server does not know this token. Create another one under Settings › Programs."
        : failure.status === 404
          ? `There is no Bauta server at ${server}, or it is too old for this extension.`
          : (failure.message ?? `The server answered with the error ${failure.status}.`);
    case "unreadable":
      return `There is no Bauta server at ${server}, or it is too new for this extension.`;
    default:
      return "The browser could not be connected. Try again.";
  }
};

/** True if the extension's own policy lets it speak to a server. */
const isWithinPolicy = (server: string): boolean => {
  const { protocol, hostname = "" } = URL.parse(server) ?? {};
  return (
    protocol === "https:" ||
    plainServers.some((host) => (host.startsWith("*") ? hostname.endsWith(host.slice(1)) : hostname === host))
  );
};

/** Checks a token at its server, and returns what to store; left is the sentence for the user. */
export const connectTo = (
  ports: Pick<Ports, "http" | "random" | "clock">,
  { server, token }: Pick<Connection, "server" | "token">,
): TE.TaskEither<string, Connection> => {
  if (!isWithinPolicy(server))
    return TE.left(
      `This extension cannot speak to ${server}. Write http://localhost or http://127.0.0.1 for a server on this machine.`,
    );
  const destination = { baseAddress: server, timeoutMs, clock: ports.clock };
  const http = withBearer(() => token)(createPlainPipeline(ports.http, ports.random, destination));
  return pipe(
    createCall(http)(getOwnApiToken)(),
    TE.mapLeft((failure) => reasonOf(server, failure)),
    TE.chain(({ id, name, scopes }) => {
      const missing = neededScopes.filter((scope) => !scopes.includes(scope));
      return missing.length === 0
        ? TE.right({ server, token, tokenId: id, name, scopes })
        : TE.left(
            `This token lacks what the extension needs: ${missing.map((scope) => scopeTexts[scope].label).join(", ")}. Create another one under Settings › Programs.`,
          );
    }),
  );
};
