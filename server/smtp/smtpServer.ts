import { createServer, type Server, type Socket } from "node:net";
import { type SecureContext, TLSSocket } from "node:tls";
import { interval, type Subscription, timer } from "rxjs";
import type { Clock } from "../../core/ports/clock.ts";
import { errorTrace, type Log } from "../platform/ops/log.ts";
import { isLoopback, networkOf, plainAddress } from "../platform/ops/networkOf.ts";
import { logRefusedPeer } from "../platform/ops/refusedPeers.ts";
import type { Rates } from "../platform/rates/rates.ts";
import type { BeginContent } from "../platform/spool/mailContent.ts";
import { createArrivingBytes } from "./connection/arrivingBytes.ts";
import { createBalancerSockets } from "./connection/balancerSockets.ts";
import { SmtpConnection } from "./connection/connection.ts";
import { maxConnectingNetworks } from "./connection/connectionRates.ts";
import { type ConnectionSlots, createConnectionSlots } from "./connection/connectionSlots.ts";
import { IncomingContent } from "./incomingContent.ts";
import { createSenderHistory } from "./senderHistory.ts";
import { SmtpSession } from "./session.ts";
import {
  closeTimeoutMs,
  maxConnections,
  maxLingering,
  spoolBytes,
  spoolBytesPerNetwork,
  timeoutCheckMs,
} from "./smtpLimits.ts";
import { formatReply, noCertificate, type SmtpReply } from "./smtpReplies.ts";
import type { BeginTransaction, Submission } from "./smtpTransaction.ts";

/** An SMTP server. */
export interface SmtpServer {
  /** Starts to listen; rejects when the port is not available. */
  readonly start: () => Promise<{ readonly port: number }>;
  /** Refuses new connections, finishes the mails being received, and resolves within 4 s. */
  readonly stop: () => Promise<void>;
  readonly ready: () => boolean;
}

export interface SmtpServerDeps {
  /** The name in the greeting and in the answer to EHLO. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** Returns the certificate for new connections, so that a renewal needs no restart; null disables STARTTLS. */
  readonly secureContext: () => SecureContext | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly rates: Rates;
  /** Begins transactions without a login; null where a login is required. */
  readonly beginTransaction: BeginTransaction | null;
  /** Checks logins; null where there are none. Such a server takes no connection while there is no certificate. */
  readonly submission: Submission | null;
  /** True if TLS starts with the connection (RFC 8314, 3.3). */
  readonly startsWithTls: boolean;
  readonly beginContent: BeginContent;
  /** True if connections of an address are not limited by network; by default those of this host. */
  readonly isTrusted?: (address: string) => boolean;
  /** True if an address is of a balancer, which says by the PROXY protocol who has connected to it; by default none is. */
  readonly isBalancer?: (address: string) => boolean;
  /** Called for a connection that is cut off with a reply. */
  readonly onConnectionRefused?: (reply: SmtpReply) => void;
}

/** Sends a refusal as far as the network takes it at once, and cuts the connection off, so that it holds nothing. */
const cutOff = (socket: Socket, reply: SmtpReply): void => {
  socket.on("error", () => {});
  socket.write(formatReply(reply));
  socket.destroy();
};

type Slots = ConnectionSlots<SmtpConnection>;

const startTls =
  (secureContext: SecureContext | null) =>
  (socket: Socket): Socket =>
    new TLSSocket(socket, { isServer: true, ...(secureContext && { secureContext }) });

const createConnections = (
  deps: SmtpServerDeps,
  slots: Slots,
  open: Set<SmtpConnection>,
  isStopping: () => boolean,
) => {
  const { name, clock, log, beginTransaction, submission, startsWithTls, beginContent } = deps;
  const arriving = createArrivingBytes({ perNetwork: spoolBytesPerNetwork, ofThisHost: spoolBytes });
  const lingering = new Set<SmtpConnection>();
  const greeting = `220 ${name} ESMTP\r\n`;

  const onError = (error: unknown): void =>
    log.error({ error: errorTrace(error) }, "receiving a mail failed");

  const linger = (connection: SmtpConnection): void => {
    lingering.add(connection);
    const [longest] = lingering;
    if (lingering.size > maxLingering) longest?.destroy();
  };

  return (plain: Socket, from: string): SmtpConnection => {
    const secureContext = deps.secureContext();
    const secure = startTls(secureContext);
    const remoteAddress = plainAddress(from);
    const network = isLoopback(remoteAddress) ? null : networkOf(remoteAddress);
    const session = new SmtpSession(
      {
        name,
        remoteAddress,
        beginTransaction,
        submission,
        createContent: (size) => new IncomingContent({ beginContent, arriving, network }, size),
        clock,
        // Whoever has logged in is no stranger.
        onRecipientRefused: () => {
          if (submission === null) logRefusedPeer(log, "recipient", remoteAddress);
        },
        onError,
      },
      { offersTls: secureContext !== null && !startsWithTls, isSecure: startsWithTls },
    );
    const socket = startsWithTls ? secure(plain) : plain;
    const connection: SmtpConnection = new SmtpConnection(socket, {
      session,
      greeting,
      now: clock.now,
      after: (ms, call) => {
        const waiting = timer(ms, clock.scheduler).subscribe(call);
        return () => waiting.unsubscribe();
      },
      secure,
      isStopping,
      onAccepted: () => slots.recordAccepted(remoteAddress),
      onError,
      // A broken connection is the client's problem.
      onBroken: (code) => log.debug({ code }, "an SMTP connection failed"),
      onOver: () => {
        slots.remove(connection);
        linger(connection);
      },
      onGone: () => {
        open.delete(connection);
        lingering.delete(connection);
      },
    });
    open.add(connection);
    slots.add(connection, remoteAddress);
    if (startsWithTls) {
      plain.on("error", () => {});
      socket.once("secure", () => connection.greet());
    }
    // NOTE: with a greeting at once, clients that send before it are not noticed: early input is read in the next turn of the
    // event loop, and the greeting follows in the one after.
    else setImmediate(() => setImmediate(() => connection.greet()));
    return connection;
  };
};

const listen = (server: Server, { port, host }: Pick<SmtpServerDeps, "port" | "host">): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });

/** Returns the purpose that a server takes connections for: each has limits of its own, the same in all processes. */
const purposeOf = ({ submission, startsWithTls }: SmtpServerDeps): string => {
  if (submission === null) return "mail";
  return startsWithTls ? "submission with TLS" : "submission";
};

/** Creates an SMTP server that passes recipients and mail to `beginTransaction`, without listening. */
export const createSmtpServer = (deps: SmtpServerDeps): SmtpServer => {
  const { clock, log } = deps;
  const slots: Slots = createConnectionSlots(
    createSenderHistory(clock.now),
    clock.now,
    deps.isTrusted ?? isLoopback,
    deps.rates.buckets(`connections for ${purposeOf(deps)}`, maxConnectingNetworks),
  );
  const open = new Set<SmtpConnection>();
  let listening = false;
  const connect = createConnections(deps, slots, open, () => !listening);
  let timeouts: Subscription | null = null;

  const checkTimeouts = (): void => {
    for (const connection of open) connection.enforceTimeouts(clock.now());
    if (open.size > 0) return;
    timeouts?.unsubscribe();
    timeouts = null;
  };

  const accept = (socket: Socket, from: string): void => {
    const hasNoCertificate = deps.submission !== null && deps.secureContext() === null;
    const refusal = hasNoCertificate ? noCertificate : slots.admit(from);
    if (refusal) {
      deps.onConnectionRefused?.(refusal);
      cutOff(socket, refusal);
      return;
    }
    connect(socket, from);
    timeouts ??= interval(timeoutCheckMs, clock.scheduler).subscribe(checkTimeouts);
  };

  const balancers = createBalancerSockets({ isBalancer: deps.isBalancer ?? (() => false), clock, log });
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) =>
    balancers.identify(socket, accept),
  );
  server.maxConnections = 2 * maxConnections;

  return {
    start: async () => {
      const port = await listen(server, deps);
      server.on("error", (error) =>
        log.error({ error: errorTrace(error) }, "accepting a connection for SMTP failed"),
      );
      listening = true;
      return { port };
    },
    stop: async () => {
      listening = false;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      balancers.stop();
      for (const connection of open) connection.closeIfIdle();
      const abort = setTimeout(() => {
        for (const connection of open) connection.destroy();
      }, closeTimeoutMs);
      await closed;
      clearTimeout(abort);
      timeouts?.unsubscribe();
    },
    ready: () => listening,
  };
};
