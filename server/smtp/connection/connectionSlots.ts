import { networkOf, widerNetworkOf } from "../../platform/ops/networkOf.ts";
import type { Buckets } from "../../platform/rates/buckets.ts";
import type { SenderHistory } from "../senderHistory.ts";
import {
  maxConnections,
  maxConnectionsPerNetwork,
  maxConnectionsPerWiderNetwork,
  minIdleMs,
  provenConnections,
} from "../smtpLimits.ts";
import {
  allConnectionsInUse,
  makeRoom,
  type SmtpReply,
  tooManyConnections,
  tooOften,
} from "../smtpReplies.ts";
import { createConnectionRates } from "./connectionRates.ts";

/** A connection as the slots see it. */
export interface SlotHolder {
  /** Milliseconds that the server has waited for the client; -1 while the client waits. */
  readonly idleMs: (now: number) => number;
  /** Sends the reply and cuts the connection off at once, without waiting for the client to read it. */
  readonly dismiss: (reply: SmtpReply) => void;
}

/** Limits the number of connections. */
export interface ConnectionSlots<Holder extends SlotHolder> {
  /** Makes room for a connection of this address; returns the reply when there is none, or it connects too often. */
  readonly admit: (remoteAddress: string) => SmtpReply | null;
  readonly add: (holder: Holder, remoteAddress: string) => void;
  readonly remove: (holder: Holder) => void;
  readonly recordAccepted: (remoteAddress: string) => void;
}

interface Candidate<Holder> {
  readonly holder: Holder;
  /** The number of connections that its wider network has. */
  readonly ofNetwork: number;
  readonly idle: number;
}

interface Networks {
  readonly narrow: string;
  readonly wide: string;
}

const trusted = "trusted";

const addTo = (counts: Map<string, number>, key: string, change: 1 | -1): void => {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
};

/**
 * Creates the slots. Each network has a limit and a rate, except trusted ones, which may be mail servers in front. When all
 * slots are in use, the longest idle connection is closed, of the networks with most connections first;
 * networks with a history of accepted mail have reserved slots, which they lose only to each other.
 */
export const createConnectionSlots = <Holder extends SlotHolder>(
  history: SenderHistory,
  now: () => number,
  isTrusted: (address: string) => boolean,
  connections: Buckets,
): ConnectionSlots<Holder> => {
  const networks = new Map<Holder, Networks>();
  const counts = new Map<string, number>();
  const rates = createConnectionRates(connections);

  const networksOf = (address: string): Networks =>
    isTrusted(address)
      ? { narrow: trusted, wide: trusted }
      : { narrow: networkOf(address), wide: widerNetworkOf(address) };
  const isProven = (network: string): boolean => network === trusted || history.isProven(network);

  const unproven = (): number => {
    let count = 0;
    for (const { narrow } of networks.values()) if (!isProven(narrow)) count += 1;
    return count;
  };

  const isBefore = (one: Candidate<Holder>, other: Candidate<Holder> | null): boolean =>
    other === null ||
    one.ofNetwork > other.ofNetwork ||
    (one.ofNetwork === other.ofNetwork && one.idle > other.idle);

  /** Closes the most dispensable connection; returns whether there was one. */
  const evict = (isEligible: (network: string) => boolean): boolean => {
    let best: Candidate<Holder> | null = null;
    for (const [holder, { narrow, wide }] of networks) {
      const idle = holder.idleMs(now());
      if (idle < minIdleMs || !isEligible(narrow)) continue;
      const candidate = { holder, idle, ofNetwork: counts.get(wide) ?? 0 };
      if (isBefore(candidate, best)) best = candidate;
    }
    best?.holder.dismiss(makeRoom);
    return best !== null;
  };

  const hasRoomFor = (network: string): boolean => {
    if (networks.size < maxConnections - provenConnections) return true;
    const isFree = networks.size < maxConnections;
    if (isProven(network)) return isFree || evict((other) => !isProven(other)) || evict(() => true);
    return (isFree && unproven() < maxConnections - provenConnections) || evict((other) => !isProven(other));
  };

  const isFull = ({ narrow, wide }: Networks): boolean =>
    (counts.get(narrow) ?? 0) >= maxConnectionsPerNetwork ||
    (counts.get(wide) ?? 0) >= maxConnectionsPerWiderNetwork;

  return {
    admit: (remoteAddress) => {
      const of = networksOf(remoteAddress);
      if (of.narrow !== trusted) {
        if (isFull(of)) return tooManyConnections;
        if (!rates.admit(remoteAddress, isProven(of.narrow))) return tooOften;
      }
      return hasRoomFor(of.narrow) ? null : allConnectionsInUse;
    },
    add: (holder, remoteAddress) => {
      const of = networksOf(remoteAddress);
      networks.set(holder, of);
      addTo(counts, of.narrow, 1);
      if (of.wide !== of.narrow) addTo(counts, of.wide, 1);
    },
    remove: (holder) => {
      const of = networks.get(holder);
      if (of === undefined || !networks.delete(holder)) return;
      addTo(counts, of.narrow, -1);
      if (of.wide !== of.narrow) addTo(counts, of.wide, -1);
    },
    recordAccepted: (remoteAddress) => {
      if (!isTrusted(remoteAddress)) history.record(networkOf(remoteAddress));
    },
  };
};
