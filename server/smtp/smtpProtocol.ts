import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";
import { SMTPConnection } from "smtp-server/lib/smtp-connection";
import {
  closeTimeoutMs,
  idleTimeoutMs,
  maxCommandBytes,
  maxConnections,
  maxMailBytes,
  maxRecipientsPerMail,
  maxRefusals,
} from "./limits.ts";
import { type SmtpReply, shuttingDown, tooManyRefusals } from "./replies.ts";

const ownStatus = /^[245]\.\d{1,3}\.\d{1,3} /;

/**
 * A connection of smtp-server with three changes: a reply with its own enhanced status keeps it (the library has one
 * for each code), a client with too many refusals is disconnected, and the end of each transaction is reported.
 */
class ProtocolConnection extends SMTPConnection {
  #refusals = 0;
  /** Called when a transaction ends: at RSET, at EHLO and after DATA. */
  onTransactionEnd: () => void = () => {};

  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    super.send(code, data, typeof data === "string" && ownStatus.test(data) ? false : context);
    if (code >= 500) this.#refusals += 1;
    if (this.#refusals >= maxRefusals && !this._closing) this.refuse(tooManyRefusals);
  }

  override _resetSession(): void {
    super._resetSession();
    this.onTransactionEnd();
  }

  /** Sends the reply and closes the connection. */
  refuse({ code, status, text }: SmtpReply): void {
    super.send(code, `${status} ${text}`, false);
    this.close();
  }

  /** Closes the connection unless a command or a mail is being processed. */
  closeIfIdle(): void {
    if (!this._handlerPending && !this._dataStream) this.refuse(shuttingDown);
  }
}

/** An SMTP server whose connections are `ProtocolConnection`s and that reports the end of each transaction. */
export class ProtocolServer extends SMTPServer {
  readonly #onTransactionEnd: (session: SMTPServerSession) => void;

  constructor(options: SMTPServerOptions, onTransactionEnd: (session: SMTPServerSession) => void) {
    super(options);
    this.#onTransactionEnd = onTransactionEnd;
  }

  override connect(
    socket: Socket | TLSSocket,
    options?: ConstructorParameters<typeof ProtocolConnection>[2],
  ): void {
    const connection = new ProtocolConnection(this, socket, options);
    connection.onTransactionEnd = () => this.#onTransactionEnd(connection.session);
    connection.on("error", (error) => this.emit("error", error));
    this.connections.add(connection);
    connection.init();
  }

  /** Closes all connections that are not processing a command or a mail. */
  closeIdle(): void {
    for (const connection of [...this.connections])
      if (connection instanceof ProtocolConnection) connection.closeIfIdle();
  }
}

/** TLS certificate with its chain, and private key, both PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Returns the options of smtp-server except the handlers. */
export const protocolOptions = (host: string, certificate: Certificate | null): SMTPServerOptions => ({
  ...certificate,
  name: host,
  heloResponse: "%s",
  disabledCommands: ["AUTH", "HELP", "WIZ", "SHELL", "KILL", ...(certificate ? [] : ["STARTTLS"])],
  hideENHANCEDSTATUSCODES: false,
  disableReverseLookup: true,
  // Some senders violate the grammar of RFC 5321 ("user.@", "a..b@"); unknown recipients are refused anyway.
  lenientAddressParsing: true,
  logger: false,
  size: maxMailBytes,
  rejectOversized: true,
  maxRecipients: maxRecipientsPerMail,
  maxClients: maxConnections,
  maxCommandLength: maxCommandBytes,
  socketTimeout: idleTimeoutMs,
  closeTimeout: closeTimeoutMs,
});
