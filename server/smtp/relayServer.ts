import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";
import { RelayConnection } from "./connection.ts";
import {
  closeTimeoutMs,
  idleTimeoutMs,
  largestMail,
  longestCommand,
  mostConnections,
  mostRecipients,
} from "./limits.ts";

/** Every connection of this server is a `RelayConnection`, and the end of each transaction is told with its session. */
export class RelayServer extends SMTPServer {
  readonly #onTransactionEnd: (session: SMTPServerSession) => void;

  constructor(options: SMTPServerOptions, onTransactionEnd: (session: SMTPServerSession) => void) {
    super(options);
    this.#onTransactionEnd = onTransactionEnd;
  }

  override connect(
    socket: Socket | TLSSocket,
    options?: ConstructorParameters<typeof RelayConnection>[2],
  ): void {
    const connection = new RelayConnection(this, socket, options);
    connection.onTransactionEnd = () => this.#onTransactionEnd(connection.session);
    connection.on("error", (error) => this.emit("error", error));
    this.connections.add(connection);
    connection.init();
  }

  /** Hangs up on every client that is not in the middle of something. */
  closeIdle(): void {
    for (const connection of [...this.connections])
      if (connection instanceof RelayConnection) connection.closeIfIdle();
  }
}

/** What this server proves its name with, PEM: its certificate with those that prove it, and the key. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** What is offered and how much of it; the rest of the options are the handlers. */
export const relayOptions = (host: string, certificate: Certificate | null): SMTPServerOptions => ({
  ...certificate,
  name: host,
  heloResponse: "%s",
  disabledCommands: ["AUTH", "HELP", "WIZ", "SHELL", "KILL", ...(certificate ? [] : ["STARTTLS"])],
  hideENHANCEDSTATUSCODES: false,
  disableReverseLookup: true,
  // Senders in use break RFC 5321's grammar ("user.@", "a..b@"); what we do not know we refuse as a recipient anyway.
  lenientAddressParsing: true,
  logger: false,
  size: largestMail,
  rejectOversized: true,
  maxRecipients: mostRecipients,
  maxClients: mostConnections,
  maxCommandLength: longestCommand,
  socketTimeout: idleTimeoutMs,
  closeTimeout: closeTimeoutMs,
});
