import { join } from "node:path";
import { Delivery } from "../delivery/delivery.ts";
import { createDeliveryMetrics, measureOutgoing } from "../delivery/deliveryMetrics.ts";
import { openDeliveredLog } from "../delivery/queue/deliveredLog.ts";
import { createSigningKeys } from "../features/domains/domainKeys.ts";
import { createHoldFailedMail, prepareDelayNotice } from "../features/held/holdFailedMail.ts";
import { createOwnedTransport } from "../features/masks/ownedTransport.ts";
import { createKeyedHash } from "../platform/ops/keyedHash.ts";
import { createOutgoing } from "./outgoingTransport.ts";
import type { Resources } from "./resources.ts";

/** Concurrent mails: to the next hop, where others follow on its connections, or to servers of which some are slow. */
const nextHopConcurrency = 50;
const directConcurrency = 500;

/** Creates the delivery of mail to its recipients; nothing is sent before it starts. */
export const createOutgoingMail = async (resources: Resources): Promise<Delivery> => {
  const { config, database, group, bodies, seal, secrets, prepareStep, metrics } = resources;
  const { clock, random, log, feed } = resources;
  const { maskDomain, dataDir } = config;
  const deliveredLog = database.engine.name === "sqlite" ? join(dataDir, "delivered.log") : null;
  const activeKeys = createSigningKeys(resources, resources.dkimKeys.active);
  const { transport, figures } = await createOutgoing(config, {
    database,
    activeKeys,
    deliveredLog,
    countDns: metrics.countDns,
    clock,
    random,
    log,
    hasRoomForLarge: resources.reserve.hasRoomForLarge,
  });
  if (figures) measureOutgoing(metrics.registry, figures);
  return new Delivery({
    database,
    group,
    bodies,
    deliveredLog: deliveredLog === null ? null : openDeliveredLog(deliveredLog),
    transport: createOwnedTransport({ transport, database, maskDomain }),
    giveUp: createHoldFailedMail({
      database,
      maskDomain,
      seal,
      hash: createKeyedHash(secrets.hashing),
      random,
    }),
    prepareDelayNotice,
    prepareStep,
    clock,
    random,
    log,
    tracing: resources.tracing,
    onOwnerNotified: feed.wake,
    onResult: createDeliveryMetrics(metrics.registry),
    concurrency: config.nextHop === "mx" ? directConcurrency : nextHopConcurrency,
  });
};
