import { createTokenApp, type TokenApp } from "../../core/app/tokenApp.ts";
import type { Ports } from "../../core/ports/ports.ts";
import type { User } from "../../core/session/user.ts";
import type { Connection } from "./connection.ts";
import { timeoutMs } from "./connectTo.ts";

/** The user of a connection: copies of lists on this device belong to the token, which does not know the owner's address. */
const userOf = ({ tokenId }: Connection): User => ({
  email: `token-${tokenId}`,
  subscription: { tier: "free", status: "active", isAssumed: true },
  twoFactor: { enabled: false },
});

/** Creates the app of a connection. */
export const createConnectedApp = (ports: Ports, connection: Connection): TokenApp =>
  createTokenApp(ports, {
    token: connection.token,
    user: userOf(connection),
    baseAddress: connection.server,
    timeoutMs,
  });
