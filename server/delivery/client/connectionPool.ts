import { outcomeOfError } from "../smtpAnswer.ts";
import type { DeliveryOutcome } from "../transport.ts";
import type { ClientConnection } from "./clientConnection.ts";
import { ClientError, takesNoMail, toClientError } from "./clientError.ts";
import type { OutgoingMail } from "./commands.ts";
import { type OpeningConnection, openConnection, type ServerAddress } from "./openConnection.ts";

/** The connections to one server. */
export interface ConnectionPool {
  /** Sends a mail and returns the outcome for each recipient; never rejects. */
  readonly send: (mail: OutgoingMail) => Promise<readonly DeliveryOutcome[]>;
  /** Closes all connections; mails in progress get a temporary outcome. */
  readonly abort: () => void;
  /** Whether it has neither mails nor connections. */
  readonly isIdle: () => boolean;
}

interface Job {
  readonly mail: OutgoingMail;
  readonly resolve: (outcomes: readonly DeliveryOutcome[]) => void;
  tries: number;
}

/** Maximum attempts when the server closes an idle connection before it reads the mail. */
const maxTries = 3;

/** Creates the pool; it opens a connection when no other can take a waiting mail, and reuses it. */
export const createConnectionPool = (server: ServerAddress, maxConnections: number): ConnectionPool => {
  const opening = new Set<OpeningConnection>();
  /** The most recently used connection is last. */
  const connections = new Set<ClientConnection>();
  const idleSince = new Map<ClientConnection, number>();
  let waiting: Job[] = [];
  let address = server;
  /** Fewer than `maxConnections` after a server with open connections has refused another one. */
  let allowed = maxConnections;
  let isAborted = false;
  let timer: NodeJS.Timeout | null = null;

  const fail = (job: Job, error: ClientError, isUnreachable = false): void => {
    const outcome = outcomeOfError(error);
    const unreachable = { ...outcome, isUnreachable, takesNoMail: takesNoMail(error) };
    job.resolve(job.mail.recipients.map(() => (isUnreachable ? unreachable : outcome)));
  };

  const run = (connection: ClientConnection, job: Job): void => {
    job.tries += 1;
    connections.delete(connection);
    connections.add(connection);
    idleSince.delete(connection);
    connection.deliver(job.mail).then(
      (outcomes) => {
        if (outcomes) job.resolve(outcomes);
        else if (isAborted || job.tries >= maxTries)
          fail(job, new ClientError("ECONNECTION", "the server ends its connections"));
        else {
          waiting.unshift(job);
          next();
        }
      },
      (error: unknown) => fail(job, toClientError(error)),
    );
  };

  /** Without a password opportunistic TLS falls back to clear text (RFC 7435). */
  const fallBack = (error: ClientError): boolean => {
    if (error.code !== "ETLS" || address.tls !== "offered") return false;
    address = { ...address, tls: "never" };
    return true;
  };

  const onOpenFailed = (error: ClientError): void => {
    if (!isAborted && fallBack(error)) {
      next();
      return;
    }
    allowed = connections.size + opening.size;
    if (allowed === 0) {
      allowed = maxConnections;
      for (const job of waiting.splice(0)) fail(job, error, true);
    }
    next();
  };

  const open = (): void => {
    const attempt = openConnection(address);
    opening.add(attempt);
    attempt.opened.then(
      (connection) => {
        opening.delete(attempt);
        connections.add(connection);
        connection.onChange = () => onChange(connection);
        onChange(connection);
      },
      (error: unknown) => {
        opening.delete(attempt);
        onOpenFailed(toClientError(error));
      },
    );
  };

  const onChange = (connection: ClientConnection): void => {
    if (connection.isIdle && connection.isWornOut) connection.quit();
    if (!connection.isUsable) {
      connections.delete(connection);
      idleSince.delete(connection);
    } else if (connection.isIdle) idleSince.set(connection, Date.now());
    next();
  };

  const free = (): ClientConnection | null => {
    let found: ClientConnection | null = null;
    for (const connection of connections)
      if (connection.canTake && (found === null || connection.isIdle || !found.isIdle)) found = connection;
    return found;
  };

  const next = (): void => {
    if (isAborted) return;
    for (let job = waiting[0]; job; job = waiting[0]) {
      const connection = free();
      const canOpen = opening.size < waiting.length && connections.size + opening.size < Math.max(1, allowed);
      if (connection && (connection.isIdle || !canOpen)) {
        waiting.shift();
        run(connection, job);
      } else if (canOpen) open();
      else return;
    }
    timer ??= setInterval(closeIdle, server.timeouts.idleMs).unref();
  };

  const closeIdle = (): void => {
    allowed = maxConnections;
    for (const [connection, since] of idleSince)
      if (Date.now() - since >= server.timeouts.idleMs) connection.quit();
    if (connections.size > 0 || opening.size > 0 || !timer) return;
    clearInterval(timer);
    timer = null;
    address = server;
  };

  return {
    send: (mail) =>
      new Promise((resolve) => {
        const job = { mail, resolve, tries: 0 };
        if (isAborted) fail(job, new ClientError("EABORTED", "sending has ended"));
        else waiting.push(job);
        next();
      }),
    abort: () => {
      isAborted = true;
      const error = new ClientError("EABORTED", "sending has ended");
      if (timer) clearInterval(timer);
      for (const attempt of opening) attempt.abort(error);
      for (const connection of connections) connection.abort(error);
      for (const job of waiting) fail(job, error);
      waiting = [];
    },
    isIdle: () => waiting.length === 0 && opening.size === 0 && connections.size === 0,
  };
};
