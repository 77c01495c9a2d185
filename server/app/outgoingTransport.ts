import { join } from "node:path";
import type { OutgoingFigures } from "../delivery/deliveryMetrics.ts";
import { createTlsSessionCounts } from "../delivery/direct/tlsSessions.ts";
import { createOutboxTransport } from "../delivery/queue/outboxTransport.ts";
import type { SendingOptions } from "../delivery/sending/sendingMessages.ts";
import { createSendingTransport } from "../delivery/sending/sendingTransport.ts";
import { createThreadTransport } from "../delivery/sending/threadTransport.ts";
import { postmasterAddress } from "../delivery/serviceAddresses.ts";
import { createSigningTransport } from "../delivery/signingTransport.ts";
import { createPostmasterTransport, type Transport } from "../delivery/transport.ts";
import type { Config } from "../platform/config/config.ts";
import { errorTrace, type Log } from "../platform/ops/log.ts";
import type { SigningKey } from "../proof/dkimKeys.ts";
import { createSignMail } from "../proof/signMail.ts";
import type { DirectMailDeps } from "./directMail.ts";

/** To the next hop, or to one mail server of recipients. */
const nextHopConnections = 20;
const directConnections = 10;

interface OutgoingDeps extends DirectMailDeps {
  /** The keys that sign. */
  readonly activeKeys: () => Promise<readonly SigningKey[]>;
  /** Path of the log of deliveries; null without one. */
  readonly deliveredLog: string | null;
  readonly log: Log;
  /** True while the disk of DATA_DIR has room for large mail. */
  readonly hasRoomForLarge: () => boolean;
}

interface Outgoing {
  readonly transport: Transport;
  /** Null without direct delivery. */
  readonly figures: OutgoingFigures | null;
}

/**
 * Returns where mail leaves: the mail servers of the recipients or the next hop, signed in a thread of its own, or the
 * outbox without either, signed too. Mail to our own postmaster is stored in the outbox as it is.
 */
export const createOutgoing = async (config: Config, deps: OutgoingDeps): Promise<Outgoing> => {
  const { nextHop, maskDomain: name, dataDir, dkim } = config;
  const { activeKeys, deliveredLog, clock, log } = deps;
  const outbox = createOutboxTransport(join(dataDir, "outbox"), deps.hasRoomForLarge);
  const signs = dkim === "on";
  const onSigningFailed = (error: unknown): void =>
    log.error({ error: errorTrace(error) }, "signing a mail failed; it is sent without a signature");
  if (!nextHop) {
    const signMail = createSignMail({ domain: name, activeKeys, clock });
    const transport = signs ? createSigningTransport(outbox, signMail, onSigningFailed) : outbox;
    return { transport, figures: null };
  }
  const isDirect = nextHop === "mx";
  const options: SendingOptions = {
    nextHop: isDirect ? null : nextHop,
    name,
    connections: isDirect ? directConnections : nextHopConnections,
    sources: config.direct.sources,
    signs,
    tellsTls: config.sendsTlsReports,
    deliveredLog,
    dataDir,
  };
  const sessions = createTlsSessionCounts();
  const shared = {
    options,
    activeKeys: signs ? activeKeys : async () => [],
    clock,
    onSigningFailed,
    onSession: sessions.add,
  };
  const sending = createThreadTransport({ ...shared, otherwise: createSendingTransport(shared) });
  const postmaster = postmasterAddress(name);
  if (!isDirect)
    return { transport: createPostmasterTransport(postmaster, { sending, outbox }), figures: null };
  // Loaded where it is used: the library of MTA-STS takes some megabytes.
  const { createDirectMail } = await import("./directMail.ts");
  const direct = createDirectMail(config, deps, { sending, sessions });
  return {
    transport: createPostmasterTransport(postmaster, { sending: direct.transport, outbox }),
    figures: direct.figures,
  };
};
