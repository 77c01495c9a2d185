import { isIP } from "node:net";
import type { TLSSocket } from "node:tls";
import { minuteMs } from "../../../core/kernel/durations.ts";
import { ClientError } from "../client/clientError.ts";
import { type ClientTimeouts, clientTimeouts } from "../client/clientTimeouts.ts";
import type { OutgoingMail } from "../client/commands.ts";
import { ConnectionPool } from "../client/connectionPool.ts";
import type { ServerAddress } from "../client/openConnection.ts";
import { toReturnPath } from "../serviceAddresses.ts";
import { refusedHere } from "../smtpAnswer.ts";
import type { DeliveryOutcome, Transport } from "../transport.ts";
import { daneProblem, peerCertificateOf } from "./dane.ts";
import type { MailServer, TlsRule } from "./mxRoute.ts";
import {
  failedTlsResult,
  type TlsAttempt,
  type TlsPolicyKind,
  type TlsSession,
  tlsResultOf,
} from "./tlsSessions.ts";

export interface DirectOptions {
  /** Our host name, for EHLO. */
  readonly name: string;
  /** Connections to one address of a server. */
  readonly connections: number;
  /** Addresses to send from; a family without one is not used. Empty: the system chooses. */
  readonly sources: readonly string[];
  /** True if outcomes tell how their connections were protected. */
  readonly tellsTls: boolean;
  readonly timeouts?: ClientTimeouts;
}

const directTimeouts: ClientTimeouts = { ...clientTimeouts, connectMs: 20_000 };
const maxAddresses = 8;
/** After this time no other address of a domain is tried. */
const searchMs = 3 * minuteMs;
/** The time for which an address that does not answer is passed over. */
const avoidMs = minuteMs;
const maxAvoided = 10_000;
const maxPools = 500;

interface Target {
  readonly server: MailServer;
  readonly address: string;
}

const policyOf = (tls: TlsRule): TlsPolicyKind => {
  switch (tls.kind) {
    case "opportunistic":
      return "none";
    case "policy":
      return "sts";
    case "dane":
      return "dane";
  }
};

const isRequired = (tls: TlsRule): boolean =>
  tls.kind === "dane" || (tls.kind === "policy" && tls.isEnforced);

const keyOf = ({ server, address }: Target): string =>
  JSON.stringify([address, server.port, server.name, server.tls]);

/** Returns how Node judges the certificate of a server whose certificate may be any. */
const judged = (socket: TLSSocket): TlsSession["result"] =>
  socket.authorized ? "success" : tlsResultOf(String(socket.authorizationError));

const checkDane = (tls: Extract<TlsRule, { kind: "dane" }>, socket: TLSSocket): void => {
  const certificate = peerCertificateOf(socket);
  const problem = certificate ? daneProblem(certificate, tls, Date.now()) : "the server has no certificate";
  if (problem !== null) throw new ClientError("ETLS", `DANE: ${problem}`);
};

/** Returns the address of a server, and reports how each connection to it turns out. */
const addressOf = (
  { server, address }: Target,
  { name, sources, timeouts = directTimeouts }: DirectOptions,
  onSession: (session: TlsSession) => void,
): ServerAddress => {
  const { tls } = server;
  const policy = policyOf(tls);
  const localAddress = sources.find((source) => isIP(source) === isIP(address));
  return {
    host: address,
    port: server.port,
    name: tls.kind === "dane" ? tls.names[0] : server.name,
    tls: isRequired(tls) ? "required" : "offered",
    isVerified: tls.kind === "policy" && tls.isEnforced,
    credentials: null,
    ownName: name,
    timeouts,
    ...(localAddress === undefined ? {} : { localAddress }),
    onProtected: (socket) => {
      if (!socket) return onSession({ policy, result: "starttls-not-supported" });
      if (tls.kind === "dane") checkDane(tls, socket);
      onSession({ policy, result: tls.kind === "policy" ? judged(socket) : "success" });
    },
    onFailed: (error) => {
      const result = failedTlsResult(error);
      if (result) onSession({ policy, result });
    },
  };
};

const allAddresses = (servers: readonly MailServer[]): number =>
  servers.reduce((sum, { addresses }) => sum + addresses.length, 0);

const noServer: DeliveryOutcome = {
  kind: "temporary",
  answer: "451 4.4.1 No mail server of the domain can be reached",
  isUnreachable: true,
};

/** For a domain none of whose servers takes mail (RFC 7504, 4). */
const noMailHere = "556 5.1.10 No mail server of the domain takes mail";

const takesNoMail = (outcome: DeliveryOutcome): boolean =>
  outcome.kind === "temporary" && outcome.takesNoMail === true;

const isUnreachable = (outcome: DeliveryOutcome): boolean =>
  outcome.kind === "temporary" && outcome.isUnreachable === true;

const tlsOf = (outcome: DeliveryOutcome): readonly TlsAttempt[] =>
  outcome.kind === "postponed" ? [] : (outcome.tls ?? []);

const withTls = (outcome: DeliveryOutcome, tls: readonly TlsAttempt[]): DeliveryOutcome =>
  outcome.kind === "postponed" || tls.length === 0 ? outcome : { ...outcome, tls };

/** The last outcome counts, except where every address of the domain has said that it takes no mail. */
const resultOf = (outcomes: readonly DeliveryOutcome[], servers: readonly MailServer[]): DeliveryOutcome => {
  const refusals = outcomes.filter(takesNoMail).length;
  const isRefused = refusals > 0 && refusals === allAddresses(servers);
  return isRefused ? refusedHere(noMailHere) : (outcomes.at(-1) ?? noServer);
};

/**
 * Creates the transport that sends each mail along its route: to the first server and address that answers, over
 * connections that the mails of all domains with that server share.
 */
export const createDirectTransport = (
  options: DirectOptions,
  onSession: (session: TlsSession) => void,
): Transport => {
  const pools = new Map<string, ConnectionPool>();
  const avoided = new Map<string, { readonly until: number; readonly outcome: DeliveryOutcome }>();
  /** By pool: how its last connection was protected. */
  const lastSessions = new Map<string, TlsSession>();
  let isAborted = false;

  const poolOf = (target: Target, key: string): ConnectionPool => {
    const known = pools.get(key);
    if (known) return known;
    if (pools.size >= maxPools)
      for (const [name, pool] of pools)
        if (pool.isIdle()) {
          pool.abort();
          pools.delete(name);
          lastSessions.delete(name);
        }
    const note = (session: TlsSession): void => {
      if (options.tellsTls) lastSessions.set(key, session);
      onSession(session);
    };
    const created = new ConnectionPool(addressOf(target, options, note), options.connections);
    pools.set(key, created);
    return created;
  };

  const avoid = (key: string, outcome: DeliveryOutcome): void => {
    if (avoided.size >= maxAvoided) avoided.clear();
    avoided.set(key, { until: performance.now() + avoidMs, outcome });
  };

  const targetsOf = (servers: readonly MailServer[]): readonly Target[] =>
    servers
      .flatMap((server) => server.addresses.map((address) => ({ server, address })))
      .filter(
        ({ address }) =>
          options.sources.length === 0 || options.sources.some((source) => isIP(source) === isIP(address)),
      )
      .slice(0, maxAddresses);

  const attempt = async (target: Target, mail: OutgoingMail): Promise<DeliveryOutcome> => {
    const key = keyOf(target);
    const known = avoided.get(key);
    if (known && known.until > performance.now()) return known.outcome;
    const [outcome = noServer] = await poolOf(target, key).send(mail);
    if (isUnreachable(outcome) && !isAborted) avoid(key, outcome);
    const session = lastSessions.get(key);
    return session ? withTls(outcome, [{ ...session, server: target.server.name }]) : outcome;
  };

  return {
    send: async ({ id, envelopeSender, recipient, size, chunks, mxRoute: route }) => {
      const mail = { sender: toReturnPath(envelopeSender, id), recipients: [recipient], size, chunks };
      const deadline = performance.now() + searchMs;
      const servers = route?.servers ?? [];
      const outcomes: DeliveryOutcome[] = [];
      for (const target of targetsOf(servers)) {
        if (isAborted || performance.now() > deadline) break;
        const outcome = await attempt(target, mail);
        outcomes.push(outcome);
        if (!isUnreachable(outcome)) break;
      }
      return withTls(resultOf(outcomes, servers), outcomes.flatMap(tlsOf));
    },
    abort: () => {
      isAborted = true;
      for (const pool of pools.values()) pool.abort();
    },
  };
};
