import { join } from "node:path";
import type { Clock } from "../core/ports/clock.ts";
import type { Config } from "./config/config.ts";
import { createNextHopTransport } from "./delivery/nextHopTransport.ts";
import { createOutboxTransport } from "./delivery/outboxTransport.ts";
import { postmasterAddress } from "./delivery/ownAddresses.ts";
import { createPostmasterTransport, type Transport } from "./delivery/transport.ts";
import { errorTrace, type Log } from "./ops/log.ts";
import type { DkimKeys } from "./proof/dkimKeys.ts";
import { createSigningTransport } from "./proof/signingTransport.ts";
import { createSignMail } from "./proof/signMail.ts";
import { createThreadTransport } from "./sending/threadTransport.ts";

const deliveryConnections = 20;

interface OutgoingDeps {
  readonly dkimKeys: Pick<DkimKeys, "active">;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Returns where mail leaves: the next hop, signed in a thread of its own, or the outbox without one. Mail to our
 * own postmaster is stored in the outbox.
 */
export const createTransport = (
  { nextHop, maskDomain: name, dataDir, dkim }: Config,
  { dkimKeys, clock, log }: OutgoingDeps,
): Transport => {
  const outbox = createOutboxTransport(join(dataDir, "outbox"));
  if (!nextHop) return outbox;
  const signs = dkim === "on";
  const activeKeys = signs ? dkimKeys.active : async () => [];
  const onSigningFailed = (error: unknown): void =>
    log.error({ error: errorTrace(error) }, "signing a mail failed; it is sent without a signature");
  const toNextHop = createNextHopTransport(nextHop, name, deliveryConnections);
  const signMail = createSignMail({ domain: name, activeKeys, clock });
  const sending = createThreadTransport({
    options: { nextHop, name, connections: deliveryConnections, signs },
    activeKeys,
    onSigningFailed,
    otherwise: signs ? createSigningTransport(toNextHop, signMail, onSigningFailed) : toNextHop,
  });
  return createPostmasterTransport(postmasterAddress(name), { sending, outbox });
};
