import { maxConnections, maxConnectionsPerNetwork, minIdleMs, provenConnections } from "./limits.ts";
import { isLoopback, networkOf } from "./networks.ts";
import { allConnectionsInUse, makeRoom, type SmtpReply, tooManyConnections } from "./replies.ts";
import type { SenderHistory } from "./senderHistory.ts";

/** A connection as the slots see it. */
export interface SlotHolder {
  /** Milliseconds that the server has waited for the client; -1 while the client waits. */
  readonly idleMs: (now: number) => number;
  readonly refuse: (reply: SmtpReply) => void;
}

/** Limits the number of connections. */
export interface ConnectionSlots<Holder extends SlotHolder> {
  /** Makes room for a connection of this address; returns the reply when there is none. */
  readonly admit: (remoteAddress: string) => SmtpReply | null;
  readonly add: (holder: Holder, remoteAddress: string) => void;
  readonly remove: (holder: Holder) => void;
  readonly recordAccepted: (remoteAddress: string) => void;
}

interface Candidate<Holder> {
  readonly holder: Holder;
  readonly ofNetwork: number;
  readonly idle: number;
}

/**
 * Creates the slots. Each network has a limit, except this host, which may run a mail server in front. When all
 * slots are in use, the longest idle connection is closed, of the networks with most connections first;
 * networks with a history of accepted mail have reserved slots, which they lose only to each other.
 */
export const createConnectionSlots = <Holder extends SlotHolder>(
  history: SenderHistory,
  now: () => number,
): ConnectionSlots<Holder> => {
  const networks = new Map<Holder, string>();
  const counts = new Map<string, number>();

  const keyOf = (address: string): string => (isLoopback(address) ? "loopback" : networkOf(address));
  const isProven = (network: string): boolean => network === "loopback" || history.isProven(network);

  const unproven = (): number => {
    let count = 0;
    for (const network of networks.values()) if (!isProven(network)) count += 1;
    return count;
  };

  const isBefore = (one: Candidate<Holder>, other: Candidate<Holder> | null): boolean =>
    other === null ||
    one.ofNetwork > other.ofNetwork ||
    (one.ofNetwork === other.ofNetwork && one.idle > other.idle);

  /** Closes the most dispensable connection; returns whether there was one. */
  const evict = (isEligible: (network: string) => boolean): boolean => {
    let best: Candidate<Holder> | null = null;
    for (const [holder, network] of networks) {
      const idle = holder.idleMs(now());
      if (idle < minIdleMs || !isEligible(network)) continue;
      const candidate = { holder, idle, ofNetwork: counts.get(network) ?? 0 };
      if (isBefore(candidate, best)) best = candidate;
    }
    best?.holder.refuse(makeRoom);
    return best !== null;
  };

  const hasRoomFor = (network: string): boolean => {
    if (networks.size < maxConnections - provenConnections) return true;
    const isFree = networks.size < maxConnections;
    if (isProven(network)) return isFree || evict((other) => !isProven(other)) || evict(() => true);
    return (isFree && unproven() < maxConnections - provenConnections) || evict((other) => !isProven(other));
  };

  return {
    admit: (remoteAddress) => {
      const network = keyOf(remoteAddress);
      if (network !== "loopback" && (counts.get(network) ?? 0) >= maxConnectionsPerNetwork)
        return tooManyConnections;
      return hasRoomFor(network) ? null : allConnectionsInUse;
    },
    add: (holder, remoteAddress) => {
      const network = keyOf(remoteAddress);
      networks.set(holder, network);
      counts.set(network, (counts.get(network) ?? 0) + 1);
    },
    remove: (holder) => {
      const network = networks.get(holder);
      if (network === undefined || !networks.delete(holder)) return;
      const left = (counts.get(network) ?? 1) - 1;
      if (left > 0) counts.set(network, left);
      else counts.delete(network);
    },
    recordAccepted: (remoteAddress) => {
      if (!isLoopback(remoteAddress)) history.record(networkOf(remoteAddress));
    },
  };
};
