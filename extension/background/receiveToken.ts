import * as E from "fp-ts/lib/Either.js";
import { readServerAddress } from "../../core/api/serverAddress.ts";
import { startsAsApiToken } from "../../core/apiTokens/apiTokenEndpoints.ts";
import { type ExtensionPorts, storeConnection } from "../connection/connection.ts";
import { connectTo } from "../connection/connectTo.ts";
import { endHandover } from "../connection/handover.ts";

/** A token that the page of an origin has given. */
export interface GivenToken {
  readonly origin: string;
  readonly code: string;
  readonly token: string;
  /** The path of the server at that origin; empty where it has its host to itself. */
  readonly path: string;
}

const refused = "This browser has not asked for that. Press Bauta’s button in the toolbar and “Connect”.";

/** Connects this browser with a given token, if the user has begun that; returns the sentence for the user, null without one. */
export const receiveToken = async (ports: ExtensionPorts, given: GivenToken): Promise<string | null> => {
  if (!endHandover(ports, given) || !startsAsApiToken(given.token)) return refused;
  const address = given.origin + given.path;
  if (URL.parse(address)?.origin !== given.origin) return refused;
  const server = readServerAddress(address, (text) => URL.parse(text));
  if (E.isLeft(server)) return server.left;
  const connected = await connectTo(ports, { server: server.right, token: given.token })();
  if (E.isLeft(connected)) return connected.left;
  const kept = await storeConnection(ports, connected.right)();
  return E.isLeft(kept) ? kept.left : null;
};
