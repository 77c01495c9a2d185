import { NEVER } from "rxjs";
import { type App, createApp } from "../../core/app/createApp.ts";
import { createTokenCredentials } from "../../core/app/tokenCredentials.ts";
import type { Ports } from "../../core/ports/ports.ts";
import type { User } from "../../core/session/user.ts";
import type { Connection } from "./connection.ts";
import { timeoutMs } from "./connectTo.ts";

/** The user of a connection: copies of lists on this device belong to the token, which does not know the owner's address. */
export const userOf = ({ tokenId }: Connection): User => ({
  email: `token-${tokenId}`,
  subscription: { tier: "free", status: "active", isAssumed: true },
  twoFactor: { enabled: false },
});

/** Creates the app of a connection; what its windows do not need is started late. */
export const createConnectedApp = (ports: Ports, connection: Connection): App =>
  createApp(ports, {
    configuration: {
      brand: "Bauta",
      maskDomain: "",
      flags: { websockets: false, performanceTracking: false, payments: false },
    },
    baseAddress: connection.server,
    timeoutMs,
    painted$: NEVER,
    credentials: createTokenCredentials({ token: connection.token, user: userOf(connection) }),
  });
