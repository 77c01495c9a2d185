import { outcomeOfError } from "../smtpAnswer.ts";
import type { DeliveryOutcome } from "../transport.ts";
import type { ClientConnection } from "./clientConnection.ts";
import { ClientError, takesNoMail, toClientError } from "./clientError.ts";
import type { OutgoingMail } from "./commands.ts";
import { type OpeningConnection, openConnection, type ServerAddress } from "./openConnection.ts";

interface Job {
  readonly mail: OutgoingMail;
  readonly resolve: (outcomes: readonly DeliveryOutcome[]) => void;
  tries: number;
}

/** Maximum attempts when the server closes an idle connection before it reads the mail. */
const maxTries = 3;

/**
 * Keeps the connections to one server: opens one when no other can take a waiting mail, and reuses it.
 */
export class ConnectionPool {
  readonly #server: ServerAddress;
  readonly #maxConnections: number;
  readonly #opening = new Set<OpeningConnection>();
  /** The most recently used connection is last. */
  readonly #connections = new Set<ClientConnection>();
  readonly #idleSince = new Map<ClientConnection, number>();
  #waiting: Job[] = [];
  #address: ServerAddress;
  /** Fewer than `maxConnections` after a server with open connections has refused another one. */
  #allowed: number;
  /** True if the server has refused what was written before its answer to a content. */
  #isAnsweringFirst = false;
  #isAborted = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(server: ServerAddress, maxConnections: number) {
    this.#server = server;
    this.#maxConnections = maxConnections;
    this.#address = server;
    this.#allowed = maxConnections;
  }

  /** Sends a mail and returns the outcome for each recipient; never rejects. */
  readonly send = (mail: OutgoingMail): Promise<readonly DeliveryOutcome[]> =>
    new Promise((resolve) => {
      const job = { mail, resolve, tries: 0 };
      if (this.#isAborted) this.#fail(job, new ClientError("EABORTED", "sending has ended"));
      else this.#waiting.push(job);
      this.#next();
    });

  /** Closes all connections; mails in progress get a temporary outcome. */
  readonly abort = (): void => {
    this.#isAborted = true;
    const error = new ClientError("EABORTED", "sending has ended");
    if (this.#timer) clearInterval(this.#timer);
    for (const attempt of this.#opening) attempt.abort(error);
    for (const connection of this.#connections) connection.abort(error);
    for (const job of this.#waiting) this.#fail(job, error);
    this.#waiting = [];
  };

  /** Returns whether it has neither mails nor connections. */
  readonly isIdle = (): boolean =>
    this.#waiting.length === 0 && this.#opening.size === 0 && this.#connections.size === 0;

  #fail(job: Job, error: ClientError, isUnreachable = false): void {
    const outcome = outcomeOfError(error);
    const unreachable = { ...outcome, isUnreachable, takesNoMail: takesNoMail(error) };
    job.resolve(job.mail.recipients.map(() => (isUnreachable ? unreachable : outcome)));
  }

  #run(connection: ClientConnection, job: Job): void {
    job.tries += 1;
    this.#connections.delete(connection);
    this.#connections.add(connection);
    this.#idleSince.delete(connection);
    connection.deliver(job.mail).then(
      (outcomes) => {
        if (outcomes) job.resolve(outcomes);
        else if (this.#isAborted || job.tries >= maxTries)
          this.#fail(job, new ClientError("ECONNECTION", "the server ends its connections"));
        else {
          this.#waiting.unshift(job);
          this.#next();
        }
      },
      (error: unknown) => this.#fail(job, toClientError(error)),
    );
  }

  /** Without a password opportunistic TLS falls back to clear text (RFC 7435). */
  #fallBack(error: ClientError): boolean {
    if (error.code !== "ETLS" || this.#address.tls !== "offered") return false;
    this.#address = { ...this.#address, tls: "never" };
    return true;
  }

  #onOpenFailed(error: ClientError): void {
    if (!this.#isAborted && this.#fallBack(error)) {
      this.#next();
      return;
    }
    this.#allowed = this.#connections.size + this.#opening.size;
    if (this.#allowed === 0) {
      this.#allowed = this.#maxConnections;
      for (const job of this.#waiting.splice(0)) this.#fail(job, error, true);
    }
    this.#next();
  }

  #open(): void {
    const attempt = openConnection(this.#address);
    this.#opening.add(attempt);
    attempt.opened.then(
      (connection) => {
        this.#opening.delete(attempt);
        this.#connections.add(connection);
        if (this.#isAnsweringFirst) connection.waitForAnswers();
        connection.onChange = () => this.#onChange(connection);
        this.#onChange(connection);
      },
      (error: unknown) => {
        this.#opening.delete(attempt);
        this.#onOpenFailed(toClientError(error));
      },
    );
  }

  #onChange(connection: ClientConnection): void {
    if (connection.hasRefusedEarly && !this.#isAnsweringFirst) {
      this.#isAnsweringFirst = true;
      for (const one of this.#connections) one.waitForAnswers();
    }
    if (connection.isIdle && connection.isWornOut) connection.quit();
    if (!connection.isUsable) {
      this.#connections.delete(connection);
      this.#idleSince.delete(connection);
    } else if (connection.isIdle) this.#idleSince.set(connection, Date.now());
    this.#next();
  }

  #free(): ClientConnection | null {
    let found: ClientConnection | null = null;
    for (const connection of this.#connections)
      if (connection.canTake && (found === null || connection.isIdle || !found.isIdle)) found = connection;
    return found;
  }

  #next(): void {
    if (this.#isAborted) return;
    for (let job = this.#waiting[0]; job; job = this.#waiting[0]) {
      const connection = this.#free();
      const canOpen =
        this.#opening.size < this.#waiting.length &&
        this.#connections.size + this.#opening.size < Math.max(1, this.#allowed);
      if (connection && (connection.isIdle || !canOpen)) {
        this.#waiting.shift();
        this.#run(connection, job);
      } else if (canOpen) this.#open();
      else return;
    }
    this.#timer ??= setInterval(() => this.#closeIdle(), this.#server.timeouts.idleMs).unref();
  }

  #closeIdle(): void {
    this.#allowed = this.#maxConnections;
    for (const [connection, since] of this.#idleSince)
      if (Date.now() - since >= this.#server.timeouts.idleMs) connection.quit();
    if (this.#connections.size > 0 || this.#opening.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
    this.#address = this.#server;
  }
}
